"""Whether the constraints that `impossible` names refuse what it excludes, and nothing that is possible.

Rows are made of the values that the walk saw in each column (times as far ahead of the clock as it saw them), in all
combinations. Each is put into a copy of its table without constraints, where the matrix's own observations say what
combination it is, with and without the files. A row that a clause excludes then goes into a copy that has nothing
but the named constraint, and has to be refused by it. Each possible combination that some row has must be accepted,
by one of its rows at least, in a copy with all constraints.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from failure_matrix.evidence.places import relative
from failure_matrix.evidence.playbook import Playbook
from failure_matrix.evidence.playing import write
from failure_matrix.evidence.server import Server
from failure_matrix.evidence.stage import Stage, stage
from failure_matrix.evidence.statements import MissingParameter, fill, literal
from failure_matrix.evidence.walked import Walked
from failure_matrix.model import Impossible

LIMIT = 5000
"""How many rows are made at most."""

CONSTRAINTS = """
select con.conname, cl.relname, pg_get_constraintdef(con.oid) from pg_constraint con
join pg_class cl on cl.oid = con.conrelid
where con.connamespace = current_schema()::regnamespace and con.contype in ('c', 'x', 'u')
order by con.conname
"""
NULLABLE = """
select a.attname, not a.attnotnull and a.attgenerated = '' from pg_attribute a
where a.attrelid = {table}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum
"""

Row = Mapping[str, Any]


@dataclass
class ClauseShown:
    """What was shown of one clause of `impossible`: how many rows it excludes, and one that was not refused."""

    clause: int
    constraint: str
    excluded: int = 0
    accepted: str = ""
    is_missing: bool = False

    @property
    def holds(self) -> bool:
        """Whether there was something to refuse and all of it was."""
        return not self.is_missing and not self.accepted and self.excluded > 0


@dataclass
class ConstraintsShown:
    """What was shown of all clauses with a constraint.

    `rows` is how many were made. `possible` has the possible combinations that some row has, and whether one of those
    rows was accepted. `limited` says that there are more rows than may be made.
    """

    clauses: list[ClauseShown] = field(default_factory=list)
    rows: int = 0
    possible: dict[tuple[tuple[str, str], ...], bool] = field(default_factory=dict)
    limited: bool = False


def show_constraints(server: Server, playbook: Playbook, walked: Walked) -> ConstraintsShown:
    """Try the constraints of a matrix with the values that its walk saw."""
    with stage(server, playbook.tables) as played_on:
        trial = _Trial(played_on, playbook, walked)
        for table in trial.tables():
            trial.try_table(table)
        return trial.shown


class _Trial:
    def __init__(self, played_on: Stage, playbook: Playbook, walked: Walked) -> None:
        self._stage = played_on
        self._playbook = playbook
        self._walked = walked
        self._observer = playbook.observer(played_on.store)
        self._constraints = {
            str(name): (str(table), str(definition))
            for name, table, definition in played_on.must(CONSTRAINTS).rows or ()
        }
        self._clauses = {index: clause for index, clause in enumerate(playbook.matrix.impossible) if clause.constraint}
        self.shown = ConstraintsShown(
            [
                ClauseShown(index, clause.constraint, is_missing=clause.constraint not in self._constraints)
                for index, clause in self._clauses.items()
            ]
        )

    def tables(self) -> list[str]:
        """The tables that the named constraints are on."""
        return list(
            dict.fromkeys(
                self._constraints[clause.constraint][0]
                for clause in self._clauses.values()
                if clause.constraint in self._constraints
            )
        )

    def try_table(self, table: str) -> None:
        """Try all rows of one table."""
        self._make_copies(table)
        self._stage.set_time(0)
        for row in itertools.islice(self._rows(table), LIMIT):
            self.shown.rows += 1
            self._try_row(table, row)
        self.shown.limited |= self.shown.rows == LIMIT

    def _make_copies(self, table: str) -> None:
        """One copy with all constraints, one for each named one, and the table itself without any."""
        self._stage.must(f"create table full_copy (like {table} including all)")
        for name, (on, definition) in self._constraints.items():
            if on == table:
                self._stage.must(f"alter table {table} drop constraint {name}")
                self._stage.must(f"create table only_{name} (like {table} including defaults)")
                self._stage.must(f"alter table only_{name} add constraint {name} {definition}")

    def _rows(self, table: str) -> Iterator[Row]:
        """All combinations of the values of columns. Columns that nothing asks for keep one value."""
        names = self._stage.must(NULLABLE.format(table=literal(table))).rows or ()
        seen = self._values_seen(table)
        domains: dict[str, list[Any]] = {}
        for name, nullable in names:
            values = seen.get(str(name), [])
            asked = self._is_asked_for(str(name), table)
            domain = [*([None] if nullable == "t" else []), *values]
            domains[str(name)] = domain if asked else domain[:1]
        for cells in itertools.product(*domains.values()):
            yield dict(zip(domains, cells, strict=True))

    def _values_seen(self, table: str) -> dict[str, list[Any]]:
        """The values of each column at all places of the walk, as they were at the clock's second 0."""
        index = self._walked.tables.index(table)
        values: dict[str, dict[str, Any]] = {}
        for place in self._walked.places:
            for row in place.snapshot.tables()[index]:
                for name, value in relative(row, place.snapshot.time).items():
                    if value is not None:
                        values.setdefault(name, {})[json.dumps(value)] = value
        return {name: [its[key] for key in sorted(its)] for name, its in values.items()}

    def _is_asked_for(self, column: str, table: str) -> bool:
        """Whether a constraint or an observation speaks of a column."""
        texts = [definition for on, definition in self._constraints.values() if on == table]
        for observation in self._playbook.matrix.observations.values():
            texts += [observation.sql, observation.digest]
        return any(re.search(rf"\b{re.escape(column)}\b", text) for text in texts)

    def _try_row(self, table: str, row: Row) -> None:
        if self._insert(table, row):
            return  # no row at all: another type of value is refused before any constraint
        combinations = list(self._combinations())
        accepted = not self._insert("full_copy", row)
        for combination in combinations:
            if not self._playbook.table.clauses_against(combination):
                key = tuple(combination.items())
                self.shown.possible[key] = self.shown.possible.get(key, False) or accepted
        for shown in self.shown.clauses:
            clause = self._clauses[shown.clause]
            if not shown.is_missing and any(_covers(clause, each) for each in combinations):
                shown.excluded += 1
                if self._insert(f"only_{shown.constraint}", row) != shown.constraint:
                    shown.accepted = shown.accepted or json.dumps(row)

    def _insert(self, table: str, row: Row) -> str:
        """Make a row the only one of a table: the name of what refuses it, empty where nothing does."""
        columns = ", ".join(row)
        text = literal(json.dumps(row))
        result = self._stage.look(
            f"delete from {table};"
            f" insert into {table} ({columns}) select {columns} from json_populate_record(null::{table}, {text})"
        )
        return result.constraint or result.sqlstate

    def _combinations(self) -> Iterator[Mapping[str, str]]:
        """What is seen of every subject, without its files and with them."""
        subjects = list(self._playbook.subjects())
        for with_files in (False, True):
            if with_files:
                self._write_files()
            for observed in self._observer.observe_all(self._stage.ask, subjects):
                if observed.is_complete:
                    yield observed.values
        self._remove_files()

    def _files(self) -> Iterator[str]:
        for observation in self._playbook.matrix.observations.values():
            for subject in self._playbook.subjects():
                try:
                    if observation.file:
                        yield fill(observation.file, subject)
                except MissingParameter:
                    continue

    def _write_files(self) -> None:
        for path in self._files():
            write(self._stage.store, path, path)

    def _remove_files(self) -> None:
        for path in self._files():
            (self._stage.store / path).unlink(missing_ok=True)


def _covers(clause: Impossible, combination: Mapping[str, str]) -> bool:
    return any(pattern.covers(combination) for pattern in clause.when)
