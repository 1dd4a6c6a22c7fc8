"""The model to DOT text. Pure: `svg` runs the program that draws it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from failure_matrix.model import Action, Failure, Matrix, State

Link = Callable[[State | Action | Failure], str]
"""Gives the relative address of the page of a state, an action or a failure."""


@dataclass(frozen=True)
class Diagram:
    """A picture to be drawn, and what it shows in words.

    `id` is unique in a project and prefixes all ids in the drawing. `description` is the text alternative, one
    arrow a line. `omitted` are sentences on what is not drawn. `narrow` is the DOT text of the drawing for
    narrow screens.
    """

    id: str
    title: str
    description: str
    dot: str
    omitted: tuple[str, ...] = ()
    narrow: str = ""


def life(matrix: Matrix, link: Link) -> Diagram:
    """What people and programs do along the way."""
    raise NotImplementedError


def failures(matrix: Matrix, link: Link) -> Diagram:
    """What happens to them, over the same spine."""
    raise NotImplementedError


def recovery(matrix: Matrix, link: Link) -> Diagram | None:
    """What is undone or repaired, and by whom; None where nothing is."""
    raise NotImplementedError


def neighbourhood(matrix: Matrix, state_id: str, link: Link) -> Diagram:
    """Everything that leads to one state and away from it."""
    raise NotImplementedError


def overview(matrix: Matrix, link: Link) -> tuple[Diagram, ...]:
    """The diagrams of a matrix's overview page, split so that none is too large to read."""
    raise NotImplementedError
