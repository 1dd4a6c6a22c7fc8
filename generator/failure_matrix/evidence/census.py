"""How many subjects are in each state, and the oldest of each: one query that is made from the decision table.

It asks the observations' queries of each subject that `subjects` lists, and says which states the answers leave, as
`diagnose` does: all that a row of the decision table allows. An observation that the database can't answer, such as
one of a file, leaves states together that only it tells apart; they are counted together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from failure_matrix import sql
from failure_matrix.diagnose import Triage
from failure_matrix.errors import CannotGoOn
from failure_matrix.evidence.looking import Reader
from failure_matrix.evidence.statements import TOKEN, literal, parameters_in
from failure_matrix.model import Interval, Matrix, Observation, Subjects, Value

SINCE = "since"
"""The column by which the oldest subject is found."""

OR = " or "
"""Between states that can't be told apart."""

IMPOSSIBLE = "impossible"
"""What is counted where the answers leave no state."""


class NoSubjects(CannotGoOn):
    """The matrix doesn't say how its subjects are listed, or not so that it can be used."""


@dataclass(frozen=True, slots=True)
class Count:
    """Subjects that are in one of some states, which no asked observation tells apart: how many, and the oldest.

    `states` are ids, the outside among them; none where the answers are impossible. `oldest` is empty where nothing
    tells since when.
    """

    states: tuple[str, ...]
    subjects: int
    oldest: str


@dataclass(frozen=True, slots=True)
class Census:
    """The queries of a matrix's census. `left_out` are the observations that it can't ask."""

    triage: Triage
    subjects: Subjects
    columns: tuple[str, ...]

    @property
    def matrix(self) -> Matrix:
        """The matrix whose subjects are counted."""
        return self.triage.matrix

    @property
    def asked(self) -> tuple[Observation, ...]:
        """The observations that are asked: the source's own, by the parameters that the subjects have."""
        return tuple(each for each in self.matrix.observations.values() if self._can_ask(each))

    @property
    def left_out(self) -> tuple[Observation, ...]:
        """The observations that can't be asked here."""
        return tuple(each for each in self.matrix.observations.values() if not self._can_ask(each))

    def _can_ask(self, observation: Observation) -> bool:
        own = observation.source == self.subjects.source and observation.sql and not observation.file
        return bool(own) and set(parameters_in(observation.sql)) <= set(self.columns)

    def by_subject(self) -> str:
        """The query that gives each subject's columns and its state. `offset 0` lets nothing be asked twice."""
        answers = ",\n    ".join(f"{_answer(each)} as {_name('answer', each)}" for each in self.asked)
        seen = ",\n    ".join(f"{_seen(each)} as {_name('seen', each)}" for each in self.asked)
        states = ",\n    ".join(f"case when {when} then {literal(state)} end" for state, when in self._states())
        listed = ", ".join(f"fm_subject.{_quoted(column)}" for column in self.columns)
        return (
            f"select {listed},\n  coalesce(nullif(concat_ws({literal(OR)},\n    {states}), ''), {literal(IMPOSSIBLE)})"
            f" as state\nfrom (\n{_inner(self.subjects.sql)}\n) as fm_subject\n"
            f"cross join lateral (select\n    {answers or 'null'}\n  offset 0) as fm_answer\n"
            f"cross join lateral (select\n    {seen or 'null'}\n  offset 0) as fm_seen"
        )

    def counting(self) -> str:
        """The query that counts the subjects by state."""
        oldest = f"min({SINCE})" if SINCE in self.columns else "null"
        return f"select state, count(*), {oldest}\nfrom (\n{self.by_subject()}\n) as fm_census\ngroup by state"

    def view(self) -> str:
        """The statement that creates a view of the subjects with their state, and how a dashboard counts by it."""
        name = f"{self.matrix.id.replace('-', '_')}_state"
        oldest = f", min({SINCE})" if SINCE in self.columns else ""
        return (
            f"{''.join(f'-- {line}' + chr(10) for line in self.remarks())}"
            f"-- select state, count(*){oldest} from {name} group by state\n"
            f"create or replace view {name} as\n{self.by_subject()};\n"
        )

    def remarks(self) -> Iterator[str]:
        """What one has to know to read the numbers."""
        yield f"The state of each subject of {self.matrix.id}, made from its decision table."
        for each in self.left_out:
            source = f" ({each.source.id})" if each.source else ""
            yield f"Not asked: {each.id}{source}. States that only it tells apart are counted together."

    def count(self, reader: Reader) -> tuple[Count, ...]:
        """The numbers of a database, in the order of the states. Raises `NoSubjects` where the query fails."""
        result = reader.all(self.counting())
        if result.failed:
            raise NoSubjects(f"The census of {self.matrix.id} can't be taken: {result.message}")
        return tuple(self._ordered(result.rows or ()))

    def _ordered(self, rows: Sequence[Sequence[object]]) -> Iterator[Count]:
        """The counted states, and those that nobody is in, in the author's order; what is impossible at the end."""
        found = {str(state): (int(str(number)), str(oldest or "")) for state, number, oldest in rows}
        counts = [Count(() if state == IMPOSSIBLE else tuple(state.split(OR)), *its) for state, its in found.items()]
        counts += [Count((state,), 0, "") for state in self.matrix.states if state not in found]
        order = {state: place for place, state in enumerate(self.matrix.states)}
        yield from sorted(counts, key=lambda count: [order.get(state, len(order)) for state in count.states] or [9**9])

    def _states(self) -> Iterator[tuple[str, str]]:
        """Each state, the outside too, with the condition on what was seen that leaves it."""
        found: dict[str, dict[str, None]] = {}
        for place in self.triage.places:
            pattern = self.triage.space.pattern(place.box)
            found.setdefault(place.state, {})[_condition(pattern, self.asked)] = None
        for state, conditions in found.items():
            yield state, "true" if "true" in conditions else f"({' or '.join(conditions)})"


def census(triage: Triage) -> Census:
    """The census of a matrix. Raises `NoSubjects` where it doesn't say how its subjects are listed."""
    subjects, id = triage.matrix.subjects, triage.matrix.id
    if subjects is None:
        raise NoSubjects(f"{id} does not say how its subjects are listed. Add `subjects`, with a source and a query.")
    columns = sql.columns(subjects.sql)
    if not columns or not all(columns) or "*" in columns:
        raise NoSubjects(f"The columns of the subjects of {id} have no names that can be read. Write each with `as`.")
    return Census(triage, subjects, columns)


def _condition(pattern: Mapping[str, tuple[str, ...]], asked: Sequence[Observation]) -> str:
    """Whether what was seen of a subject fits a pattern. What is unknown fits."""
    parts = [
        f"coalesce({_name('seen', each)} in ({', '.join(map(literal, pattern[each.id]))}), true)"
        for each in asked
        if each.id in pattern
    ]
    return " and ".join(parts) or "true"


def _answer(observation: Observation) -> str:
    """An observation's query about a subject, as text: as it would be read by a client, of the first row."""
    query = _inner(_about_subject(observation.sql))
    return f"format('%s', (select fm_value from (\n{query}\n) as fm_query(fm_value) limit 1))"


def _about_subject(query: str) -> str:
    """A query with the subject's columns in the places of its parameters."""

    def replace(match: re.Match[str]) -> str:
        return match.group() if match["name"] is None else f"fm_subject.{_quoted(match['name'])}"

    return TOKEN.sub(replace, query)


def _inner(query: str) -> str:
    """A query as it stands in brackets."""
    return query.strip().removesuffix(";")


def _seen(observation: Observation) -> str:
    """The value that an answer stands for; null where it stands for none."""
    name = _name("answer", observation)
    if not observation.is_ranged:
        return f"case when {name} in ({', '.join(map(literal, observation.value_ids))}) then {name} end"
    number = f"nullif({name}, '')::numeric"
    cases = " ".join(f"when {_within(number, value)} then {literal(value.id)}" for value in observation.values)
    return f"case {cases} end"


def _within(number: str, value: Value) -> str:
    """Whether a number lies in a value's range."""
    interval = value.interval or Interval(None, None)
    bounds = []
    if interval.low is not None:
        bounds.append(f"{number} {'>' if interval.low[1] else '>='} {interval.low[0]}::numeric")
    if interval.high is not None:
        bounds.append(f"{number} {'<=' if interval.high[1] else '<'} {interval.high[0]}::numeric")
    return " and ".join(bounds) or f"{number} is not null"


def _name(prefix: str, observation: Observation) -> str:
    return _quoted(f"{prefix} {observation.id}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
