"""The box of all combinations, cut into what is one state's, what is several states', and gaps."""

from __future__ import annotations

from dataclasses import dataclass

from failure_matrix.boxes import Box, Budget, Members, OutOfBudget
from failure_matrix.model import Matrix
from failure_matrix.patterns import Patterns


@dataclass
class Parts:
    """What the box of all combinations was cut into: each state's boxes, gaps, and what several states share.

    What is shared has the patterns that touch it beside it. `complete` is false where the budget ran out.
    """

    owned: dict[str, list[Box]]
    gaps: list[Box]
    shared: list[tuple[Box, Members]]
    complete: bool = False


def cut_up(matrix: Matrix, patterns: Patterns, budget: Budget) -> Parts:
    """Cut the box of all combinations into what is ruled out, gaps, and what is one state's or several states'."""
    parts = Parts({state: [] for state in matrix.states}, [], [])
    pieces = patterns.index.pieces(patterns.space.whole, patterns.settled, budget, mainly=patterns.of_states)
    try:
        for box, touching, covering in pieces:
            if not covering & patterns.of_impossible:
                _sort_in(parts, patterns, box, touching, budget)
    except OutOfBudget:
        return parts
    parts.complete = True
    return parts


def _sort_in(parts: Parts, patterns: Patterns, box: Box, touching: Members, budget: Budget) -> None:
    """Add a box to the gaps, to its state, or to what several states share if that is possible.

    Raises `OutOfBudget`.
    """
    match patterns.states_in(touching):
        case ():
            parts.gaps.append(box)
        case (state,):
            parts.owned[state].append(box)
        case _:
            possible = next(patterns.impossible.uncovered(box, budget), None)
            if possible is not None:
                parts.shared.append((possible, touching))
