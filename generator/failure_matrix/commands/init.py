"""Write a small matrix that works, and what it takes to make a site of it.

Nothing that exists is overwritten.

examples:
  failure-matrix init             here
  failure-matrix init my-service  in a new folder
"""

from __future__ import annotations

import argparse
from pathlib import Path

from failure_matrix import resources
from failure_matrix.commands.output import write
from failure_matrix.errors import CannotGoOn

NAME = "init"
SUMMARY = "write a small matrix that works, and the configuration of its site"


class AlreadyThere(CannotGoOn):
    """The folder has matrices already."""


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path(), metavar="FOLDER", help="where (default: the current folder)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the files, say what to do next, and return the exit code.

    Raises `AlreadyThere` where the folder has matrices already.
    """
    folder: Path = arguments.folder
    if (folder / "matrix").exists():
        raise AlreadyThere(f"{folder / 'matrix'} is there already, so nothing was written.")
    for name, text in files(folder).items():
        write(text, folder / name)
        print(f"Wrote {folder / name}")
    print(f"\nNext:\n{advice(folder)}")
    return 0


def files(folder: Path) -> dict[str, str]:
    """What to write, by its path in the folder: all that is not there yet."""
    from failure_matrix.schema import schema_text

    starter = resources.starter_folder()
    texts = {name: (starter / name).read_text(encoding="utf-8") for name in ("matrix/job.yml", "matrix/owners.yml")}
    texts |= {f"matrix/{name}.schema.json": schema_text(name) for name in ("matrix", "owners")}
    if not (folder / "mkdocs.yml").exists():
        texts["mkdocs.yml"] = resources.default_configuration().read_text(encoding="utf-8")
        if not (folder / "docs").exists():
            texts["docs/notes.md"] = (starter / "docs/notes.md").read_text(encoding="utf-8")
    return texts


def advice(folder: Path) -> str:
    """What to do with the new files."""
    steps = [] if folder == Path() else [f"  cd {folder}"]
    if (folder / "mkdocs.yml").read_text(encoding="utf-8").find("failure-matrix") < 0:
        steps.append("  add `failure-matrix` to the plugins in mkdocs.yml")
    steps.append("  failure-matrix check    check matrix/job.yml after each edit")
    steps.append("  failure-matrix serve    see the site at http://127.0.0.1:8000 while you edit")
    return "\n".join(steps)
