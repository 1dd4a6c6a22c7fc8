"""List the addresses of the pages that tell what to do, such as for the `runbook_url` of an alert.

An id that a state, an action, a failure or an observation once had, and keeps in `aliases`, has an address too, so
what somebody has written down keeps leading there. The addresses are relative to the site, or whole where
`mkdocs.yml` has a `site_url` or --base is given.

examples:
  failure-matrix links
  failure-matrix links design-export --base https://runbooks.example/
  failure-matrix links --json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from failure_matrix.commands.output import write

if TYPE_CHECKING:
    from failure_matrix.model import Matrix

NAME = "links"
SUMMARY = "list the addresses of states, actions and failures"

VERSION = 1


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("id", nargs="?", metavar="MATRIX", help="the matrix's id (default: all)")
    parser.add_argument(
        "--matrix", type=Path, default=Path("matrix"), metavar="FOLDER", help="the matrices (default: %(default)s)"
    )
    parser.add_argument("--base", metavar="URL", help="where the site is published (default: `site_url` of mkdocs.yml)")
    parser.add_argument("--json", action="store_true", help="print an object for programs")


def run(arguments: argparse.Namespace) -> int:
    """Print the addresses, and return the exit code."""
    from failure_matrix import loader
    from failure_matrix.commands.check import site_url
    from failure_matrix.commands.diagnose import known_word
    from failure_matrix.files import project_folder

    root = project_folder(arguments.matrix)
    loaded = loader.load(arguments.matrix, root)
    matrices = loaded.project.matrices
    if arguments.id is not None:
        known_word("matrix", arguments.id, matrices, arguments.fail)
        matrices = {arguments.id: matrices[arguments.id]}
    base = arguments.base or site_url(root / "mkdocs.yml")
    found = [link for matrix in matrices.values() for link in links(matrix, f"{base.rstrip('/')}/" if base else "")]
    write(as_json(found) if arguments.json else as_text(found), None)
    return 0


def links(matrix: Matrix, base: str) -> Iterator[dict[str, str]]:
    """The addresses of a matrix's pages: triage first, then each thing by its id and by its former ids."""
    from failure_matrix import urls

    served = urls.Urls()
    yield {
        "matrix": matrix.id,
        "kind": "triage",
        "id": "",
        "title": "Which state is it in?",
        "url": base + served.served(urls.triage(matrix)),
    }
    for thing in urls.elements(matrix):
        for name in (thing.id, *thing.aliases):
            yield {
                "matrix": matrix.id,
                "kind": type(thing).__name__.lower(),
                "id": name,
                "title": thing.title,
                "url": base + served.served(urls.alias(matrix, thing, name)),
            }


def as_text(found: list[dict[str, str]]) -> str:
    """One line for each address, with what is there."""
    width = max((len(link["url"]) for link in found), default=0)
    return "".join(f"{link['url']:{width}}  {link['title']}\n" for link in found)


def as_json(found: list[dict[str, str]]) -> str:
    """The addresses for programs. The object has a version; it is only added to while that stays the same."""
    return json.dumps({"version": VERSION, "links": found}, indent=2, ensure_ascii=False) + "\n"
