"""States and arrows: what can be reached, what ends, and what goes in circles. Everything in linear time.

An arrow is *permitted* when it is an action, and merely *happens* when it is a failure. An end is where a subject may
stay: a terminal state, the outside, and the last state of `path`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from failure_matrix.model import OUTSIDE, Matrix, Transition

Arrows = Mapping[str, tuple[str, ...]]
"""The targets of each state that has any."""


@dataclass(frozen=True, slots=True)
class Circle:
    """States that lead to each other by permitted actions and to nothing else, and the failures that lead out."""

    states: tuple[str, ...]
    exits: tuple[Transition, ...]


def arrows(transitions: Iterable[Transition]) -> Arrows:
    """The targets that each state leads to, without those that stay in their state."""
    found: dict[str, dict[str, None]] = {}
    for arrow in transitions:
        if arrow.source != arrow.target:
            found.setdefault(arrow.source, {})[arrow.target] = None
    return {source: tuple(targets) for source, targets in found.items()}


def permitted(matrix: Matrix) -> Arrows:
    """The arrows that are permitted actions."""
    return arrows(arrow for arrow in matrix.transitions() if not arrow.is_failure)


def reverse(by: Arrows) -> Arrows:
    """The same arrows the other way round."""
    found: dict[str, list[str]] = {}
    for source, targets in by.items():
        for target in targets:
            found.setdefault(target, []).append(source)
    return {target: tuple(sources) for target, sources in found.items()}


def reached(sources: Iterable[str], by: Arrows) -> set[str]:
    """The states that some states lead to, themselves included."""
    found: set[str] = set()
    _reach(found, sources, by)
    return found


def _reach(found: set[str], sources: Iterable[str], by: Arrows) -> list[str]:
    """Add to what was found what some states lead to, and themselves; return what is new."""
    new: list[str] = []
    waiting = list(sources)
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            new.append(state)
            waiting += by.get(state, ())
    return new


def reachable(matrix: Matrix) -> set[str]:
    """The states that actions and failures lead to from the first one; all of them where there is no start."""
    if matrix.start is None:
        return set(matrix.states)
    return reached([matrix.start.state], arrows(matrix.transitions())) & set(matrix.states)


def unreachable(matrix: Matrix) -> tuple[str, ...]:
    """The states that neither actions nor failures lead to from the first one.

    One that would be reached if another one were is left out, since it is that one's consequence.
    """
    by, found = arrows(matrix.transitions()), reachable(matrix)
    missed: list[str] = []
    for group in components(matrix.states, by):
        if group[0] not in found:
            missed.append(group[0])
            _reach(found, group, by)
    return _in_order(missed, matrix)


def dead_ends(matrix: Matrix) -> tuple[str, ...]:
    """The states that nothing leads out of, neither action nor failure, and that aren't marked terminal."""
    out = arrows(matrix.transitions())
    return tuple(state.id for state in matrix.states.values() if not state.terminal and state.id not in out)


def ends(matrix: Matrix) -> tuple[str, ...]:
    """Where a subject may stay: the terminal states, the last state of `path`, the outside."""
    terminal = [state.id for state in matrix.states.values() if state.terminal]
    completed = matrix.spine_states()[-1:] if matrix.spine else ()
    return tuple(dict.fromkeys([*terminal, *completed, OUTSIDE]))


def without_end(matrix: Matrix) -> tuple[str, ...]:
    """The states from which no permitted actions lead to an end.

    A dead end is left out, and so is a state that would have an end if the one it leads to had: they are the same
    problem seen twice. Of states that lead to each other, the first one stands for all.
    """
    by, dead = permitted(matrix), set(dead_ends(matrix))
    ended = reached([*ends(matrix), *dead], reverse(by))
    stuck = (group for group in components(matrix.states, by) if group[0] not in ended and _stays_in(group, by))
    return _in_order([group[0] for group in stuck], matrix)


def ways_out_of_terminal(matrix: Matrix) -> Iterator[Transition]:
    """The permitted ways out of terminal states that change what has become of the subject.

    A way out does so when it leads to a state of `path`, from where things take their course again, or to one from
    which no permitted actions lead back to a terminal state or outside. Restoring a file beside a cancelled job,
    which can be discarded again, leaves the job cancelled; putting the job back to work does not.
    """
    settled = {OUTSIDE, *(state.id for state in matrix.states.values() if state.terminal)}
    unsettling = set(matrix.spine_states()) - settled
    safe = reached(settled, reverse(permitted(matrix))) - unsettling
    for arrow in matrix.transitions():
        if arrow.source in settled and not arrow.is_failure and arrow.target not in safe:
            yield arrow


def circles(matrix: Matrix) -> tuple[Circle, ...]:
    """The circles of two or more states, without an end among them, that only failures lead out of."""
    by, finished = permitted(matrix), set(ends(matrix))
    of_failures: dict[str, list[Transition]] = {}
    for arrow in matrix.transitions():
        if arrow.is_failure:
            of_failures.setdefault(arrow.source, []).append(arrow)
    found: list[Circle] = []
    for group in components(matrix.states, by):
        if len(group) > 1 and finished.isdisjoint(group) and _stays_in(group, by):
            inside = set(group)
            failures = (arrow for state in group for arrow in of_failures.get(state, ()))
            found.append(Circle(group, tuple(arrow for arrow in failures if arrow.target not in inside)))
    return tuple(circle for circle in found if circle.exits)


def components(states: Collection[str], by: Arrows) -> Iterator[tuple[str, ...]]:
    """The groups of states that lead to each other, each in the order given.

    A group comes before those that it leads to. (Kosaraju: backwards along the arrows, in the order in which a walk
    along them left the states, last first.)
    """
    place = {state: n for n, state in enumerate(states)}
    back = reverse(by)
    seen: set[str] = set()
    for root in reversed(_order_of_leaving(states, by)):
        if root in seen or root not in place:
            continue
        yield tuple(sorted(_reach(seen, [root], back), key=place.__getitem__))


def _order_of_leaving(states: Iterable[str], by: Arrows) -> list[str]:
    """The states in the order in which a walk along the arrows, depth first, is done with them."""
    seen: set[str] = set()
    left: list[str] = []
    for root in states:
        if root in seen:
            continue
        seen.add(root)
        way = [(root, iter(by.get(root, ())))]
        while way:
            target = next((each for each in way[-1][1] if each not in seen), None)
            if target is None:
                left.append(way.pop()[0])
            else:
                seen.add(target)
                way.append((target, iter(by.get(target, ()))))
    return left


def _stays_in(group: Collection[str], by: Arrows) -> bool:
    """Whether no arrow leads out of a group."""
    inside = set(group)
    return all(inside.issuperset(by.get(state, ())) for state in group)


def _in_order(states: Iterable[str], matrix: Matrix) -> tuple[str, ...]:
    """Some states, in the author's order."""
    wanted = set(states)
    return tuple(state for state in matrix.states if state in wanted)
