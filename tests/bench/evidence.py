"""Orders a second and walk steps a second, beside a plain psycopg loop that sends the same statements.

The statements are noted on the first run, with the session that each was sent in, and then sent again through psycopg
cursors, one connection a session, with all rows fetched. Where a statement waits for a lock, the plain loop gives up
after 5 ms, about as long as we take to see that it waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import psycopg
from psycopg import ClientCursor

from failure_matrix.evidence.connection import Connection
from failure_matrix.evidence.loading import Suite, load_suites
from failure_matrix.evidence.orders import run_orders
from failure_matrix.evidence.server import Server, embedded
from failure_matrix.evidence.walking import walk
from failure_matrix.loader import load

ROOT = Path(__file__).parents[2]
MATRIX = "design-export"
ORDERS = ("outbox-relay", "orders-hold-until-marked")
RUNS = 5

Sent = list[tuple[Connection, str]]


def noted(run: Callable[[], int]) -> tuple[int, Sent]:
    """What a run counts, and the statements that it sends."""
    sent: Sent = []
    send = Connection.send

    def note(self: Connection, sql: str) -> None:
        sent.append((self, sql))
        send(self, sql)

    Connection.send = note  # type: ignore[method-assign]
    try:
        return run(), sent
    finally:
        Connection.send = send  # type: ignore[method-assign]


def plain(server: Server, sent: Sent) -> float:
    """Seconds that a loop of psycopg takes for the same statements, up to where the schema is dropped."""
    names = dict.fromkeys(connection for connection, _ in sent)
    with_settings = psycopg.conninfo.make_conninfo(server.conninfo, options="-c failure_matrix.began=0")
    connections = {each: psycopg.connect(with_settings, autocommit=True, cursor_factory=ClientCursor) for each in names}
    schema = next(sql.split()[2].strip(";") for _, sql in sent if sql.startswith("create schema"))
    for each in connections.values():
        each.execute(f"set search_path = {schema}, pg_catalog; set lock_timeout = '5ms'")
    begin = time.perf_counter()
    for connection, sql in sent:
        cursor = connections[connection].cursor()
        try:
            cursor.execute(sql)  # type: ignore[call-overload]
            while True:
                if cursor.description:
                    cursor.fetchall()
                if not cursor.nextset():
                    break
        except psycopg.Error:
            connections[connection].rollback()
    seconds = time.perf_counter() - begin
    for each in connections.values():
        each.close()
    return seconds


def measure(server: Server, name: str, run: Callable[[], int]) -> None:
    """Print how often a second something is done, and how long a plain loop takes for the same statements."""
    count, sent = noted(run)
    ours = min(timed(run) for _ in range(RUNS))
    theirs = min(plain(server, sent) for _ in range(RUNS))
    print(
        f"{name}: {count / ours:,.0f} a second, {len(sent) / ours:,.0f} statements a second; {ours / theirs:.2f} times"
    )
    print(f"  the {theirs:.2f} s of a plain loop with the same {len(sent):,} statements")


def timed(run: Callable[[], int]) -> float:
    """Seconds that a run takes."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def main() -> None:
    """Measure orders and the walk on the embedded server."""
    project = load(ROOT / "matrix", ROOT).project
    suites: dict[str, Suite] = {each.id: each for each in load_suites(ROOT / "matrix", ROOT, project).suites}
    scenario = next(each for each in suites[ORDERS[0]].scenarios if each.id == ORDERS[1])
    book = suites[MATRIX].playbook
    assert book is not None
    with embedded() as server:
        measure(server, "orders", lambda: run_orders(server, scenario).count)
        measure(server, "walk steps", lambda: walk(server, book).tried)


if __name__ == "__main__":
    main()
