"""An existing server is used through a schema of its own, by a user with few rights, and nothing stays there."""

import subprocess
import sys
from pathlib import Path

import pytest

from failure_matrix.evidence.connection import Connection
from failure_matrix.evidence.server import Server, existing
from failure_matrix.evidence.stage import stage

TABLES = "create table job (id int primary key, n int); insert into job values (1, 0), (2, 0)"


@pytest.fixture
def plain(server):
    """A role that may create schemas and nothing else."""
    admin = Connection(server.conninfo)
    admin.run("create role plain_user login; grant create on database postgres to plain_user")
    with existing(server.conninfo.replace("user=postgres", "user=plain_user")) as it:
        yield it
    admin.run("revoke create on database postgres from plain_user; drop role plain_user")
    admin.close()


def schemas(server: Server) -> int:
    connection = Connection(server.conninfo)
    found = connection.run("select from pg_namespace where nspname like 'failure_matrix%'").count
    connection.close()
    return found


def test_a_plain_user_can_play(plain):
    with stage(plain, TABLES) as played:
        played.step("a", "begin")
        assert played.step("a", "update job set n = 1 where id = 1").changed == 1
        assert played.step("b", "update job set n = 2 where id = 1") is None
        played.kill("a")
        assert [result.changed for _, result in played.woken()] == [1]
        played.drop("b")
        assert played.step("b", "select 1").sqlstate == "57P01"
        played.set_time(60)
        assert played.look(
            "select extract(epoch from clock_timestamp() - timestamptz '2000-01-01 00:00Z')::int"
        ).rows == ((60,),)
    assert schemas(plain) == 0


def test_a_schema_is_dropped_after_an_error_too(server):
    def fail() -> None:
        with stage(server, TABLES) as played:
            played.step("a", "begin")
            played.step("a", "lock table job")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert schemas(server) == 0


OWNER = """
import sys, time
from pathlib import Path
from failure_matrix.evidence.server import existing
from failure_matrix.evidence.stage import stage
with existing(sys.argv[1]) as server, stage(server, "create table job (id int)") as played:
    print(server.folder, flush=True)
    time.sleep(600)
"""


def test_what_a_killed_run_left_behind_is_swept_by_the_next_one(server):
    command = [sys.executable, "-c", OWNER, server.conninfo]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        folder = Path(owner.stdout.readline().strip())
        with stage(server, TABLES):
            assert schemas(server) == 2, "a living run's schema was swept"
        owner.kill()
    assert (schemas(server), folder.exists()) == (1, True)
    with existing(server.conninfo) as again, stage(again, TABLES):
        assert (schemas(server), folder.exists()) == (1, False)
    assert schemas(server) == 0
