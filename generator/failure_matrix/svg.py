"""DOT to inline SVG: the only module that runs a program for drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from failure_matrix.diagrams import Diagram


@dataclass(frozen=True)
class Engine:
    """A Graphviz program: how it is called, and what it says its version is."""

    command: tuple[str, ...]
    version: str


def find_engine(chosen: str | None = None) -> Engine:
    """The Graphviz program to use: the chosen one, `graphviz-pure` of this environment, or `dot` on the PATH.

    Raises `NoEngine` where there is none, or where the chosen one does not run.
    """
    raise NotImplementedError


def draw(diagrams: Sequence[Diagram], engine: Engine, cache: Path | None = None, limit: float = 10) -> dict[str, str]:
    """Markup for each diagram, by its id: inline SVG, or a list of its arrows where drawing took too long.

    `cache` is a folder that keeps drawings; `limit` is in seconds for one drawing.
    """
    raise NotImplementedError


def figure(diagram: Diagram, svg: str) -> str:
    """The whole `<figure>`: the drawing, its caption, a button to enlarge it, and the arrows as text."""
    raise NotImplementedError
