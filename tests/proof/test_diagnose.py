"""Diagnoses by the decision table's boxes, held against all combinations, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest
from small_matrix import action, combinations, is_ruled_out, matrix, observations, state, states_covering

from failure_matrix import loader
from failure_matrix.decision_table import decide
from failure_matrix.diagnose import Answers, Triage
from failure_matrix.effects import effects
from failure_matrix.model import OUTSIDE, Matrix

MATRICES = Path(__file__).parents[2] / "matrix"


def triage(of: Matrix) -> Triage:
    table = decide(of)
    assert table.sound
    return Triage(of, table, effects(of, table))


@pytest.fixture(scope="module")
def export() -> Triage:
    loaded = loader.load(MATRICES, MATRICES.parent)
    return triage(loaded.project.matrices["design-export"])


def all_answers(of: Matrix) -> Iterator[dict[str, str | None]]:
    """Each value of each observation, or that nobody can tell."""
    for values in product(*((*each.value_ids, None) for each in of.observations.values())):
        yield dict(zip(of.observations, values, strict=True))


def fits(combination: Mapping[str, str], answers: Answers) -> bool:
    return all(value is None or combination[name] == value for name, value in answers.items())


def is_outside(combination: Mapping[str, str]) -> bool:
    """As the reference matrix's first rule says it."""
    wanted = {"job": "invisible", "writer": "none", "candidate": "absent", "generation": "none", "lease": "none"}
    wanted["age"] = "fresh"
    return dict(combination) == wanted


def test_all_answers_to_the_reference_matrix_are_diagnosed_as_counting_says(export: Triage) -> None:
    every = list(combinations(export.matrix.observations))
    for answers in all_answers(export.matrix):
        left = [each for each in every if fits(each, answers)]
        possible = [each for each in left if not is_ruled_out(export.matrix, each)]
        states = {name for each in possible for name in states_covering(export.matrix, each)}
        found = export.diagnose(answers)
        assert {each.id for each in found.states} == states
        assert bool(found.outside) == any(map(is_outside, left))
        assert found.verdict == expected_verdict(states, bool(found.outside))
        assert all(all(each.permission(one.id) for each in found.states) for one in found.safe)
        assert {one.action.id for one in found.forbidden} == {
            cell.action.id for each in found.states for cell in each.forbidden
        }
        assert not {one.id for one in found.safe} & {one.action.id for one in found.forbidden}
        assert bool(found.broken) == (not states and not found.outside)
        for rule in found.broken:
            assert any(when.covers(each) for when in rule.when for each in left)


def expected_verdict(states: set[str], outside: bool) -> str:
    if not states:
        return "impossible"
    return "one state" if len(states) == 1 and not outside else "not distinguished"


OPEN = "still open"


def some_answers(of: Matrix) -> Iterator[Answers]:
    """Each value of each observation, that nobody can tell, or that it is still open."""
    for values in product(*((*each.value_ids, None, OPEN) for each in of.observations.values())):
        yield {name: value for name, value in zip(of.observations, values, strict=True) if value != OPEN}


def test_the_next_question_leaves_the_fewest_states_on_average(export: Triage) -> None:
    possible = [each for each in combinations(export.matrix.observations) if not is_ruled_out(export.matrix, each)]
    known = [(each, states_covering(export.matrix, each)[0]) for each in possible]
    known += [(each, OUTSIDE) for each in combinations(export.matrix.observations) if is_outside(each)]
    for answers in some_answers(export.matrix):
        left = [(each, name) for each, name in known if fits(each, answers)]
        question = export.diagnose(answers).question
        assert (question.id if question else "") == best_question(export, answers, left)


def best_question(export: Triage, answers: Answers, left: list[tuple[dict[str, str], str]]) -> str:
    """By counting: of the open questions that tell rows of the table apart, the one that leaves fewest states."""
    of, sizes = export.matrix, {}
    if len({name for _, name in left}) < 2:
        return ""
    patterns = [export.space.pattern(place.box) for place in export.places]
    rows = [
        row for row in patterns if all(value in (None, *row.get(name, (value,))) for name, value in answers.items())
    ]
    for observation in of.observations.values():
        seen: dict[str, list[str]] = {}
        for each, name in left:
            seen.setdefault(each[observation.id], []).append(name)
        told_apart = {row.get(observation.id, observation.value_ids) for row in rows}
        if observation.id not in answers and len(seen) > 1 and len(told_apart) > 1:
            sizes[observation.id] = sum(len(names) * len(set(names)) for names in seen.values())
    return min(sizes, key=sizes.__getitem__) if sizes else ""


def test_a_running_job_with_a_live_lease_may_be_published_only_as_its_current_generation(export: Triage) -> None:
    found = export.diagnose({"job": "running", "lease": "live"})
    assert [each.id for each in found.states] == ["leased", "taken-over", "orphan"]
    assert found.safe == ()
    assert found.question is not None
    assert found.question.id == "generation"
    found = export.diagnose({"job": "running", "lease": "live", "generation": "current"})
    assert found.verdict == "one state"
    assert [each.id for each in found.safe] == ["renew", "write-candidate", "publish", "release", "cancel", "ask"]


def test_what_was_never_requested_is_no_orphan(export: Triage) -> None:
    found = export.diagnose({"job": "invisible", "writer": "none"})
    assert [each.id for each in found.states] == ["orphan"]
    assert [each.because for each in found.outside] == ["Nothing was ever requested under this id. Check the id."]
    assert found.verdict == "not distinguished"
    assert found.question is not None
    assert found.question.id == "candidate"


def test_a_forbidden_action_says_in_which_states_nothing_prevents_it(export: Triage) -> None:
    found = {one.action.id: one for one in export.diagnose({"job": "running"}).forbidden}
    assert [(each.state.id, each.prevented) for each in found["cancel"].by] == [("taken-over", False)]
    assert {(each.state.id, each.prevented) for each in found["publish"].by} >= {("lapsed", True)}


def test_of_several_broken_rules_the_one_that_suffices_is_named(export: Triage) -> None:
    found = export.diagnose({"job": "ready", "writer": "open"})
    assert [each.because for each in found.broken] == [
        "The row becomes visible only once the inserting transaction has ended."
    ]


def test_rules_that_only_together_rule_the_answers_out_are_all_named() -> None:
    known = observations(job="ready running", lease="none live")
    go = action("go")
    small = matrix(
        known,
        state("idle", "job=ready, lease=none", permitted=((go, "idle"),)),
        impossible=("job=running, lease=none", "job=running, lease=live", "job=ready, lease=live"),
    )
    found = triage(small).diagnose({"job": "running"})
    assert found.verdict == "impossible"
    assert found.broken == small.impossible[:2]


def test_no_question_is_asked_that_nobody_can_answer_or_whose_answer_is_known(export: Triage) -> None:
    answers: dict[str, str | None] = {"job": "complete", "generation": "current", "candidate": None}
    found = export.diagnose(answers)
    assert [each.id for each in found.states] == ["published", "unavailable"]
    assert found.question is None
    assert [each.id for each in found.safe] == ["reconcile", "ask", "reopen"]
