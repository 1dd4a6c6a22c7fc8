"""A database that is only looked at, whatever a matrix says.

What keeps a query from writing, from the outside in:

- The role can't write: one that may change a table, act as a superuser, run programs on the server, write its files or
  reach other servers is refused before anything of the matrix is asked.
- The transaction is read-only. PostgreSQL lets nobody change that once it has a snapshot, which it has before the
  matrix's first query. It is rolled back at the end, as is each query's part of it, settings included.
- A query is the query of a cursor, sent by the extended protocol: one statement, and nothing but one that returns rows.
- Each query has a limit in time on the server. Should the server not keep it, the query is cancelled and the connection
  closed from here.

All queries see one snapshot, but for what lies outside of tables: clocks, locks and the list of sessions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from failure_matrix.errors import NoDatabase
from failure_matrix.evidence.connection import Connection, Result

SECONDS = 5.0
"""How long a query may take."""

GRACE = 2.0
"""Seconds after which a query that should have been stopped by the server is given up."""

SETTINGS = """
begin isolation level repeatable read, read only;
set local statement_timeout = {milliseconds};
set local lock_timeout = {milliseconds};
set local idle_in_transaction_session_timeout = '60s';
set local client_min_messages = 'error';
set local client_encoding = 'UTF8';
set local standard_conforming_strings = on;
set local datestyle = 'ISO'
"""

LEAVES = "'pg_execute_server_program', 'pg_write_server_files'"
"""The roles whose members reach beyond the database."""

REASONS = f"""
with roles as (select * from pg_roles where pg_has_role(session_user, oid, 'member')),
  named as (select * from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
  free as (
    select * from pg_roles r where rolsuper or exists (
      select from pg_roles m where m.rolname in ({LEAVES}) and pg_has_role(r.oid, m.oid, 'member')))
select reason from (
  select 1 as rank, format('%I is a superuser', rolname) as reason from roles where rolname = session_user and rolsuper
  union all
  select 2, format('it may act as %I', rolname) from roles where rolname <> session_user and (rolsuper or rolname in (
    {LEAVES}, 'pg_write_all_data', 'pg_signal_backend', 'pg_maintain', 'pg_database_owner', 'pg_checkpoint',
    'pg_create_subscription'))
  union all
  select 3, format('%I may create roles, databases or replicas', rolname) from roles
  where rolcreaterole or rolcreatedb or rolreplication
  union all
  select 4, format('%I may write to %s', rolname, c.oid::regclass)
  from roles, pg_class c join named n on c.relnamespace = n.oid
  where c.relkind in ('r', 'p', 'v', 'f', 'm') and c.relpersistence <> 't' and (
    c.relowner = roles.oid or has_table_privilege(roles.oid, c.oid, 'insert, update, delete, truncate')
    or has_any_column_privilege(roles.oid, c.oid, 'insert, update'))
  union all
  select 5, format('it may call %s, which acts as %I', p.oid::regprocedure, free.rolname)
  from pg_proc p join named n on p.pronamespace = n.oid join free on p.proowner = free.oid
  where p.prosecdef and has_function_privilege(session_user, p.oid, 'execute')
  union all
  select 6, format('it may call %s, which reaches beyond the database', p.oid::regprocedure)
  from pg_proc p join named n on p.pronamespace = n.oid join pg_language l on p.prolang = l.oid
  where has_function_privilege(session_user, p.oid, 'execute') and (
    not l.lanpltrusted and l.lanname not in ('internal', 'c') or l.lanname = 'c' and p.proname like 'dblink%')
) as found order by rank, reason limit 4
"""
"""Why the session's role can write. It counts what the role may become, since a query can let it."""


class Reader:
    """A transaction in which one can only look. `seconds` is the limit of each query."""

    def __init__(self, conninfo: str, seconds: float = SECONDS) -> None:
        """Connect and begin. Raises `NoDatabase` where the server can't be reached or the role can write."""
        self._seconds = seconds
        self._connection = Connection(conninfo)
        try:
            self._must(SETTINGS.format(milliseconds=int(seconds * 1000)))
            self._refuse_writers()
        except NoDatabase:
            self._connection.close()
            raise

    def _refuse_writers(self) -> None:
        reasons = [str(reason) for (reason,) in self._must(REASONS).rows or ()]
        if reasons:
            raise NoDatabase(
                f"The role can write, so nothing was asked: {'; '.join(reasons)}."
                " Give --dsn a role that may only read what the observations' queries read."
            )

    def ask(self, sql: str) -> Result:
        """The result of a query, at most two rows of it. One that fails or takes too long leaves the others alone."""
        return self._ask(sql, "fetch 2 from failure_matrix_look")

    def all(self, sql: str) -> Result:
        """The result of a query, all of its rows."""
        return self._ask(sql, "fetch all from failure_matrix_look")

    def _ask(self, sql: str, fetch: str) -> Result:
        if not self._connection.in_transaction:
            raise NoDatabase("The transaction has ended, so nothing more was asked.")
        self._must("savepoint failure_matrix_look")
        result = self._run(f"declare failure_matrix_look no scroll cursor for {sql}", alone=True)
        if not result.failed:
            result = self._run(fetch)
        self._must("rollback to savepoint failure_matrix_look")
        return result

    def close(self) -> None:
        """End the transaction, and with it whatever it did, and the connection."""
        self._connection.close()

    def _must(self, sql: str) -> Result:
        """The result of a statement of ours. Raises `NoDatabase` where it fails."""
        result = self._run(sql)
        if result.failed:
            raise NoDatabase(f"The server does not let us look: {result.message}")
        return result

    def _run(self, sql: str, *, alone: bool = False) -> Result:
        deadline = time.monotonic() + self._seconds + GRACE
        self._connection.send(sql, alone=alone)
        while (result := self._connection.answer(0.1)) is None:
            if time.monotonic() > deadline:
                self._connection.cancel()
                self.close()
                raise NoDatabase("A query did not end in time, and the server did not stop it. Nothing more was asked.")
        return result


@contextmanager
def reading(conninfo: str, seconds: float = SECONDS) -> Iterator[Reader]:
    """A `Reader` for the length of a block."""
    reader = Reader(conninfo, seconds)
    try:
        yield reader
    finally:
        reader.close()
