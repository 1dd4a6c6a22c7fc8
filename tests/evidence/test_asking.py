"""`diagnose --dsn` on a real server: what is seen, what is unknown and why, and when it could not look."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from failure_matrix.evidence.connection import Connection
from failure_matrix.evidence.server import Server

ROOT = Path(__file__).parents[2]

JOBS = """
insert into job (id, state, owner, epoch, lease_until) values
  (1, 'ready', null, 0, null), (2, 'running', 'w', 3, clock_timestamp() + interval '1 hour'),
  (3, 'running', 'w', 1, clock_timestamp() - interval '1 hour');
insert into job (id, state, epoch, candidate, digest) values (4, 'complete', 2, 'exports/4/2', repeat('0', 64));
create role onlooker login; grant pg_read_all_data, pg_read_all_stats to onlooker
"""


@pytest.fixture(scope="module")
def exports(server: Server) -> Iterator[str]:
    """The connection string of a database with jobs, for a role that can only look."""
    admin = Connection(server.conninfo)
    assert not admin.run("create database exports").failed
    owner = Connection(server.conninfo.replace("dbname=postgres", "dbname=exports"))
    made = owner.run((ROOT / "matrix" / "schemas" / "design-export.sql").read_text(encoding="utf-8") + JOBS)
    assert not made.failed, made.message
    owner.close()
    yield server.conninfo.replace("dbname=postgres", "dbname=exports").replace("user=postgres", "user=onlooker")
    admin.run("drop database exports with (force)")
    admin.run("drop role onlooker")
    admin.close()


def diagnose(*arguments: str, matrix: str = "design-export", folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "failure_matrix", "diagnose", matrix, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=120)


def test_one_state_is_seen(exports: str) -> None:
    done = diagnose("--dsn", exports, "--param", "job=2", "--param", "generation=3")
    assert done.returncode == 0, done.stderr
    assert "job: running\nage: fresh\nwriter: none\ngeneration: current\nlease: live\n" in done.stdout
    assert "candidate: no answer: its file has to be looked for" in done.stdout
    assert "It is: Valid lease (leased)" in done.stdout


def test_what_is_told_stands_before_what_is_seen_and_beside_it(exports: str) -> None:
    known = ("--dsn", exports, "--param", "job=4", "--param", "generation=2")
    assert diagnose(*known).returncode == 4
    done = diagnose(*known, "--observe", "candidate=absent", "--json")
    assert done.returncode == 0
    assert [each["id"] for each in json.loads(done.stdout)["states"]] == ["unavailable"]


def test_files_are_looked_for_in_a_folder(exports: str, tmp_path: Path) -> None:
    known = ("--dsn", exports, "--param", "job=4", "--param", "generation=2", "--files", str(tmp_path), "--json")
    assert json.loads(diagnose(*known).stdout)["observed"]["candidate"] == "absent"
    (tmp_path / "exports" / "4").mkdir(parents=True)
    (tmp_path / "exports" / "4" / "2").write_text("bytes")
    assert json.loads(diagnose(*known).stdout)["observed"]["candidate"] == "damaged"


def test_a_name_that_leads_out_of_the_folder_is_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    known = ("--files", str(tmp_path), "--observe", "row=marked")
    done = diagnose(*known, "--param", "event=7", matrix="outbox-relay")
    assert "message: absent" in done.stdout
    done = diagnose(*known, "--param", "event=../../secret", matrix="outbox-relay")
    assert done.returncode == 3
    assert "'events/../../secret' leads out of the store" in done.stderr


def test_a_parameter_is_a_value_whatever_it_says(exports: str) -> None:
    known = ("--dsn", exports, "--param", "job=1' or '1'='1", "--param", "generation=0", "--json")
    found = json.loads(diagnose(*known).stdout)
    assert "invalid input syntax" in found["unknown"]["job"]
    assert found["observed"] == {"writer": "none"}


def test_a_parameter_that_is_not_given_leaves_its_observations_unknown(exports: str) -> None:
    found = json.loads(diagnose("--dsn", exports, "--param", "job=3", "--json").stdout)
    assert found["observed"] == {"job": "running", "age": "fresh", "writer": "none", "lease": "lapsed"}
    assert found["unknown"]["generation"] == "The parameter `generation` has no value here."
    assert found["question"]["id"] in ("generation", "candidate")


def test_a_subject_that_is_not_there_is_impossible_or_not_distinguished(exports: str) -> None:
    known = ("--dsn", exports, "--param", "job=99", "--param", "generation=1")
    assert diagnose(*known).returncode == 4
    done = diagnose(*known, "--observe", "candidate=absent")
    assert done.returncode == 5
    assert "It is not, or no longer, in this matrix." in done.stdout


def test_a_role_that_can_write_and_a_server_that_is_not_there_are_could_not_look(exports: str, tmp_path: Path) -> None:
    done = diagnose("--dsn", exports.replace("onlooker", "postgres"), "--param", "job=1")
    assert done.returncode == 3
    assert "The role can write, so nothing was asked: postgres is a superuser" in done.stderr
    done = diagnose("--dsn", f"host={tmp_path}", "--param", "job=1")
    assert done.returncode == 3
    assert "can't be reached" in done.stderr
    done = diagnose("--dsn", "this is no connection string", "--param", "job=1")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_no_answer_at_all_is_could_not_look(exports: str) -> None:
    done = diagnose("--dsn", exports.replace("exports", "postgres"), "--param", "job=1", "--observe", "lease=live")
    assert "writer: none" in done.stdout
    done = diagnose("--dsn", exports)
    assert done.returncode == 3
    assert "No observation gave an answer." in done.stderr


def test_each_source_has_a_database_of_its_own(exports: str) -> None:
    known = ("--param", "event=7", "--observe", "row=pending", "--json")
    done = diagnose(*known, "--dsn", f"consumer-db={exports}", matrix="outbox-relay")
    assert done.returncode == 3
    assert "depth: no database was given for its source" in done.stderr
    assert 'inbox: relation "inbox" does not exist' in done.stderr


def test_a_hostile_matrix_changes_nothing(exports: str, tmp_path: Path) -> None:
    (tmp_path / "matrix").mkdir()
    (tmp_path / "matrix" / "owners.yml").write_text((ROOT / "matrix" / "owners.yml").read_text(encoding="utf-8"))
    text = (ROOT / "matrix" / "design-export.yml").read_text(encoding="utf-8")
    asked = "select coalesce((select state from job where id = %(job)s), 'invisible')"
    assert text.count(asked) == 1
    for query in (
        "delete from job returning 'ready'",
        "with gone as (delete from job returning state) select state from gone limit 1",
        f"copy (select 1) to program 'touch {tmp_path}/written'",
        "select 'ready'; delete from job",
        "select 'ready' from pg_sleep(1000)",
        "select set_config('transaction_read_only', 'off', false)",
    ):
        (tmp_path / "matrix" / "design-export.yml").write_text(text.replace(asked, json.dumps(query)))
        done = diagnose("--dsn", exports, "--param", "job=1", "--param", "generation=0", "--json", folder=tmp_path)
        found = json.loads(done.stdout)
        assert "job" in found["unknown"], query
        assert found["observed"]["generation"] == "none"
    assert not (tmp_path / "written").exists()
    assert json.loads(diagnose("--dsn", exports, "--param", "job=1", "--json").stdout)["observed"]["job"] == "ready"
