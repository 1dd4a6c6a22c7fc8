"""The pictures of a matrix's overview page. Those of a large matrix are drawn in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from failure_matrix.diagrams.picture import Diagram, Link, Picture
from failure_matrix.diagrams.questions import QUESTIONS, Answer, diagram
from failure_matrix.model import Matrix

MOST_STATES = 40
"""The states with arrows of their own in one picture."""

MOST_NODES = 150
"""The boxes in one picture. Beyond that an engine takes seconds, and a reader doesn't find anything."""

MOST_PARTS = 4
"""The pictures of one question. A page that has more of them is no overview."""


def overview(matrix: Matrix, link: Link) -> tuple[Diagram, ...]:
    """Life, failures and recovery, each in as many parts as it takes to stay legible; none that shows nothing."""
    answers = [question(matrix, link) for question in QUESTIONS]
    return tuple(
        part for answer in answers if answer.picture.arrows or answer.kind == "life" for part in _parts(answer)
    )


def _parts(answer: Answer) -> Iterator[Diagram]:
    pictures = _split(answer.picture)
    if len(pictures) == 1:
        yield diagram(answer)
        return
    for number, picture in enumerate(pictures[:MOST_PARTS], start=1):
        names = [picture.matrix.states[state].label for state in (*picture.path(), *picture.sources())]
        yield diagram(
            replace(
                answer,
                picture=picture,
                kind=f"{answer.kind}-{number}",
                title=f"{answer.title} ({number} of {len(pictures)}: {names[0]} to {names[-1]})",
                omitted=tuple(_notes(answer, picture, number, len(pictures))),
            )
        )


def _notes(answer: Answer, picture: Picture, number: int, parts: int) -> Iterator[str]:
    """The notes of one part: those on its own states, and what the other parts are."""
    states = len(answer.picture.matrix.states)
    yield f"The matrix has {states} states, so this picture is drawn in {parts} parts, in the author's order."
    if number == MOST_PARTS < parts:
        yield f"Parts {number + 1} to {parts} are not drawn. Each state's page has a picture of its own."
    own = {*picture.path(), *picture.sources()}
    yield from (note for state, note in answer.staying.items() if state in own)


def _split(picture: Picture) -> list[Picture]:
    """A picture in parts, the first one with the path, each with all arrows of its states."""
    parts: list[list[str]] = [list(picture.path())]
    for state in picture.sources():
        if _is_full(picture, [*parts[-1], state]):
            parts.append([])
        parts[-1].append(state)
    return [_only(picture, part, first=part is parts[0]) for part in parts if part]


def _is_full(picture: Picture, states: list[str]) -> bool:
    nodes = len(states) + sum(len(picture.leaving(state)) for state in states)
    return len(states) > MOST_STATES or nodes > MOST_NODES


def _only(picture: Picture, states: list[str], first: bool) -> Picture:
    arrows = tuple(arrow for state in states for arrow in picture.leaving(state))
    return replace(picture, arrows=arrows, along=picture.along if first else ())
