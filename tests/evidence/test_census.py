"""A census agrees with a diagnosis on each subject of a database with all possible combinations, and more."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from failure_matrix import loader
from failure_matrix.checks.rule import Proof
from failure_matrix.diagnose import Diagnosis, Triage
from failure_matrix.evidence.census import SINCE, Census, NoSubjects, census
from failure_matrix.evidence.connection import Connection
from failure_matrix.evidence.looking import reading
from failure_matrix.evidence.observing import Observer, one_by_one
from failure_matrix.evidence.server import Server
from failure_matrix.model import OUTSIDE, Matrix, Subjects

ROOT = Path(__file__).parents[2]
MATRICES = loader.load(ROOT / "matrix", ROOT).project.matrices

STORE = "create table store (job bigint, generation int, digest text)"

IN_STORE = """
select case
  when not exists (select from store where job = %(job)s and generation = %(generation)s) then 'absent'
  when exists (
    select from store s join job j on j.id = s.job and j.epoch = s.generation and j.digest <> s.digest
    where s.job = %(job)s and s.generation = %(generation)s) then 'damaged'
  else 'present' end
"""

ROLE = "create role counter login; grant pg_read_all_data, pg_read_all_stats to counter"


def with_store(matrix: Matrix) -> Matrix:
    """The reference matrix with its files in a table, and with subjects that no job has."""
    jobs = matrix.sources["jobs-db"]
    candidate = replace(matrix.observations["candidate"], source=jobs, sql=IN_STORE, file="", digest="")
    listed = "select job, generation, generation * interval '1 hour' + timestamptz '2026-11-30' as since"
    everybody = f"{listed} from generate_series(1, 220) as job, generate_series(0, 3) as generation"
    observations = {**matrix.observations, "candidate": candidate}
    return replace(matrix, observations=observations, subjects=Subjects(jobs, everybody))


def triage(matrix: Matrix) -> Triage:
    proof = Proof(matrix)
    return Triage(matrix, proof.table, proof.effects)


def rows() -> Iterator[str]:
    """Jobs of all sorts. The constraints refuse those that can't be."""
    numbers = itertools.count(1)
    states = ("ready", "running", "complete", "cancelled")
    leases = ("null", "clock_timestamp() - interval '1 hour'", "clock_timestamp() + interval '1 hour'")
    ages = ("1 second", "1 hour")
    for state, age, epoch, lease, file in itertools.product(states, ages, (0, 1, 2), leases, ("", "own", "other")):
        id, digest = next(numbers), "'own'" if state == "complete" else "null"
        candidate = "'candidate'" if state == "complete" else "null"
        yield (
            "insert into job (id, state, epoch, lease_until, candidate, digest, created_at) values"
            f" ({id}, '{state}', {epoch}, {lease}, {candidate}, {digest}, clock_timestamp() - interval '{age}')"
        )
        if file:
            yield f"insert into store select {id}, generation, '{file}' from generate_series(0, 3) as generation"
    yield "insert into store values (220, 1, 'own'), (218, 1, 'own')"


@pytest.fixture(scope="module")
def database(server: Server) -> Iterator[str]:
    """The connection string of a database with all combinations, for a role that can only look."""
    admin = Connection(server.conninfo)
    assert not admin.run("create database census").failed
    assert not admin.run(ROLE).failed
    owner = Connection(server.conninfo.replace("dbname=postgres", "dbname=census"))
    assert not owner.run((ROOT / "matrix" / "schemas" / "design-export.sql").read_text(encoding="utf-8")).failed
    assert not owner.run(STORE).failed
    kept = [not owner.run(row).failed for row in rows()]
    assert any(kept)
    assert not all(kept)
    writers = [open_writer(server, job) for job in (19, 219, 220)]
    yield server.conninfo.replace("dbname=postgres", "dbname=census").replace("user=postgres", "user=counter")
    for each in (*writers, owner):
        each.close()
    admin.run("drop database census with (force)")
    admin.run("drop role counter")
    admin.close()


def open_writer(server: Server, job: int) -> Connection:
    """A transaction that says it is inserting a job: of a row that is there, and of two that are not."""
    conninfo = server.conninfo.replace("dbname=postgres", "dbname=census")
    connection = Connection(conninfo, {"application_name": f"export:{job}"})
    assert not connection.run("begin").failed
    return connection


def counted(counting: Census, database: str) -> dict[tuple[str, ...], str]:
    """The state of each subject, by its parameters."""
    with reading(database, 60) as reader:
        result = reader.all(counting.by_subject())
    assert not result.failed, result.message
    places = [place for place, name in enumerate(counting.columns) if name != SINCE]
    return {tuple(str(row[place]) for place in places): str(row[-1]) for row in result.rows or ()}


def diagnosed(counting: Census, database: str, subjects: Collection[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """What a diagnosis says of each subject: its state, or all that are left."""
    of, names = counting.triage, [name for name in counting.columns if name != SINCE]
    own = [each.id for each in counting.asked]
    observer = Observer(of.matrix, Proof(of.matrix).table, None)
    given = [dict(zip(names, subject, strict=True)) for subject in subjects]
    with reading(database) as reader:
        seen = observer.observe_all(one_by_one(reader.ask), given)
    answers = [{name: value for name, value in each.values.items() if name in own} for each in seen]
    return dict(zip(subjects, map(in_words, map(of.diagnose, answers)), strict=True))


def in_words(found: Diagnosis) -> str:
    return " or ".join([*(each.id for each in found.states), *([OUTSIDE] if found.outside else [])]) or "impossible"


def test_it_agrees_with_a_diagnosis_on_each_subject_of_all_combinations(database: str) -> None:
    counting = census(triage(with_store(MATRICES["design-export"])))
    found = counted(counting, database)
    assert len(found) == 220 * 4
    assert set(found.values()) == {*counting.matrix.states, OUTSIDE, "impossible"}
    assert found == diagnosed(counting, database, found)
    assert possible_combinations(counting, database, found) == Proof(counting.matrix).table.possible


def possible_combinations(counting: Census, database: str, subjects: Collection[tuple[str, ...]]) -> int:
    """How many of the combinations that are possible there are among some subjects."""
    table = Proof(counting.matrix).table
    observer = Observer(counting.matrix, table, None)
    given = [{"job": job, "generation": generation} for job, generation in subjects]
    with reading(database) as reader:
        seen = {tuple(each.values.items()) for each in observer.observe_all(one_by_one(reader.ask), given)}
    return sum(table.state_of(dict(each)) is not None for each in seen)


def test_states_that_only_a_file_tells_apart_are_counted_together(database: str) -> None:
    counting = census(triage(MATRICES["design-export"]))
    assert [each.id for each in counting.left_out] == ["candidate"]
    found = counted(counting, database)
    assert {"published or unavailable", "taken-over or orphan", "leased", "lapsed", "impossible"} <= set(found.values())
    assert found == diagnosed(counting, database, found)


def test_the_numbers_add_up_and_name_the_oldest(database: str) -> None:
    counting = census(triage(with_store(MATRICES["design-export"])))
    by_subject = Counter(counted(counting, database).values())
    with reading(database, 60) as reader:
        counts = counting.count(reader)
    assert {" or ".join(each.states) or "impossible": each.subjects for each in counts} == dict(by_subject)
    assert [each.states for each in counts][-1] == ()
    uncommitted = next(each for each in counts if each.states == ("uncommitted",))
    assert uncommitted.oldest.startswith("2026-11-30 00:00:00")
    assert [each.states[0] for each in counts if each.states][: len(MATRICES["design-export"].states)] == list(
        MATRICES["design-export"].states
    )


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "failure_matrix", "census", *arguments]
    return subprocess.run(run, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=120)


def test_the_view_can_be_created_and_counts_the_same(server: Server, database: str) -> None:
    done = command("design-export", "--sql")
    assert done.returncode == 0, done.stderr
    owner = Connection(server.conninfo.replace("dbname=postgres", "dbname=census"))
    made = owner.run(done.stdout)
    assert not made.failed, made.message
    shown = owner.run("select state, count(*) from design_export_state group by state").rows or ()
    owner.run("drop view design_export_state")
    owner.close()
    done = command("design-export", "--dsn", database, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["not_asked"] == ["candidate"]
    assert {
        " or ".join(each["states"]) or "impossible": each["subjects"] for each in found["counts"] if each["subjects"]
    } == (dict(shown))


def test_the_numbers_are_a_table_for_people(database: str) -> None:
    done = command("design-export", "--dsn", database)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["state", "subjects", "oldest"]
    assert lines[1].split() == ["uncommitted", "0"]
    assert "Not asked: candidate (artifact-store)." in done.stdout


@pytest.mark.parametrize("answer", ["null", "'odd'", "case when %(job)s % 2 = 0 then 'live' end"])
def test_an_answer_that_is_no_value_leaves_all_states_that_the_others_leave(database: str, answer: str) -> None:
    matrix = with_store(MATRICES["design-export"])
    lease = replace(matrix.observations["lease"], sql=f"select {answer}")
    counting = census(triage(replace(matrix, observations={**matrix.observations, "lease": lease})))
    found = counted(counting, database)
    assert any("leased or lapsed" in state for state in found.values())
    assert found == diagnosed(counting, database, found)


def test_of_several_rows_the_first_one_is_the_answer(database: str) -> None:
    matrix = MATRICES["design-export"]
    lease = replace(matrix.observations["lease"], sql="select unnest(array['live', 'lapsed']), %(job)s")
    counting = census(triage(replace(matrix, observations={**matrix.observations, "lease": lease})))
    found = counted(counting, database)
    assert "leased" in found.values()
    assert "lapsed" not in found.values()
    assert found == diagnosed(counting, database, found)


OTHERS = """
create table outbox (id bigint, payload text default '{}', created_at timestamptz, published_at timestamptz);
create table inbox (event_id bigint, applied_at timestamptz);
create table delivery (id bigint, status text, attempts int, claim_version int, next_attempt_at timestamptz);
insert into outbox select n, '{}', clock_timestamp() - interval '2 hours', case n % 3 when 0 then clock_timestamp() end
  from generate_series(1, 30) as n;
insert into delivery select n, (array['pending', 'sent', 'failed'])[1 + n % 3], n % 5, n % 4,
  clock_timestamp() + (n % 2 - 0.5) * interval '1 hour' from generate_series(1, 60) as n
"""


@pytest.fixture(scope="module")
def others(server: Server, database: str) -> str:
    """The same database with events and deliveries, some of which can't be."""
    owner = Connection(server.conninfo.replace("dbname=postgres", "dbname=census"))
    made = owner.run(OTHERS)
    owner.close()
    assert not made.failed, made.message
    return database


@pytest.mark.parametrize(
    ("name", "elsewhere"), [("outbox-relay", ["message", "inbox"]), ("notification-drain", ["push"])]
)
def test_the_other_matrices_are_counted_as_they_are_diagnosed(others: str, name: str, elsewhere: list[str]) -> None:
    counting = census(triage(MATRICES[name]))
    assert [each.id for each in counting.left_out] == elsewhere
    found = counted(counting, others)
    assert len(found) >= 30
    assert len(set(found.values())) > 1
    assert found == diagnosed(counting, others, found)


def test_a_hostile_list_of_subjects_writes_nothing(server: Server, database: str) -> None:
    matrix = MATRICES["design-export"]
    owner = Connection(server.conninfo.replace("dbname=postgres", "dbname=census"))
    before = owner.run("select count(*) from job").rows
    for query in (
        "delete from job returning id as job",
        "with gone as (delete from job returning id) select id as job from gone",
        "select 1 as job) as x; delete from job; select (1",
    ):
        given = Subjects(matrix.sources["jobs-db"], query)
        counting = Census(triage(replace(matrix, subjects=given)), given, ("job",))
        with reading(database, 5) as reader, pytest.raises(NoSubjects):
            counting.count(reader)
    assert owner.run("select count(*) from job").rows == before
    owner.close()


@pytest.mark.parametrize(
    "query", ["select id from job, (", "select * from job", "select id + 1 from job", "delete from job"]
)
def test_a_list_whose_columns_have_no_names_is_refused(query: str) -> None:
    matrix = MATRICES["design-export"]
    with pytest.raises(NoSubjects, match="no names that can be read"):
        census(triage(replace(matrix, subjects=Subjects(matrix.sources["jobs-db"], query))))


def test_a_matrix_without_subjects_says_so() -> None:
    with pytest.raises(NoSubjects, match="Add `subjects`"):
        census(triage(replace(MATRICES["design-export"], subjects=None)))
