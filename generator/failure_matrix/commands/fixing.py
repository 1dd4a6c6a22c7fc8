"""`check --fix`: mends files in place, and takes a mend back where it makes things worse."""

from __future__ import annotations

import os
import sys
import tempfile
from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path

from failure_matrix import loader
from failure_matrix.commands.output import CannotWrite
from failure_matrix.fix import mended
from failure_matrix.report import counted


def fix(folder: Path, root: Path, wanted: set[str]) -> None:
    """Mend what is safe to mend in the matrices of a folder, and say on standard error what was done.

    `wanted` are the numbers of the rules whose problems are mended; none means all. A mend can uncover a problem
    that can be mended in turn, so it goes on for as long as there are fewer problems than before.
    """
    loaded = loader.load(folder, root)
    first = len(loaded.problems)
    while changes := mended(loaded.project.texts, (each for each in loaded.problems if chosen(each.rule, wanted))):
        after = tried(changes, loaded, folder, root)
        if after is None:
            print("Another mend would have caused new problems, so it was not made.", file=sys.stderr)
            break
        loaded = after
    if first > len(loaded.problems):
        print(f"Mended {counted(first - len(loaded.problems), 'problem')}.", file=sys.stderr)


def chosen(rule: str, wanted: set[str]) -> bool:
    """Whether the problems of a rule are to be mended."""
    return not wanted or rule in wanted


def tried(changes: Mapping[str, str], before: loader.Loaded, folder: Path, root: Path) -> loader.Loaded | None:
    """What is read after the changes; None, and the files as they were, where that is not better than before."""
    originals = {path: (root / path).read_bytes() for path in changes}
    for path, text in changes.items():
        marked = originals[path].startswith(BOM_UTF8) and not text.startswith("\ufeff")
        replace(root / path, (BOM_UTF8 if marked else b"") + text.encode())
    after = loader.load(folder, root)
    if len(after.problems) < len(before.problems):
        return after
    for path, content in originals.items():
        replace(root / path, content)
    return None


def replace(file: Path, content: bytes) -> None:
    """Replace a file's content in one step, so that nobody ever reads half of it. A link stays a link."""
    target = file.resolve()
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "wb") as new:
            new.write(content)
        Path(name).chmod(target.stat().st_mode)
        Path(name).replace(target)
    except OSError as reason:
        raise CannotWrite(f"Cannot write {file}: {reason.strerror}.") from reason
