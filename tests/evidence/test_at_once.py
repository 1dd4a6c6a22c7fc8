"""Cleanup concurrency and identity: two real connections at once, for many rounds, whoever comes first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from failure_matrix.evidence.stage import stage
from failure_matrix.evidence.statements import bind
from failure_matrix.loader import load

ROOT = Path(__file__).parents[2]
ACTIONS = load(ROOT / "matrix", ROOT).project.matrices["design-export"].actions
ROUNDS = 30
LATER = 120

Deed = Callable[[psycopg.Connection], object]


class Two:
    """Two connections to a stage that do something at once."""

    def __init__(self, conninfo: str, schema: str) -> None:
        options = f"-c search_path={schema},pg_catalog"
        self.connections = [psycopg.connect(conninfo, options=options, autocommit=True) for _ in range(2)]

    def at_once(self, first: Deed, second: Deed) -> list[object]:
        """What the two gave. They begin together; which one comes first is left to chance."""
        together, found = threading.Barrier(2), [None, None]

        def do(number: int, deed: Deed) -> None:
            together.wait()
            found[number] = deed(self.connections[number])

        threads = [threading.Thread(target=do, args=each) for each in enumerate((first, second))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found


@pytest.fixture
def played(server):
    with stage(server, (ROOT / "matrix/schemas/design-export.sql").read_text()) as it:
        yield it


@pytest.fixture
def two(server, played) -> Iterator[Two]:
    pair = Two(server.conninfo, played.schema)
    yield pair
    for connection in pair.connections:
        connection.close()


def values(job: int, generation: int) -> dict[str, str | int]:
    """The parameters of one generation. All workers bear the same name."""
    candidate = f"exports/{job}/{generation}"
    return {"job": job, "generation": generation, "worker": "pod-0", "candidate": candidate, "digest": candidate}


def publish(job: int, generation: int) -> Deed:
    return lambda connection: connection.execute(bind(ACTIONS["publish"].run, values(job, generation))).rowcount


def discard(job: int, generation: int, file: Path) -> Deed:
    """Look under lock whether a record may need the file, and remove it only if none does."""

    def do(connection: psycopg.Connection) -> None:
        with connection.transaction():
            if not connection.execute(bind(ACTIONS["discard"].run, values(job, generation))).fetchall():
                file.unlink()

    return do


def test_a_publication_and_a_discard_at_once_never_leave_a_record_without_its_file(two: Two, played, tmp_path):
    for job in range(ROUNDS):
        played.must(f"insert into job (id, state) values ({job}, 'ready')")
        played.must(bind(ACTIONS["claim"].run, values(job, 1)))
        file = tmp_path / f"{job}"
        file.write_text("bytes")
        changed, _ = two.at_once(publish(job, 1), discard(job, 1, file))
        assert changed == 1
        assert file.exists()


def test_of_two_workers_of_one_name_only_the_current_generation_publishes(two: Two, played):
    for job in range(ROUNDS):
        played.set_time(0)
        played.must(f"insert into job (id, state) values ({job}, 'ready')")
        played.must(bind(ACTIONS["claim"].run, values(job, 1)))
        played.set_time(LATER)
        played.must(bind(ACTIONS["take-over"].run, values(job, 2)))
        assert two.at_once(publish(job, 1), publish(job, 2)) == [0, 1]
        assert played.look(f"select epoch, candidate from job where id = {job}").rows == ((2, f"exports/{job}/2"),)
