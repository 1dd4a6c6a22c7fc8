"""The stage that evidence is played on: a schema of its own, with sessions, a clock, files, and an outside.

Everything runs in one thread. A session that waits for a lock is left waiting while the others go on, as
PostgreSQL's own isolation tester does it.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from failure_matrix.errors import NoDatabase
from failure_matrix.evidence import clock
from failure_matrix.evidence.connection import PATIENCE, Connection, Result
from failure_matrix.evidence.server import Server
from failure_matrix.evidence.statements import literal

OPTIONS = {
    "TimeZone": "UTC",
    "DateStyle": "ISO",
    "client_min_messages": "error",
    "default_transaction_isolation": "read committed",
    clock.BEGAN: "0",
}
"""Settings of every session."""

DEADLOCKS = {"deadlock_timeout": "1ms"}
"""Shorter than the first look at a step, so that of two that block each other the second is always the one to fail.
Only a superuser may set it; others wait for a second."""

PREFIX = "failure_matrix_"
"""What the names of our schemas begin with. The number of the process that made one follows."""

FIRST_LOOK = 0.003
"""Seconds after which a step that hasn't answered is looked at: does it wait for a lock?"""

OUTSIDE = """
create table sent (at bigint generated always as identity, receiver text not null, message text not null)
"""
"""What was sent to something outside the database: written apart from every session, so no rollback takes it back."""


class BadSchema(Exception):
    """The SQL that creates the tables, or the rows in them, failed. The message is PostgreSQL's."""


@dataclass
class Session:
    """A session of a worker or of somebody else, by name. `waiting` says that its last step waits for a lock."""

    name: str
    connection: Connection
    waiting: bool = False
    began: int | None = None


class Stage:
    """A schema on a server. `store` is the folder that stands for the file store. Close it after use."""

    def __init__(self, server: Server, tables: str, store: Path) -> None:
        """Raises `BadSchema` where the tables can't be created."""
        self._conninfo = server.conninfo
        self.store = store
        self.sessions: dict[str, Session] = {}
        self.time = 0
        self.control = Connection(self._conninfo, OPTIONS)
        self.schema = f"{PREFIX}{self.control.pid}"
        self._options = {**OPTIONS, "search_path": f"{self.schema},pg_catalog"}
        if self.look("show is_superuser").rows == (("on",),):
            self._options |= DEADLOCKS
        try:
            self._make(tables)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End all sessions and drop the schema with all that is in it."""
        self.end_sessions()
        self.control.run("rollback")
        self.control.run(f"drop schema if exists {self.schema} cascade")
        self.control.close()

    def _make(self, tables: str) -> None:
        self._sweep()
        self.must(f"select pg_advisory_lock({_lock_of(self.schema)})")
        self.must(f"create schema {self.schema}; set search_path = {self.schema}, pg_catalog")
        self.must(clock.FUNCTIONS)
        self.set_time(0)
        self.must(tables)
        self.must(OUTSIDE)

    def _sweep(self) -> None:
        """Drop the schemas that others left behind when they were killed: nobody holds their locks any more."""
        for (schema,) in self.must(f"select nspname from pg_namespace where nspname ^@ '{PREFIX}'").rows or ():
            lock = _lock_of(str(schema))
            if self.look(f"select pg_try_advisory_lock({lock})").rows == (("t",),):
                self.look(f"drop schema if exists {schema} cascade")
                self.look(f"select pg_advisory_unlock({lock})")

    def must(self, sql: str) -> Result:
        """Run SQL that has to work, apart from the sessions. Raises `BadSchema` where it doesn't."""
        result = self.control.run(sql)
        if result.failed:
            raise BadSchema(f"{result.message} (SQLSTATE {result.sqlstate})")
        return result

    def look(self, sql: str) -> Result:
        """Run SQL apart from the sessions, as somebody who looks on."""
        return self.control.run(sql)

    def ask(self, queries: Sequence[str]) -> list[Result]:
        """Look at the answers to several queries: all asked at once, and each by itself where one of them fails."""
        answers = self.control.all(";\n".join(queries)) if queries else []
        whole = len(answers) == len(queries) and not any(answer.failed for answer in answers)
        return answers if whole else [self.look(query) for query in queries]

    def session(self, name: str) -> Session:
        """The session of a name, opened at its first use."""
        if name not in self.sessions:
            self.sessions[name] = Session(name, self._connect())
        return self.sessions[name]

    def step(self, name: str, sql: str) -> Result | None:
        """Run a step in a session: its result, or `None` where it waits for a lock."""
        session = self.session(name)
        self._renew_now(session)
        session.connection.send(sql)
        result = self._result_or_wait(session)
        session.waiting = result is None
        return result

    def woken(self) -> Iterator[tuple[str, Result]]:
        """The sessions that waited and no longer do, and what their steps gave."""
        again = True
        while again:
            again = False
            for session in [each for each in self.sessions.values() if each.waiting]:
                result = self._result_or_wait(session)
                if result is not None:
                    session.waiting, again = False, True
                    yield session.name, result

    def blockers(self, name: str) -> tuple[str, ...]:
        """The sessions that a session waits for."""
        answer = self.look(f"select unnest(pg_blocking_pids({self.sessions[name].connection.pid}))").rows or ()
        pids = {pid for (pid,) in answer}
        return tuple(other.name for other in self.sessions.values() if other.connection.pid in pids)

    def set_time(self, seconds: Decimal | int | str) -> None:
        """Set the clock, in seconds."""
        self.set_microseconds(clock.microseconds(seconds))

    def set_microseconds(self, time: int) -> None:
        """Set the clock, in microseconds."""
        self.time = time
        self.must(clock.set_clock(time))

    def kill(self, name: str) -> None:
        """Let a session's client die. Returns once the server has noticed."""
        session = self.sessions.pop(name, None)
        if session is not None:
            session.connection.close()
            self._wait_until_ended(session.connection.pid, terminate=session.waiting)

    def has_ended(self, name: str) -> bool:
        """Whether the server has ended a session, which its client may not know."""
        pid = self.session(name).connection.pid
        return self.look(f"select from pg_stat_activity where pid = {pid}").rows == ()

    def has_begun_something(self, name: str) -> bool:
        """Whether a session's open transaction has written or locked anything.

        One that has done nothing but look is ended, as its client would when it got no row.
        """
        connection = self.session(name).connection
        if not connection.in_transaction:
            return False
        if connection.run("select pg_current_xact_id_if_assigned()").rows != ((None,),):
            return True
        connection.run("rollback")
        return False

    def retire(self, name: str) -> None:
        """Let a session's client die as far as anybody can tell, and keep its connection for the next one.

        Its transaction, locks and settings go. That is quicker than a new connection by a factor of ten.
        """
        session = self.session(name)
        if session.waiting or session.connection.is_lost:
            self.kill(name)
        else:
            if session.connection.in_transaction:
                session.connection.run("rollback")
            session.began = None
            if session.connection.run("discard all").failed:  # the server has ended it, and nobody had noticed yet
                self.kill(name)

    def retire_all(self) -> None:
        """Let all sessions' clients die as far as anybody can tell, those that wait first."""
        for name in sorted(self.sessions, key=lambda name: not self.sessions[name].waiting):
            self.retire(name)

    def drop(self, name: str) -> None:
        """End a session from the server's side. Its client doesn't know until its next step."""
        pid = self.session(name).connection.pid
        self._wait_until_ended(pid, terminate=True)

    def send(self, receiver: str, message: str) -> None:
        """Send a message to something outside, which never takes it back."""
        self.must(f"insert into sent (receiver, message) values ({literal(receiver)}, {literal(message)})")

    def end_sessions(self) -> None:
        """Let all sessions' clients die, those that wait first."""
        for name in sorted(self.sessions, key=lambda name: not self.sessions[name].waiting):
            self.kill(name)

    def _connect(self) -> Connection:
        return Connection(self._conninfo, self._options)

    def _renew_now(self, session: Session) -> None:
        if session.began != self.time and not session.connection.in_transaction:
            session.connection.run(clock.set_began(self.time))
            session.began = self.time

    def _result_or_wait(self, session: Session) -> Result | None:
        patience = FIRST_LOOK
        deadline = time.monotonic() + PATIENCE
        while (result := session.connection.answer(patience)) is None:
            if self._is_blocked(session) and not self._is_deadlocked(session.name):
                return None
            if time.monotonic() > deadline:
                raise NoDatabase(f"A step of session {session.name} neither ends nor waits for a lock.")
            patience = min(2 * patience, 0.1)
        return result

    def _is_blocked(self, session: Session) -> bool:
        rows = self.look(f"select cardinality(pg_blocking_pids({session.connection.pid}))").rows
        return rows is not None and rows[0][0] != 0

    def _is_deadlocked(self, name: str) -> bool:
        """Whether a session waits, in the end, for itself: PostgreSQL is about to end one of the circle."""
        reached, ahead = set[str](), [name]
        while ahead:
            for blocker in self.blockers(ahead.pop()):
                if blocker == name:
                    return True
                if blocker not in reached:
                    reached.add(blocker)
                    ahead.append(blocker)
        return False

    def _wait_until_ended(self, pid: int, terminate: bool) -> None:
        deadline = time.monotonic() + PATIENCE
        if terminate:
            self.look(f"select pg_terminate_backend({pid})")
        while self.look(f"select from pg_stat_activity where pid = {pid}").count:
            if time.monotonic() > deadline:
                raise NoDatabase("The server does not end a session whose client has gone.")
            time.sleep(0.0005)


@contextlib.contextmanager
def stage(server: Server, tables: str) -> Iterator[Stage]:
    """A stage for the block, with a file store of its own. Raises `BadSchema` where the tables can't be created."""
    with tempfile.TemporaryDirectory(dir=server.folder) as store:
        played = Stage(server, tables, Path(store))
        try:
            yield played
        finally:
            played.close()


def _lock_of(schema: str) -> str:
    return f"hashtextextended({literal(schema)}, 0)"
