"""Where a command's output goes: standard output or a file, in colour or not, and progress while one waits."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from failure_matrix.errors import CannotGoOn

PATIENCE = 1.0
"""Seconds after which a user wonders what the program does."""


class CannotWrite(CannotGoOn):
    """A file could not be written."""


def write(text: str, file: Path | None) -> None:
    """Write a text to a file, in UTF-8, or to standard output where there is none."""
    if file is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        sys.stdout.write(text)
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    except OSError as reason:
        raise CannotWrite(f"Cannot write {file}: {reason.strerror}.") from reason


def wants_colour(choice: str, stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a stream gets colour, by the choice of the command line: `auto`, `always` or `never`.

    `auto` follows NO_COLOR and FORCE_COLOR where they are set and not empty, and takes colour for a terminal.
    """
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


@contextmanager
def progress(doing: str) -> Iterator[None]:
    """Say on standard error what is being done, once it takes longer than a second, if somebody is watching."""
    if not sys.stderr.isatty():
        yield
        return
    shown = threading.Event()
    timer = threading.Timer(PATIENCE, say, (doing, shown))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if shown.is_set():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def say(doing: str, shown: threading.Event) -> None:
    """Print what is being done, in a line that is wiped afterwards."""
    sys.stderr.write(f"{doing} …")
    sys.stderr.flush()
    shown.set()
