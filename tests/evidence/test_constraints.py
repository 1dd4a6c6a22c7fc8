"""The constraints that `impossible` names refuse what it excludes, and nothing that is possible."""

from dataclasses import replace
from pathlib import Path

import pytest

from failure_matrix.evidence.constraints import show_constraints

ROOT = Path(__file__).parents[2]


@pytest.fixture
def shown(server, design_export, walked):
    """What is shown of the constraints, with a text of the tables exchanged."""

    def run(old="", new=""):
        book = design_export.playbook
        assert old in book.tables
        return show_constraints(server, replace(book, tables=book.tables.replace(old, new)), walked)

    return run


def test_the_design_exports_constraints_hold(shown):
    found = shown()
    assert [(each.constraint, each.holds) for each in found.clauses] == [
        ("job_lease_only_while_running", True),
        ("job_running_has_lease", True),
        ("job_running_has_epoch", True),
        ("job_digest_only_when_complete", True),
    ]
    assert all(found.possible.values())
    assert not found.limited


def test_a_constraint_that_lets_a_row_through_is_told_with_the_row(shown):
    loose = ("check (epoch > 0 or state not in ('running', 'complete'))", "check (epoch > 0 or state <> 'running')")
    clause = shown(*loose).clauses[2]
    assert not clause.holds
    assert '"state": "complete"' in clause.accepted
    assert '"epoch": 0' in clause.accepted


def test_a_constraint_that_is_not_there_is_told(shown):
    clause = shown("job_running_has_lease", "job_has_lease").clauses[1]
    assert clause.is_missing
    assert not clause.holds


def test_a_constraint_that_refuses_what_is_possible_is_told(shown):
    strict = ("check (state in ('ready', 'running', 'complete', 'cancelled'))", "check (state <> 'cancelled')")
    refused = [dict(each) for each, accepted in shown(*strict).possible.items() if not accepted]
    assert refused
    assert {each["job"] for each in refused} == {"cancelled"}
