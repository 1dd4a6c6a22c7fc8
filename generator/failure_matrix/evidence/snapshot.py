"""The rows of a schema saved and put back, so that many runs start from the same place without creating tables anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from failure_matrix.evidence.stage import Stage
from failure_matrix.evidence.statements import literal

TABLES = """
select c.relname, string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '')
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
group by c.oid, c.relname order by c.oid
"""
SEQUENCES = """
select c.relname from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' and c.relname <> 'evidence_clock'
order by c.relname
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is committed, what lies in the store, and the time.

    `rows` has the JSON of each table's rows, `sequences` each sequence's last value and whether it was used,
    `files` the content of each file by its path in the store, `time` the clock in microseconds.
    """

    rows: tuple[str, ...]
    sequences: tuple[tuple[int, str], ...]
    files: tuple[tuple[str, bytes], ...]
    time: int

    def tables(self) -> list[list[dict[str, Any]]]:
        """The rows of each table as values, sorted by their text."""
        return [json.loads(rows) for rows in self.rows]


class Shelf:
    """Saves and restores what is on a stage. The tables have to be there before, and stay the same."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.tables = [(str(name), str(columns)) for name, columns in stage.must(TABLES).rows or ()]
        self._sequences = [str(name) for (name,) in stage.must(SEQUENCES).rows or ()]
        all_rows = [
            f"(select coalesce(json_agg(t order by t::text), '[]')::text from {name} t)" for name, _ in self.tables
        ]
        states = [f"(select last_value || ' ' || is_called::text from {name})" for name in self._sequences]
        self._query = "select " + ", ".join([*all_rows, *states])

    def save(self) -> Snapshot:
        """What is there now. Rows of open transactions are not."""
        ((*cells,),) = self._stage.must(self._query).rows or ((),)
        rows = tuple(str(cell) for cell in cells[: len(self.tables)])
        sequences = (str(cell).split() for cell in cells[len(self.tables) :])
        files = tuple(files_in(self._stage.store))
        return Snapshot(rows, tuple((int(last), called) for last, called in sequences), files, self._stage.time)

    def restore(self, snapshot: Snapshot) -> None:
        """Put a snapshot back. No session may hold a lock."""
        self._stage.must(";\n".join(self._statements(snapshot)))
        self._stage.time = snapshot.time
        put_files(self._stage.store, snapshot.files)

    def _statements(self, snapshot: Snapshot) -> Iterator[str]:
        yield f"select setval('evidence_clock', {snapshot.time})"
        for name, _ in reversed(self.tables):
            yield f"delete from {name}"
        for (name, columns), rows in zip(self.tables, snapshot.rows, strict=True):
            if rows != "[]":
                yield (
                    f"insert into {name} ({columns}) overriding system value"
                    f" select {columns} from json_populate_recordset(null::{name}, {literal(rows)})"
                )
        for name, (last, called) in zip(self._sequences, snapshot.sequences, strict=True):
            yield f"select setval('{name}', {last}, {called})"


def files_in(store: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a store, by their path in it, in order."""
    if store.is_dir():
        for file in sorted(store.rglob("*")):
            if file.is_file():
                yield file.relative_to(store).as_posix(), file.read_bytes()


def put_files(store: Path, files: tuple[tuple[str, bytes], ...]) -> None:
    """Make a store hold exactly these files."""
    there, wanted = dict(files_in(store)), dict(files)
    for name in there.keys() - wanted.keys():
        (store / name).unlink()
    for name, content in wanted.items():
        if there.get(name) != content:
            (store / name).parent.mkdir(parents=True, exist_ok=True)
            (store / name).write_bytes(content)
