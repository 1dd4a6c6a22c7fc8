"""The comparison is made of what the matrices say and of their statements, and says where it has nothing to show."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from projects import ROOT

from failure_matrix import pipeline, site
from failure_matrix.comparison import QUESTIONS, Comparison, compare
from failure_matrix.exhibits import EvidenceView
from failure_matrix.model import Dialect, Fact
from failure_matrix.pages import Templates
from failure_matrix.views import MatrixView

Compared = tuple[list[MatrixView], Mapping[str, EvidenceView]]


def with_dialect(view: MatrixView, dialect: Dialect | None) -> MatrixView:
    """The view of a matrix that says another dialect."""
    other = copy.copy(view)
    other.matrix = replace(view.matrix, dialect=dialect)
    return other


@pytest.fixture(scope="module")
def own() -> Compared:
    """The matrices of this repository, with what is recorded of them."""
    project, checked = pipeline.read_and_check(ROOT / "matrix", ROOT, date(2026, 12, 1))
    views = [MatrixView(matrix, checked.proofs[matrix.id], checked) for matrix in project.matrices.values()]
    return views, {each.evidence.suite.id: each for each in map(EvidenceView, checked.evidence.values())}


@pytest.fixture(scope="module")
def comparison(own: Compared) -> Comparison:
    found = compare(*own)
    assert found is not None
    return found


def test_each_matrix_answers_each_question_and_no_place_is_missing(comparison: Comparison) -> None:
    assert [each.matrix.id for each in comparison.compared] == ["design-export", "notification-drain", "outbox-relay"]
    assert [each.id for each in comparison.questions] == [name for name, _ in QUESTIONS]
    for question in comparison.questions:
        for answer in question.answers:
            assert answer.says
            assert answer.places
            for place in answer.places:
                assert place.key, place
                assert place.exhibit is None or place.exhibit.status == "shown", place


def test_only_the_relay_acts_outside_under_a_lock(comparison: Comparison) -> None:
    found = {
        each.matrix.id: [(one.action.id, one.opener.id) for one in each.under_lock] for each in comparison.compared
    }
    assert found == {"design-export": [], "notification-drain": [], "outbox-relay": [("publish", "claim")]}


def test_what_compares_the_token_and_what_does_not_is_read_from_the_statements(comparison: Comparison) -> None:
    found = {
        each.matrix.id: tuple(
            [guard.action.id for guard in guards] for guards in (each.compares, each.spared, each.open)
        )
        for each in comparison.compared
    }
    assert found == {
        "design-export": (["renew", "publish", "release", "reopen"], ["claim", "take-over", "cancel"], []),
        "notification-drain": (["record-sent", "record-failed", "retry", "give-up"], ["claim"], ["record-unfenced"]),
        "outbox-relay": ([], [], []),
    }
    assert [one.problem.address for one in comparison.compared[1].limits] == ["actions.record-unfenced.run"]


def test_one_dialect_alone_is_not_compared(own: Compared) -> None:
    views, evidence = own
    assert compare(views[:1], evidence) is None
    assert compare([views[0], with_dialect(views[1], None)], evidence) is None


def test_a_scenario_that_is_not_there_and_a_question_without_an_answer_are_said(own: Compared) -> None:
    views, evidence = own
    dialect = views[2].matrix.dialect
    assert dialect is not None
    other = replace(dialect, held=Fact("For long.", ("scenarios.nowhere", "states.held")), crash=Fact())
    relay = with_dialect(views[2], other)
    found = compare([*views[:2], relay], evidence)
    assert found is not None
    answers = {each.id: each.answers[2] for each in found.questions}
    assert [(place.words, place.key) for place in answers["held"].places] == [
        ("nowhere", ""),
        ("Held by a relay", "outbox-relay/states/held"),
    ]
    assert answers["crash"].says == ""
    shared = {"project": None, "matrices": [], "home": "index", "comparison": found}
    links = site.urls.Urls()
    page = site.render(site.Plan("comparison", "comparison.md.j2", shared), {}, Templates(), links)
    text = "".join(block.html for block in page.blocks)
    assert "nowhere: there is no such scenario" in text
    assert "not said" in text
    assert "lets a stale writer through" in text


def test_the_page_is_there_and_in_the_navigation(own_site: Path) -> None:
    page = (own_site / "comparison" / "index.html").read_text(encoding="utf-8")
    assert "How work is claimed" in page
    assert "not run" not in page
    assert 'href="comparison/"' in (own_site / "index.html").read_text(encoding="utf-8")
