"""The picture on a state's page: everything that leads to the state, and everything that leads away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from failure_matrix.diagrams.drawing import Drawing, Style
from failure_matrix.diagrams.picture import Diagram, Link, Picture, faults, merged, sentences, start_arrow
from failure_matrix.model import Matrix, Transition

WIDE = Style("LR", nodesep="0.15", ranksep="0.3", leave="e", enter="w", marks_repeats=False)
NARROW = Style("LR", nodesep="0.15", ranksep="0.2", leave="e", enter="w", narrow=True, marks_repeats=False)

MOST = 40
"""The arrows on one side of a state that are drawn; the text names all."""


@dataclass(frozen=True)
class Surroundings:
    """The transitions of a matrix by the states that they join, found once for all of its states."""

    arriving: dict[str, list[Transition]]
    leaving: dict[str, list[Transition]]
    spine: tuple[str, ...]
    faults: frozenset[str]


def neighbourhood(matrix: Matrix, state_id: str, link: Link) -> Diagram:
    """Everything that leads to one state and away from it, actions and failures."""
    return _diagram(matrix, state_id, link, _surroundings(matrix))


def neighbourhoods(matrix: Matrix, link: Link) -> Iterator[Diagram]:
    """The neighbourhood of each state, in the author's order: quicker than one after the other."""
    surroundings = _surroundings(matrix)
    return (_diagram(matrix, state, link, surroundings) for state in matrix.states)


def _surroundings(matrix: Matrix) -> Surroundings:
    found = Surroundings({}, {}, matrix.spine_states(), faults(matrix))
    for one in matrix.transitions():
        found.arriving.setdefault(one.target, []).append(one)
        found.leaving.setdefault(one.source, []).append(one)
    return found


def _diagram(matrix: Matrix, state: str, link: Link, found: Surroundings) -> Diagram:
    entering = start_arrow(matrix, link) if matrix.start and matrix.start.state == state else ()
    before = (*entering, *merged(found.arriving.get(state, ()), link))
    after = merged(found.leaving.get(state, ()), link)
    picture = Picture(matrix, link, found.spine, (), (*before[:MOST], *after[:MOST]), found.faults)
    identifier = f"{matrix.id}--at--{state}"
    return Diagram(
        identifier,
        f"What leads to “{matrix.states[state].title}” and away from it",
        sentences(matrix, (*before, *after)),
        _three_columns(picture, identifier, state),
        tuple(_omitted(matrix, state, found, len(before), len(after))),
        _two_stars(picture, f"{identifier}--narrow", state),
    )


def _three_columns(picture: Picture, identifier: str, state: str) -> str:
    """The state in the middle, what leads to it on the left, what leads away on the right."""
    drawing = Drawing(picture, identifier, WIDE)
    drawing.state(state, state, "fm-here")
    _before(drawing, state)
    _after(drawing, state, state)
    return drawing.text


def _two_stars(picture: Picture, identifier: str, state: str) -> str:
    """What leads to the state above what leads away from it: the state twice, and half as wide."""
    drawing = Drawing(picture, identifier, NARROW)
    sources = _before(drawing, state)
    lower = f"{state}--away" if sources else state
    if sources:
        drawing.state(state, state, "fm-here")
    if not sources or picture.leaving(state):
        drawing.state(lower, state, "fm-here")
        _after(drawing, state, lower)
        for last in sources[-1:]:
            drawing.same_rank((last, lower))
            drawing.unseen(last, lower)
    return drawing.text


def _before(drawing: Drawing, state: str) -> list[str]:
    """Draw what leads to the state. Returns the nodes of the states that it comes from, from top to bottom."""
    arrows = [arrow for arrow in drawing.picture.arrows if arrow.target == state]
    for arrow in arrows:
        drawing.state(arrow.source, arrow.source)
        drawing.arrow(arrow, state)
    return list(dict.fromkeys(arrow.source for arrow in arrows))


def _after(drawing: Drawing, state: str, name: str) -> None:
    for arrow in drawing.picture.leaving(state):
        target = f"{arrow.target}--target"
        drawing.state(target, arrow.target)
        drawing.arrow(arrow, target, name)


def _omitted(matrix: Matrix, state: str, found: Surroundings, before: int, after: int) -> Iterator[str]:
    staying = _titles(one for one in found.leaving.get(state, ()) if one.target == state)
    if staying:
        yield f"Stays in this state: {'; '.join(staying)}."
    forbidden = [cell.action.title for cell in matrix.states[state].forbidden]
    if forbidden:
        yield f"Forbidden here: {'; '.join(forbidden)}."
    if max(before, after) > MOST:
        yield f"The picture shows {MOST} arrows on each side; the text names all {before + after}."


def _titles(transitions: Iterable[Transition]) -> list[str]:
    return list(dict.fromkeys(one.event.title for one in transitions))
