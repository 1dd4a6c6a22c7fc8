"""What a picture shows, before anything is laid out: states, and arrows merged by the states they join."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from failure_matrix.model import OUTSIDE, Action, Failure, Matrix, State, Transition

Link = Callable[[State | Action | Failure], str]
"""Gives the relative address of the page of a state, an action or a failure."""

START = "(start)"
"""The name of the node that the first arrow comes from. No state can have it as its id."""


@dataclass(frozen=True)
class Diagram:
    """A picture to be drawn, and what it shows in words.

    `id` is unique in a project and prefixes all ids in the drawing. `description` is the text alternative, one
    arrow a line. `omitted` are sentences on what is not drawn. `dot` is the DOT text of the drawing, `narrow`
    that of the one for narrow screens.
    """

    id: str
    title: str
    description: str
    dot: str
    omitted: tuple[str, ...] = ()
    narrow: str = ""


@dataclass(frozen=True)
class Event:
    """What an arrow's label says of one event: a few words in lines, the full title, the address of its page."""

    words: tuple[str, ...]
    title: str
    url: str


@dataclass(frozen=True)
class Arrow:
    """All that leads from one state to another, actions and failures apart."""

    source: str
    target: str
    is_failure: bool
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Picture:
    """The arrows of one picture over the states of the path.

    `along` are the arrows of the path, from the start on; `arrows` all others, none of which stays in its state.
    `faults` are the states that only failures lead to.
    """

    matrix: Matrix
    link: Link
    spine: tuple[str, ...]
    along: tuple[Arrow, ...]
    arrows: tuple[Arrow, ...]
    faults: frozenset[str]

    def sources(self) -> tuple[str, ...]:
        """The states off the drawn path that an arrow leaves, in the author's order."""
        path = set(self.path())
        return tuple(state for state in self.matrix.states if state in self._leaving and state not in path)

    def path(self) -> tuple[str, ...]:
        """The states of the path, where the picture draws it."""
        return self.spine if self.along else ()

    def leaving(self, state: str) -> Sequence[Arrow]:
        """The arrows off the path that leave a state."""
        return self._leaving.get(state, ())

    @cached_property
    def _leaving(self) -> dict[str, list[Arrow]]:
        found: dict[str, list[Arrow]] = {}
        for arrow in self.arrows:
            found.setdefault(arrow.source, []).append(arrow)
        return found

    def is_step(self, arrow: Arrow) -> bool:
        """Whether an arrow takes a step of the path, from the start on."""
        return (arrow.source, arrow.target) in pairwise((START, *self.spine))

    def is_drawn_in_full(self, state: str) -> bool:
        """Whether a state's own arrows are in the picture, so that any other box of it only repeats it."""
        return (bool(self.along) and state in self.spine) or bool(self.leaving(state))


def words(event: Action | Failure) -> tuple[str, ...]:
    """The short label of an action or a failure: its id in words."""
    return (words_of(event.id),)


def words_and_actor(event: Action | Failure) -> tuple[str, ...]:
    """The short label of an action with who does it."""
    actor = event.by if isinstance(event, Action) else None
    return (*words(event), f"({words_of(actor.id)})") if actor else words(event)


def words_of(identifier: str) -> str:
    """An id in words."""
    return identifier.replace("-", " ")


def merged(
    transitions: Iterable[Transition], link: Link, label: Callable[[Action | Failure], tuple[str, ...]] = words
) -> tuple[Arrow, ...]:
    """One arrow for all transitions between the same two states, those that stay in their state left out."""
    lines: dict[tuple[str, str, bool], dict[str, Event]] = {}
    for one in transitions:
        if one.source != one.target:
            event = Event(label(one.event), one.event.title, link(one.event))
            lines.setdefault((one.source, one.target, one.is_failure), {})[one.event.id] = event
    return tuple(Arrow(*ends, tuple(events.values())) for ends, events in lines.items())


def start_arrow(matrix: Matrix, link: Link) -> Iterator[Arrow]:
    """The arrow that brings a subject in, where the matrix says which one does."""
    if matrix.start:
        action = matrix.start.action
        event = Event(words(action), action.title, link(action))
        yield Arrow(START, matrix.start.state, False, (event,))


def along_the_path(matrix: Matrix, link: Link) -> tuple[Arrow, ...]:
    """The arrows of the path, with all actions that take a step of it."""
    steps = set(pairwise(matrix.spine_states()))
    taking = (one for one in _actions(matrix) if (one.source, one.target) in steps)
    return (*start_arrow(matrix, link), *merged(taking, link))


def faults(matrix: Matrix) -> frozenset[str]:
    """The states that failures lead to and no action does."""
    led_to = [set[str](), set[str]()]
    for one in matrix.transitions():
        if one.source != one.target:
            led_to[one.is_failure].add(one.target)
    entered = {matrix.start.state} if matrix.start else set()
    return frozenset(led_to[True] - led_to[False] - entered - {OUTSIDE})


def _actions(matrix: Matrix) -> Iterator[Transition]:
    return (one for one in matrix.transitions() if not one.is_failure)


def title_of(matrix: Matrix, state: str) -> str:
    """The full title of a state or of what is not one."""
    if state == START:
        return "The start"
    if state == OUTSIDE:
        return "Outside this matrix"
    return matrix.states[state].title


def sentences(matrix: Matrix, arrows: Iterable[Arrow]) -> str:
    """The arrows as text, one a line: what a reader gets who doesn't see the picture."""
    return "\n".join(
        f"{title_of(matrix, arrow.source)} → {title_of(matrix, arrow.target)}: {_events(arrow)}." for arrow in arrows
    )


def _events(arrow: Arrow) -> str:
    kind = "failure: " if arrow.is_failure else ""
    return kind + "; ".join(event.title for event in arrow.events)
