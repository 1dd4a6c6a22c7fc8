"""Places on the walk: what the database, the store, the clock and open transactions hold, and how to get back there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from failure_matrix.evidence.clock import EPOCH
from failure_matrix.evidence.observing import Observed
from failure_matrix.evidence.snapshot import Shelf, Snapshot
from failure_matrix.evidence.stage import Stage
from failure_matrix.evidence.statements import Parameter
from failure_matrix.model import Authority, Matrix

TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")
CLOCK_ZERO = datetime.fromisoformat(EPOCH)
MICROSECOND = timedelta(microseconds=1)

Journal = Mapping[str, tuple[str, ...]]
"""The statements of each open transaction, by its session's name."""


@dataclass(frozen=True, slots=True)
class Place:
    """One state of everything. `way` says how it was reached.

    `observed` is what is seen of each subject there, `exists` whether it exists there.
    """

    number: int
    snapshot: Snapshot
    open: Journal
    way: tuple[str, ...]
    observed: tuple[Observed, ...]
    exists: tuple[bool, ...]


def key_of(snapshot: Snapshot, journal: Journal) -> str:
    """What two places have in common that count as one.

    Times count by how far ahead of the clock they lie. Those behind it are told apart only from the very moment.
    """
    tables = [[relative(row, snapshot.time) for row in rows] for rows in snapshot.tables()]
    files = [[name, content.hex()] for name, content in snapshot.files]
    return json.dumps([tables, files, sorted(journal.items())], sort_keys=True)


def relative(row: Mapping[str, Any], time: int) -> dict[str, Any]:
    """A row with its times as they would be if the clock showed 0 at `time`, those behind it all alike."""
    return {
        name: _moved(value, time) if isinstance(value, str) and TIMESTAMP.fullmatch(value) else value
        for name, value in row.items()
    }


def _moved(value: str, time: int) -> str:
    ahead = (datetime.fromisoformat(value).astimezone(UTC) - CLOCK_ZERO) // MICROSECOND - time
    return (CLOCK_ZERO + max(ahead, -1) * MICROSECOND).isoformat()


class Places:
    """Gets back to places on a stage."""

    def __init__(self, stage: Stage) -> None:
        """Take the stage that the walk is on."""
        self._stage = stage
        self._shelf = Shelf(stage)
        self.tables = tuple(name for name, _ in self._shelf.tables)

    def save(self) -> Snapshot:
        """What is there now."""
        return self._shelf.save()

    def go_back(self, place: Place) -> None:
        """Make everything as it was at a place."""
        for session in [*self._stage.sessions.values()]:
            if session.waiting or session.connection.is_lost or session.connection.in_transaction:
                self._stage.retire(session.name)
        self._shelf.restore(place.snapshot)
        for name, statements in place.open.items():
            for sql in statements:
                self._stage.step(name, sql)


class Issued:
    """Which subjects exist at a place: a generation that was never issued is nobody's."""

    def __init__(self, matrix: Matrix, tables: tuple[str, ...], subjects: Mapping[str, tuple[Parameter, ...]]) -> None:
        """Find out which parameter is the generation, and which are columns of the authority's table."""
        columns = {name: column for action in matrix.actions.values() for name, column in action.keeps.items()}
        self._authority: Authority | None = matrix.authority
        self._columns = {name: column for name, column in columns.items() if name in subjects}
        self._table = (
            tables.index(matrix.authority.table) if matrix.authority and matrix.authority.table in tables else -1
        )
        self._subjects = subjects

    def exists(self, subject: Mapping[str, Parameter], snapshot: Snapshot) -> bool:
        """Whether a subject has been brought in, or is the first of its kind."""
        return all(
            value == self._subjects[name][0] or value in self._generations(subject, snapshot)
            for name, value in self._of_generation(subject)
        )

    def is_beyond(self, snapshot: Snapshot) -> bool:
        """Whether more generations were issued than are walked."""
        for name, _ in self._of_generation(self._subjects):
            most = max((row[self._columns[name]] or 0 for row in self._rows(snapshot)), default=0)
            if isinstance(most, int) and most > max(value for value in self._subjects[name] if isinstance(value, int)):
                return True
        return False

    def _of_generation(self, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        generation = self._authority.generation if self._authority is not None else ""
        return ((name, value) for name, value in values.items() if self._columns.get(name) == generation)

    def _generations(self, subject: Mapping[str, Parameter], snapshot: Snapshot) -> range:
        """The generations that were issued of a subject's row."""
        assert self._authority is not None
        generation = self._authority.generation
        others = {column: subject[name] for name, column in self._columns.items() if column != generation}
        rows = [row for row in self._rows(snapshot) if all(row[column] == value for column, value in others.items())]
        return range(1, max((row[generation] or 0 for row in rows), default=0) + 1)

    def _rows(self, snapshot: Snapshot) -> list[dict[str, Any]]:
        return snapshot.tables()[self._table] if self._table >= 0 else []
