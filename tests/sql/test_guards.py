"""What statements compare before they change a row: the table in `guards.yml`, a line a spelling."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from failure_matrix import sql
from failure_matrix.model import Action, Authority, Matrix, Source

AUTHORITY = Authority(Source("db", "Database", "postgresql"), "job", "epoch", "owner", "lease_until")
SPELLINGS = yaml.safe_load(Path(__file__).with_name("guards.yml").read_text(encoding="utf-8"))
WORDS = ["id", "state", "lease", "holder", "generation"]


@pytest.mark.parametrize("spelling", SPELLINGS, ids=lambda spelling: " ".join(spelling["sql"].split())[:90])
def test_what_a_statement_compares(spelling: dict[str, str]) -> None:
    facts = sql.facts(spelling["sql"], AUTHORITY)
    changes = list(facts.changes_of("job"))
    assert facts.problem is None
    if spelling["compares"] == "nothing changed":
        assert changes == []
        return
    expected = [] if spelling["compares"] == "none" else spelling["compares"].split(", ")
    assert [write.roles for write in changes] == [tuple(sorted(expected, key=WORDS.index))]


def test_the_weakest_change_counts() -> None:
    facts = sql.facts(
        "update job set a = 1 where id = 1 and epoch = %(e)s; update job set b = 1 where id = 1", AUTHORITY
    )
    assert sql.strength(facts, AUTHORITY) is sql.Strength.ID
    assert sql.strength(facts, None) is None
    assert sql.strength(sql.facts("select 1", AUTHORITY), AUTHORITY) is None


def test_the_guards_of_a_matrix_are_in_the_order_of_its_actions() -> None:
    finish = Action(
        "finish", "Finish", run="update job set state = 'done' where id = %(job)s and epoch = %(generation)s"
    )
    reset = Action("reset", "Reset", run="update job set state = 'ready'")
    look = Action("look", "Look", run="select state from job")
    actions = {action.id: action for action in (finish, look, reset)}
    matrix = Matrix("jobs", "Jobs", "jobs.yml", {}, {}, actions, authority=AUTHORITY)
    assert sql.guards(matrix) == (
        sql.Guard(
            finish,
            "job",
            ("id", "generation"),
            sql.Strength.GENERATION,
            ("id = %(job)s", "epoch = %(generation)s"),
        ),
        sql.Guard(reset, "job", (), sql.Strength.NONE, ()),
    )


def test_a_matrix_without_an_authority_has_no_guards() -> None:
    reset = Action("reset", "Reset", run="update job set state = 'ready'")
    assert sql.guards(Matrix("jobs", "Jobs", "jobs.yml", {}, {}, {"reset": reset})) == ()
