"""The constraints that `impossible` names refuse what it excludes, and nothing that is possible."""

from dataclasses import replace
from pathlib import Path

import pytest

from failure_matrix.evidence.constraints import show_constraints
from failure_matrix.evidence.loading import load_suites
from failure_matrix.evidence.walking import walk
from failure_matrix.loader import load

ROOT = Path(__file__).parents[2]
SUITES = load_suites(ROOT / "matrix", ROOT, load(ROOT / "matrix", ROOT).project).suites
PLAYBOOK = next(suite.playbook for suite in SUITES if suite.playbook)


@pytest.fixture(scope="module")
def walked(server):
    return walk(server, PLAYBOOK)


def shown(server, walked, old="", new=""):
    assert old in PLAYBOOK.tables
    return show_constraints(server, replace(PLAYBOOK, tables=PLAYBOOK.tables.replace(old, new)), walked)


def test_the_design_exports_constraints_hold(server, walked):
    found = shown(server, walked)
    assert [(each.constraint, each.holds) for each in found.clauses] == [
        ("job_lease_only_while_running", True),
        ("job_running_has_lease", True),
        ("job_running_has_epoch", True),
        ("job_digest_only_when_complete", True),
    ]
    assert all(found.possible.values())
    assert not found.limited


def test_a_constraint_that_lets_a_row_through_is_told_with_the_row(server, walked):
    loose = ("check (epoch > 0 or state not in ('running', 'complete'))", "check (epoch > 0 or state <> 'running')")
    clause = shown(server, walked, *loose).clauses[2]
    assert not clause.holds
    assert '"state": "complete"' in clause.accepted
    assert '"epoch": 0' in clause.accepted


def test_a_constraint_that_is_not_there_is_told(server, walked):
    clause = shown(server, walked, "job_running_has_lease", "job_has_lease").clauses[1]
    assert clause.is_missing
    assert not clause.holds


def test_a_constraint_that_refuses_what_is_possible_is_told(server, walked):
    strict = ("check (state in ('ready', 'running', 'complete', 'cancelled'))", "check (state <> 'cancelled')")
    refused = [dict(each) for each, accepted in shown(server, walked, *strict).possible.items() if not accepted]
    assert refused
    assert {each["job"] for each in refused} == {"cancelled"}
