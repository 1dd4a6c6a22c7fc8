"""Drawings kept in a folder, by what they were made from. Several builds may use it at the same time."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from failure_matrix.diagrams import Diagram
from failure_matrix.svg.engine import Engine

RECIPE = "3"
"""Changes whenever a drawing is cleaned in another way, so that older entries are not found any more."""


def key(diagram: Diagram, engine: Engine) -> str:
    """The name of a diagram's entry: the same only for the same texts drawn by the same engine."""
    made_from = (RECIPE, engine.version, diagram.id, diagram.title, diagram.dot, diagram.narrow)
    return hashlib.sha256("\0".join(made_from).encode()).hexdigest()


def read(folder: Path, name: str) -> str | None:
    """The markup of an entry; None where there is none, or where it was not written to its end."""
    try:
        text = (folder / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    checksum, _, markup = text.partition("\n")
    return markup if checksum == _checksum(markup) else None


def write(folder: Path, name: str, markup: str) -> None:
    """Keep an entry, all at once. Without room or rights for it, the next build draws again."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="", dir=folder, delete=False) as file:
            file.write(f"{_checksum(markup)}\n{markup}")
        Path(file.name).replace(folder / name)
    except OSError:
        return


def _checksum(markup: str) -> str:
    return hashlib.sha256(markup.encode()).hexdigest()
