"""A relay and a drain as processes of their own. They run the matrices' statements, and stop where they are told to.

`real_worker.py KIND CONNINFO SCHEMA OUTSIDE PAUSE`: OUTSIDE is a file that stands for the broker or the push service; a
line is added for each message. At the step PAUSE its name is printed, and a line from standard input awaited.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import psycopg

from failure_matrix.evidence.statements import Parameter, bind, split
from failure_matrix.loader import load
from failure_matrix.model import Matrix

ROOT = Path(__file__).parents[2]
Pause = Callable[[str], None]


def main() -> None:
    kind, conninfo, schema, outside, pause = sys.argv[1:]
    name = {"relay": "outbox-relay", "drain": "notification-drain"}[kind]
    matrix = load(ROOT / "matrix", ROOT).project.matrices[name]
    options = f"-c search_path={schema},pg_catalog -c failure_matrix.began=0"
    with psycopg.connect(conninfo, autocommit=True, options=options) as connection:
        (relay if kind == "relay" else drain)(connection, matrix, Path(outside), pausing(pause))


def pausing(where: str) -> Pause:
    """Waits at one step, and at no other."""

    def pause(step: str) -> None:
        if step == where:
            print(step, flush=True)
            sys.stdin.readline()

    return pause


def relay(connection: psycopg.Connection, matrix: Matrix, broker: Path, pause: Pause) -> None:
    pause("started")
    ids = [row[0] for row in run(connection, matrix, "claim", {})[-1]]
    pause("claimed")
    for number, event in enumerate(ids, start=1):
        send(broker, event)
        if number == 1:
            pause("first published")
    pause("published")
    update, commit = split(matrix.actions["mark"].run)
    connection.execute(bind(update, {"batch": ids}))
    pause("marked")
    connection.execute(commit)
    pause("committed")


def drain(connection: psycopg.Connection, matrix: Matrix, push_service: Path, pause: Pause) -> None:
    pause("started")
    claimed = run(connection, matrix, "claim", {})[-1]
    pause("claimed")
    for delivery, version in claimed:
        send(push_service, delivery)
        pause("pushed")
        run(connection, matrix, "record-sent", {"delivery": delivery, "version": version})
    pause("recorded")


def run(connection: psycopg.Connection, matrix: Matrix, action: str, values: dict[str, Parameter]) -> list[list[tuple]]:
    """The rows of each statement of an action. How many rows were changed is printed."""
    found = []
    for statement in split(bind(matrix.actions[action].run, values)):
        cursor = connection.execute(statement)
        found.append(cursor.fetchall() if cursor.description else [])
        if action.startswith("record"):
            print(f"{action} changed {cursor.rowcount}", flush=True)
    return found


def send(outside: Path, message: int) -> None:
    """Add a line at once: what is sent stays sent."""
    with outside.open("a") as file:
        file.write(f"{message}\n")


if __name__ == "__main__":
    main()
