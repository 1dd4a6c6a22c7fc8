"""The matrix's own observations, asked of a real database and a real folder of files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from failure_matrix.decision_table import DecisionTable
from failure_matrix.evidence.connection import Result
from failure_matrix.evidence.statements import MissingParameter, Parameter, bind, fill
from failure_matrix.landing import Ground
from failure_matrix.model import OUTSIDE, Interval, Matrix, Observation, Pattern

ABSENT, PRESENT, DAMAGED = "absent", "present", "damaged"
"""The values of an observation of a file: not there, there, there with another digest than the recorded one."""

REASONS = {"42501": "not allowed", "57014": "timed out"}

Ask = Callable[[Sequence[str]], list[Result]]
"""Runs queries and gives the result of each."""


class OutOfStore(ValueError):
    """A file's name leads out of the folder that files are looked for in."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What was seen of a subject.

    `values` has the observations that gave a value of their list, `unknown` the reasons why the others did not.
    `states` are the ids of the states that are left, or the outside: none for an impossible combination, or for one
    that no state has.
    """

    values: Mapping[str, str]
    unknown: Mapping[str, str]
    states: tuple[str, ...]

    @property
    def state(self) -> str | None:
        """The state, where what was seen leaves exactly one."""
        return self.states[0] if len(self.states) == 1 else None

    @property
    def is_complete(self) -> bool:
        """Whether every observation gave a value."""
        return not self.unknown


class Observer:
    """Asks a matrix's observations. `store` is the folder that files are looked for in, where there is one."""

    def __init__(self, matrix: Matrix, table: DecisionTable, store: Path | None) -> None:
        self._matrix = matrix
        self._table = table
        self._store = store
        self._ground = Ground(matrix, table)

    def observe(self, ask: Ask, subject: Mapping[str, Parameter]) -> Observed:
        """What is seen of one subject, which is given by its parameters."""
        return self.observe_all(ask, [subject])[0]

    def observe_all(self, ask: Ask, subjects: Sequence[Mapping[str, Parameter]]) -> list[Observed]:
        """What is seen of several subjects, with all queries asked at once."""
        queries = [sql for subject in subjects for _, sql in self.queries(subject)]
        answers = iter(ask(queries))
        return [self._observed(subject, answers) for subject in subjects]

    def queries(self, subject: Mapping[str, Parameter]) -> Iterator[tuple[Observation, str]]:
        """The queries that `observe` asks of a subject, in their order, each with its observation."""
        for observation in self._matrix.observations.values():
            if sql := _query(observation, subject):
                yield observation, sql

    def _observed(self, subject: Mapping[str, Parameter], answers: Iterator[Result]) -> Observed:
        values, unknown = dict[str, str](), dict[str, str]()
        for observation in self._matrix.observations.values():
            try:
                answer = next(answers) if _query(observation, subject) else None
                value, reason = self._value(observation, subject, answer)
            except (MissingParameter, OutOfStore) as wrong:
                value, reason = "", str(wrong)
            if reason:
                unknown[observation.id] = reason
            else:
                values[observation.id] = value
        return Observed(values, unknown, self._states(values, complete=not unknown))

    def _states(self, values: Mapping[str, str], complete: bool) -> tuple[str, ...]:
        if not complete:
            known = Pattern({name: (value,) for name, value in values.items()})
            outside = (OUTSIDE,) if self._ground.entries((known,)) else ()
            return (*self._table.states_left(known), *outside)
        state = self._table.state_of(values)
        if state is None and self._is_outside(values):
            return (OUTSIDE,)
        return () if state is None else (state,)

    def _is_outside(self, combination: Mapping[str, str]) -> bool:
        patterns = self._table.patterns
        ruled_out = patterns.index.touching(patterns.space.point(combination)) & patterns.of_impossible
        return bool(ruled_out) and not ruled_out & self._ground.inside

    def _value(
        self, observation: Observation, subject: Mapping[str, Parameter], answer: Result | None
    ) -> tuple[str, str]:
        """The value, or the reason why there is none."""
        if answer is not None and answer.failed:
            return "", REASONS.get(answer.sqlstate, answer.message)
        if observation.file:
            if self._store is None:
                return "", "its file has to be looked for"
            value: str | None = _value_of_file(self._store, fill(observation.file, subject), _only_cell(answer))
        elif answer is not None:
            value = _answered(observation, _only_cell(answer))
        else:
            bind(observation.sql, subject)  # says which parameter has no value
            return "", f"has to be asked ({observation.source.kind if observation.source else 'no source'})"
        if value not in observation.value_ids:
            return "", "no value" if value is None else f"gave {value!r}, which is none of its values"
        return str(value), ""


def _value_of_file(store: Path, name: str, recorded: str | None) -> str:
    file = path_in(store, name)
    if not file.is_file():
        return ABSENT
    return PRESENT if recorded in (None, digest_of(file)) else DAMAGED


def _query(observation: Observation, subject: Mapping[str, Parameter]) -> str:
    """The query behind an observation; empty where it has none or a parameter of it is missing."""
    try:
        return bind(observation.digest if observation.file else observation.sql, subject)
    except MissingParameter:
        return ""


def _only_cell(result: Result | None) -> str | None:
    if result is None or not result.rows or not result.rows[0] or result.rows[0][0] is None:
        return None
    return str(result.rows[0][0])


def _answered(observation: Observation, cell: str | None) -> str | None:
    """The value that an answer stands for: the answer itself, or the range that its number lies in."""
    if cell is None or not observation.is_ranged:
        return cell
    try:
        number = Fraction(cell)
    except ValueError:
        return cell
    return next((value.id for value in observation.values if _contains(value.interval, number)), cell)


def _contains(interval: Interval | None, number: Fraction) -> bool:
    if interval is None:
        return False
    after_low = interval.low is None or interval.low <= (number, 0)
    return after_low and (interval.high is None or (number, 1) <= interval.high)


def path_in(store: Path, name: str) -> Path:
    """The path of a file in the store. Raises `OutOfStore` where the name leads out of it."""
    path = (store / name).resolve()
    if not path.is_relative_to(store.resolve()):
        raise OutOfStore(f"{name!r} leads out of the store.")
    return path


def digest_of(file: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def one_by_one(look: Callable[[str], Result]) -> Ask:
    """An `Ask` that runs each query by itself, so that one that fails leaves the others alone."""

    def ask(queries: Iterable[str]) -> list[Result]:
        return [look(query) for query in queries]

    return ask
