"""One picture a question: life, failures, recovery. Each takes from a matrix the arrows that answer it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from failure_matrix.diagrams.across import across
from failure_matrix.diagrams.columns import column, columns
from failure_matrix.diagrams.picture import (
    Arrow,
    Diagram,
    Link,
    Picture,
    along_the_path,
    faults,
    merged,
    sentences,
    words_and_actor,
)
from failure_matrix.model import Matrix, Transition


@dataclass(frozen=True)
class Answer:
    """The picture that answers a question, and what it leaves out.

    `staying` has a sentence for each state on what happens in it without leaving it; `omitted` overrides it.
    """

    kind: str
    title: str
    picture: Picture
    staying: Mapping[str, str] = field(default_factory=dict)
    omitted: tuple[str, ...] | None = None


def life(matrix: Matrix, link: Link) -> Diagram:
    """What people and programs do along the path; everything they do where a matrix has no path."""
    return diagram(_life(matrix, link))


def failures(matrix: Matrix, link: Link) -> Diagram:
    """What happens to people and programs, over the same path."""
    return diagram(_failures(matrix, link))


def recovery(matrix: Matrix, link: Link) -> Diagram | None:
    """What is undone or repaired, and by whom; None where nothing is."""
    answer = _recovery(matrix, link)
    return diagram(answer) if answer.picture.arrows else None


def diagram(answer: Answer) -> Diagram:
    """An answer laid out: across where the page has room for it, in columns otherwise."""
    picture, identifier = answer.picture, f"{answer.picture.matrix.id}--{answer.kind}"
    return Diagram(
        identifier,
        answer.title,
        sentences(picture.matrix, (*picture.along, *picture.arrows)),
        across(picture, identifier) or columns(picture, identifier),
        tuple(answer.staying.values()) if answer.omitted is None else answer.omitted,
        column(picture, f"{identifier}--narrow"),
    )


def _life(matrix: Matrix, link: Link) -> Answer:
    chosen = [one for one in matrix.transitions() if not one.is_failure and _is_along(matrix, one.source)]
    along = along_the_path(matrix, link)
    steps = {(arrow.source, arrow.target) for arrow in along}
    arrows = (one for one in merged(chosen, link) if (one.source, one.target) not in steps)
    return Answer("life", "Life: what people and programs do", _picture(matrix, link, arrows), _staying(matrix, chosen))


def _failures(matrix: Matrix, link: Link) -> Answer:
    chosen = [one for one in matrix.transitions() if one.is_failure]
    picture = _picture(matrix, link, merged(chosen, link))
    return Answer("failures", "Failures: what happens to them", picture, _staying(matrix, chosen))


def _recovery(matrix: Matrix, link: Link) -> Answer:
    undone = {action.undo.do for action in matrix.actions.values() if action.undo}
    chosen = [one for one in matrix.transitions() if not one.is_failure and _recovers(matrix, one, undone)]
    picture = _picture(matrix, link, merged(chosen, link, words_and_actor))
    title = "Recovery: what is undone or repaired, and by whom"
    return Answer("recovery", title, picture, _staying(matrix, chosen))


QUESTIONS: tuple[Callable[[Matrix, Link], Answer], ...] = (_life, _failures, _recovery)
"""All questions of an overview, in the order in which a reader has them."""


def _is_along(matrix: Matrix, state: str) -> bool:
    spine = matrix.spine_states()
    return len(spine) < 2 or state in spine


def _recovers(matrix: Matrix, one: Transition, undone: Collection[str]) -> bool:
    """Whether an action leaves a state off the path, or takes a step back as a state or another action has it."""
    reversals = {reversal.do.id for reversal in matrix.states[one.source].reversals}
    return not _is_along(matrix, one.source) or one.event.id in reversals or one.event.id in undone


def _picture(matrix: Matrix, link: Link, arrows: Iterable[Arrow]) -> Picture:
    return Picture(matrix, link, matrix.spine_states(), along_the_path(matrix, link), tuple(arrows), faults(matrix))


def _staying(matrix: Matrix, transitions: Collection[Transition]) -> dict[str, str]:
    """What happens in each state without leaving it, as a sentence by the state's id."""
    staying: dict[str, list[str]] = {}
    for one in transitions:
        if one.source == one.target:
            staying.setdefault(one.source, []).append(one.event.title)
    return {state: f"Stays in {matrix.states[state].title}: {'; '.join(titles)}." for state, titles in staying.items()}
