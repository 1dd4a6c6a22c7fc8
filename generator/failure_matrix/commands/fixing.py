"""`check --fix`: mends files in place, once the mended texts have been read and found to be better."""

from __future__ import annotations

import os
import sys
import tempfile
from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path

from failure_matrix import files
from failure_matrix.commands.output import CannotWrite
from failure_matrix.fix import mended
from failure_matrix.loader import Loaded, load_texts
from failure_matrix.report import counted


def fix(folder: Path, root: Path, wanted: set[str]) -> None:
    """Mend what is safe to mend in the matrices of a folder, and say on standard error what was done.

    `wanted` are the numbers of the rules whose problems are mended; none means all.
    """
    found = files.yaml_files(folder, root)
    before = load_texts(found.texts, files.reader(root), found.broken)
    after = better(before, found, root, wanted)
    for path, content in found.texts.items():
        text = after.project.texts.get(path, "")
        if text != before.project.texts.get(path, ""):
            replace(root / path, (BOM_UTF8 if content.startswith(BOM_UTF8) else b"") + text.encode())
    fewer = len(before.problems) - len(after.problems)
    if fewer:
        print(f"Mended {counted(fewer, 'problem')}.", file=sys.stderr)


def better(loaded: Loaded, found: files.Found, root: Path, wanted: set[str]) -> Loaded:
    """What is read after the mends. A mend can uncover a problem that can be mended in turn.

    It goes on for as long as there are fewer problems than before, so a mend that makes things worse is not made.
    """
    changed: Mapping[str, bytes | str] = found.texts
    while True:
        problems = [problem for problem in loaded.problems if not wanted or problem.rule in wanted]
        changed = {**changed, **mended(loaded.project.texts, problems)}
        after = load_texts(changed, files.reader(root), found.broken)
        if len(after.problems) >= len(loaded.problems):
            return loaded
        loaded = after


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
