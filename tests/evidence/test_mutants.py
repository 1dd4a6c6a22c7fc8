"""Conditions are left out one by one, and what nothing misses is told."""

from pathlib import Path

import pytest

from failure_matrix.evidence.loading import load_suites
from failure_matrix.evidence.mutants import Hunter, Mutant, mutants
from failure_matrix.evidence.running import Runner
from failure_matrix.evidence.walking import walker
from failure_matrix.loader import load
from failure_matrix.model import Action

ROOT = Path(__file__).parents[2]


def cut(sql: str) -> list[tuple[str, str]]:
    return [(mutant.condition, mutant.sql) for mutant in mutants(Action("a", "A", run=sql))]


def test_each_condition_is_left_out_in_turn():
    assert cut("update t set x = 1 where id = %(id)s and n <= now() and (a or b)") == [
        ("id = %(id)s", "UPDATE t SET x = 1 WHERE n <= now() AND (a OR b)"),
        ("n <= now()", "UPDATE t SET x = 1 WHERE id = %(id)s AND (a OR b)"),
        ("(a OR b)", "UPDATE t SET x = 1 WHERE id = %(id)s AND n <= now()"),
    ]


def test_conditions_of_inner_queries_count_and_other_statements_stay():
    assert cut("begin; with n as (select id from t where a) update t set x = 1 from n where t.id = n.id; select 1") == [
        ("t.id = n.id", "begin;\nWITH n AS (SELECT id FROM t WHERE a) UPDATE t SET x = 1 FROM n;\nselect 1"),
        ("a", "begin;\nWITH n AS (SELECT id FROM t) UPDATE t SET x = 1 FROM n WHERE t.id = n.id;\nselect 1"),
    ]


def test_without_a_condition_there_is_no_mutant():
    assert cut("insert into t values (1)") == []


@pytest.fixture(scope="module")
def hunter(server):
    suites = load_suites(ROOT / "matrix", ROOT, load(ROOT / "matrix", ROOT).project).suites
    suite = next(each for each in suites if each.playbook)
    quick = tuple(each for each in suite.scenarios if each.orders is None)
    with walker(server, suite.playbook) as walking, Runner(server, suite.playbook) as runner:
        walking.walk()
        yield Hunter(server, runner, walking, quick)


def missed_by(hunter, action: str) -> dict[str, str]:
    matrix = load(ROOT / "matrix", ROOT).project.matrices["design-export"]
    return {each.condition: hunter.run(each).missed_by for each in mutants(matrix.actions[action])}


def test_scenarios_or_the_walk_miss_what_is_needed_and_nothing_misses_the_name(hunter):
    assert missed_by(hunter, "renew") == {
        "id = %(job)s": "one-job-of-two",
        "state = 'running'": "",
        "owner = %(worker)s": "",
        "epoch = %(generation)s": "walk",
        "lease_until > clock_timestamp()": "elapsed-lease",
    }


def test_a_mutant_that_is_no_sql_counts_for_nothing(hunter):
    run = hunter.run(Mutant("renew", "epoch = %(generation)s", "update job sett x"))
    assert (run.missed_by, run.invalid) == ("", True)


def test_the_walk_is_as_it_was_after_a_mutant(hunter):
    walked = hunter._walker.walked
    before = (len(walked.places), walked.tried, len(walked.found))
    hunter.run(Mutant("publish", "all", "update job set owner = 'x' where id = %(job)s"))
    assert (len(walked.places), walked.tried, len(walked.found)) == before
