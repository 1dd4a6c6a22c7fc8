"""Small matrices in a few lines: patterns are written as the messages write them, `job=ready, file=absent|damaged`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from failure_matrix.model import (
    Action,
    Change,
    Changes,
    Failure,
    Impossible,
    Matrix,
    Observation,
    Outcome,
    Pattern,
    Permission,
    Prohibition,
    Start,
    State,
    Value,
)


def pattern(text: str) -> Pattern:
    """`job=ready, file=absent|damaged` as a pattern; nothing is any combination."""
    parts = (part.split("=") for part in text.replace(" ", "").split(",") if part)
    return Pattern({name: tuple(values.split("|")) for name, values in parts})


def patterns(*texts: str) -> tuple[Pattern, ...]:
    return tuple(map(pattern, texts))


def observations(**values: str) -> dict[str, Observation]:
    """`job="ready running"`."""
    return {
        name: Observation(name, name, tuple(Value(value, value) for value in text.split()))
        for name, text in values.items()
    }


def sets(text: str) -> Changes:
    """`job=ready`, or `generation=none>current` for a single old value."""
    changes = {}
    for name, values in pattern(text).values.items():
        old, arrow, new = "|".join(values).partition(">")
        changes[name] = Change(by={old: tuple(new.split("|"))}) if arrow else Change(to=values)
    return changes


def action(name: str, requires: str | tuple[str, ...] = (), changes: str = "") -> Action:
    required = (requires,) if isinstance(requires, str) else requires
    return Action(name, name, requires=patterns(*required), sets=sets(changes))


def state(
    name: str,
    *when: str,
    permitted: tuple[tuple[Action, str], ...] = (),
    forbidden: tuple[Action, ...] = (),
    terminal: bool = False,
) -> State:
    """`permitted` are pairs of an action and its targets, `"leased taken-over"`."""
    return State(
        name,
        name,
        patterns(*when),
        permitted=tuple(Permission(each, tuple(targets.split())) for each, targets in permitted),
        forbidden=tuple(Prohibition(each, "because") for each in forbidden),
        terminal=terminal,
    )


def outcome(in_state: str, to: str, changes: str = "", requires: tuple[str, ...] = ()) -> Outcome:
    return Outcome(in_state, tuple(to.split()), requires=patterns(*requires), sets=sets(changes))


def failure(name: str, *outcomes: Outcome) -> Failure:
    return Failure(name, name, outcomes=outcomes)


def matrix(
    known: Mapping[str, Observation],
    *states: State,
    impossible: tuple[str | tuple[str, ...], ...] = (),
    actions: tuple[Action, ...] = (),
    failures: tuple[Failure, ...] = (),
    start: tuple[Action, str] | None = None,
    path: tuple[Action, ...] = (),
) -> Matrix:
    """Actions that a state decides about are added by themselves."""
    decided = [cell.action for each in states for cell in (*each.permitted, *each.forbidden)]
    clauses = ((clause,) if isinstance(clause, str) else clause for clause in impossible)
    return Matrix(
        "small",
        "Small",
        "matrix/small.yml",
        {each.id: each for each in states},
        known,
        {each.id: each for each in (*actions, *decided, *path)},
        start=Start(*start) if start else None,
        spine=path,
        impossible=tuple(Impossible(patterns(*clause), "because") for clause in clauses),
        failures={each.id: each for each in failures},
    )


def combinations(known: Mapping[str, Observation]) -> Iterator[dict[str, str]]:
    """All of them, one by one: what the proof must agree with."""
    for values in product(*(observation.value_ids for observation in known.values())):
        yield dict(zip(known, values, strict=True))


def is_ruled_out(small: Matrix, combination: Mapping[str, str]) -> bool:
    return any(each.covers(combination) for clause in small.impossible for each in clause.when)


def states_covering(small: Matrix, combination: Mapping[str, str]) -> list[str]:
    return [each.id for each in small.states.values() if any(when.covers(combination) for when in each.when)]
