"""One connection to PostgreSQL, driven by libpq's asynchronous calls, so that a step may wait without us waiting."""

from __future__ import annotations

import select
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from failure_matrix.errors import NoDatabase

if TYPE_CHECKING:
    from psycopg.pq.abc import PGconn, PGresult

PATIENCE = 30.0
"""Seconds after which a statement that waits for nobody counts as hung."""

IN_TRANSACTION = (2, 3)
"""libpq's numbers of an open transaction and of an aborted one."""

INTEGERS = (20, 21, 23)
"""The type numbers of PostgreSQL's whole numbers."""

ESCAPED_BLANK = "\\ "
"""How a blank within a setting is written in libpq's `options`."""

Cell = str | int | None
CONNECTION_LOST = "08006"


@dataclass(frozen=True, slots=True)
class Result:
    """What a statement gave: rows (`None` where it returns none), or an SQLSTATE and the message that came with it.

    `count` is the number of rows that were returned or changed, `changed` of those that were changed. Of a `select`
    that changes rows in a `with`, nobody says how many: `is_select` is then true.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] | None = None
    count: int = 0
    changed: int = 0
    sqlstate: str = ""
    message: str = ""
    constraint: str = ""
    is_select: bool = False

    @property
    def failed(self) -> bool:
        """Whether the statement ended with an error."""
        return bool(self.sqlstate)


class Connection:
    """A connection. `pid` is the number of its process on the server."""

    def __init__(self, conninfo: str, settings: Mapping[str, str] | None = None) -> None:
        """Connect, with settings that a `discard all` falls back to. Raises `NoDatabase` where that fails."""
        self._pq = pq = _libpq()
        options = " ".join(f"-c {name}={value.replace(' ', ESCAPED_BLANK)}" for name, value in (settings or {}).items())
        self._pg: PGconn = pq.PGconn.connect(_whole(conninfo, options).encode())
        if self._pg.status != pq.ConnStatus.OK:
            raise NoDatabase(f"The server can't be reached: {self._pg.error_message.decode(errors='replace').strip()}")
        self.pid = self._pg.backend_pid
        self._poll = select.poll()
        self._poll.register(self._pg.socket, select.POLLIN)
        self._results: list[Result] = []
        self.busy = False

    def send(self, sql: str, *, alone: bool = False) -> None:
        """Send statements; `alone` lets the server refuse more than one. Their result is fetched with `answer`."""
        self._results = []
        self.busy = True
        try:
            if alone:
                self._pg.send_query_params(sql.encode(), [])
            else:
                self._pg.send_query(sql.encode())
        except self._errors():
            self._results.append(self._lost())

    def answer(self, seconds: float) -> Result | None:
        """The result, or `None` where it hasn't come within some seconds."""
        while (result := self._arrived()) is None:
            if not self._poll.poll(seconds * 1000):
                return None
            try:
                self._pg.consume_input()
            except self._errors():
                self._results.append(self._lost())
                return self._end()
        return result

    def run(self, sql: str) -> Result:
        """Send statements and wait for the last one's result, or for the first error."""
        self.send(sql)
        deadline = time.monotonic() + PATIENCE
        while (result := self.answer(1.0)) is None:
            if time.monotonic() > deadline:
                raise NoDatabase(f"The server has not answered within {PATIENCE:.0f} seconds: {sql}")
        return result

    def all(self, sql: str) -> list[Result]:
        """Send statements and wait for all their results."""
        self.run(sql)
        return self._results

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, an aborted one included."""
        return bool(self._pg.transaction_status in IN_TRANSACTION)

    @property
    def is_lost(self) -> bool:
        """Whether the server has ended it."""
        return bool(self._pg.status != self._pq.ConnStatus.OK)

    def cancel(self) -> None:
        """Ask the server to give up what it is doing."""
        self._pg.get_cancel().cancel()

    def close(self) -> None:
        """End the client's side, as the death of its process would."""
        self._pg.finish()

    def _arrived(self) -> Result | None:
        while not self._pg.is_busy():
            result = self._pg.get_result()
            if result is None:
                return self._end()
            self._results.append(self._read(result))
            result.clear()
        return None

    def _end(self) -> Result:
        self.busy = False
        failed = next((result for result in self._results if result.failed), None)
        return failed or (self._results[-1] if self._results else Result())

    def _read(self, result: PGresult) -> Result:
        if result.status == self._pq.ExecStatus.TUPLES_OK:
            return self._read_rows(result)
        if result.status in (self._pq.ExecStatus.COMMAND_OK, self._pq.ExecStatus.EMPTY_QUERY):
            changed = result.command_tuples or 0
            return Result(count=changed, changed=changed)
        return self._read_error(result)

    def _read_rows(self, result: PGresult) -> Result:
        columns = range(result.nfields)
        whole = [result.ftype(column) in INTEGERS for column in columns]
        rows = tuple(
            tuple(_cell(result.get_value(row, column), whole[column]) for column in columns)
            for row in range(result.ntuples)
        )
        is_select = (result.command_status or b"").startswith(b"SELECT")
        changed = 0 if is_select else result.command_tuples or 0
        names = tuple((result.fname(column) or b"").decode() for column in columns)
        return Result(columns=names, rows=rows, count=len(rows), changed=changed, is_select=is_select)

    def _read_error(self, result: PGresult) -> Result:
        field = self._pq.DiagnosticField
        sqlstate, message, constraint = (
            (result.error_field(name) or b"").decode(errors="replace")
            for name in (field.SQLSTATE, field.MESSAGE_PRIMARY, field.CONSTRAINT_NAME)
        )
        if not sqlstate:
            return self._lost()
        return Result(sqlstate=sqlstate, message=message, constraint=constraint)

    def _lost(self) -> Result:
        message = self._pg.error_message.decode(errors="replace").strip()
        return Result(sqlstate=CONNECTION_LOST, message=message or "The connection is lost.")

    def _errors(self) -> type[Exception]:
        from psycopg import OperationalError  # noqa: PLC0415 - only evidence needs it

        return OperationalError


def _libpq() -> Any:
    """psycopg's interface to libpq. Only evidence needs it."""
    try:
        from psycopg import pq  # noqa: PLC0415
    except ImportError as missing:
        raise NoDatabase(f"Evidence needs psycopg: pip install 'failure-matrix[verify]' ({missing}).") from missing
    return pq


def _whole(conninfo: str, options: str) -> str:
    """A connection string with options. What is wrong with it isn't quoted, since that may be a password."""
    from psycopg import ProgrammingError  # noqa: PLC0415
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415

    try:
        return make_conninfo(conninfo, options=options or None)
    except ProgrammingError as problem:
        raise NoDatabase("The connection string can't be read. libpq takes `host=… dbname=…` or a URI.") from problem


def _cell(value: bytes | None, whole: bool) -> Cell:
    if value is None:
        return None
    return int(value) if whole else value.decode(errors="replace")
