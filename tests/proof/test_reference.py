"""The design export: what was worked out by hand and by a prototype before this program existed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from failure_matrix import graph
from failure_matrix.decision_table import decide, words
from failure_matrix.effects import effects
from failure_matrix.loader import load
from failure_matrix.neighbours import neighbours
from failure_matrix.ranges import broken_ranges

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def export():
    return load(ROOT / "matrix", ROOT).project.matrices["design-export"]


@pytest.fixture(scope="module")
def table(export):
    return decide(export)


def test_540_combinations_45_possible_each_in_exactly_one_state(table):
    assert (table.total, table.possible, table.sound) == (540, 45, True)
    counts: Counter[str] = Counter()
    for row in table.rows:
        counts[row.state] += row.count
    assert counts == {
        "uncommitted": 2,
        "ready": 2,
        "overdue": 2,
        "leased": 4,
        "lapsed": 4,
        "taken-over": 8,
        "orphan": 13,
        "published": 2,
        "unavailable": 4,
        "cancelled": 4,
    }


def test_rows_are_compressed_and_in_the_order_of_the_states(export, table):
    assert len(table.rows) == 14
    assert list(dict.fromkeys(row.state for row in table.rows)) == list(export.states)
    assert words(table.rows[0].pattern) == (
        "job=invisible, age=fresh, writer=open, generation=none, lease=none, candidate=absent|present"
    )


def test_every_clause_of_impossible_is_needed(table):
    assert table.empty_states == table.idle_clauses == ()
    assert all(excluded.alone for excluded in table.excluded)
    assert table.ruled_out_by(range(len(table.excluded))) == 495


def test_every_action_and_failure_lands_where_it_says(export, table):
    found = effects(export, table)
    for cell in found.cells():
        assert cell.undeclared() == cell.ruled_out() == cell.unreached() == (), (cell.state, cell.event.id)
    assert list(found.never_possible()) == list(found.undecided()) == []
    assert found.start is not None


def test_what_is_prevented_and_what_only_forbidden(export, table):
    found = effects(export, table)
    only_forbidden = [
        (state.id, cell.action.id)
        for state in export.states.values()
        for cell in state.forbidden
        if not found.prevented(state.id, cell.action.id)
    ]
    assert only_forbidden == [
        ("uncommitted", "insert-again"),
        ("overdue", "request-again"),
        ("lapsed", "assume-dead"),
        ("taken-over", "cancel"),
        ("orphan", "rename"),
        ("unavailable", "edit-digest"),
    ]


def test_the_graph_has_no_loose_ends(export):
    assert graph.unreachable(export) == graph.dead_ends(export) == graph.without_end(export) == ()
    assert list(graph.ways_out_of_terminal(export)) == []
    assert graph.circles(export) == ()
    assert graph.ends(export) == ("cancelled", "published", "outside")


def test_a_published_export_and_an_unavailable_one_differ_by_the_file(export, table):
    nearest = neighbours(export, table)["published"][0]
    assert nearest.state == "unavailable"
    assert [(each.observation, each.here, each.there) for each in nearest.apart] == [
        ("candidate", ("present",), ("absent", "damaged"))
    ]


def test_its_range_has_neither_hole_nor_overlap(export):
    assert broken_ranges(export) == ()
