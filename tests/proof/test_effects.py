"""Where actions and failures land, and what that says of the declared targets."""

from __future__ import annotations

import pytest
from small_matrix import action, failure, matrix, observations, outcome, state

from failure_matrix import landing
from failure_matrix.decision_table import decide
from failure_matrix.effects import effects
from failure_matrix.model import OUTSIDE, Action, Change

JOB = observations(job="none ready running done", lease="none live lapsed")
RULED_OUT = ("job=none, lease=none", "job=none, lease=live|lapsed", "job=ready|done, lease=live|lapsed")
REQUEST = action("request", "job=none, lease=none", "job=ready")
CLAIM = action("claim", "job=ready", "job=running, lease=live")
FINISH = action("finish", "job=running, lease=live", "job=done, lease=none")
DELETE = action("delete", "job=done", "job=none")


def job(ready=(), held=(), late=(), done=(), **more):
    """The four states of a job; `held` and the others are the actions that they permit, or more."""
    return matrix(
        JOB,
        state("ready", "job=ready", **dict(ready)),
        state("held", "job=running, lease=none|live", **dict(held)),
        state("late", "job=running, lease=lapsed", **dict(late)),
        state("done", "job=done", **dict(done)),
        **{"start": (REQUEST, "ready"), "actions": (), "impossible": RULED_OUT, **more},
    )


def cell(small, of_state, event):
    found = effects(small, decide(small))
    return found.actions.get((of_state, event)) or found.failures[of_state, event]


def targets(landings):
    return [landing.target for landing in landings]


def test_an_action_lands_where_it_says():
    claim = cell(job(ready={"permitted": [(CLAIM, "held")]}), "ready", "claim")
    assert claim.possible
    assert targets(claim.landings) == ["held"]
    assert claim.undeclared() == claim.ruled_out() == claim.unreached() == ()
    assert claim.landings[0].before == {"job": "ready", "lease": "none"}
    assert claim.landings[0].after == {"job": "running", "lease": "live"}


def test_a_landing_elsewhere_gives_a_combination_before_and_after():
    late_claim = action("claim", "job=ready", "job=running, lease=live|lapsed")
    claim = cell(job(ready={"permitted": [(late_claim, "held")]}), "ready", "claim")
    (landing,) = claim.undeclared()
    assert landing.target == "late"
    assert landing.before == {"job": "ready", "lease": "none"}
    assert landing.after == {"job": "running", "lease": "lapsed"}


def test_a_landing_in_an_impossible_combination():
    forgetful = action("finish", "job=running, lease=live", "job=done")
    finish = cell(job(held={"permitted": [(forgetful, "done")]}), "held", "finish")
    (landing,) = finish.ruled_out()
    assert landing.after == {"job": "done", "lease": "live"}
    assert finish.unreached() == ("done",)


def test_an_action_that_can_happen_nowhere_in_its_state():
    small = job(late={"permitted": [(FINISH, "done")]})
    assert [(each.state, each.event.id) for each in effects(small, decide(small)).never_possible()] == [
        ("late", "finish")
    ]
    assert cell(small, "late", "finish").unreached() == ()


def test_a_target_that_is_never_reached():
    claim = cell(job(ready={"permitted": [(CLAIM, "held late")]}), "ready", "claim")
    assert claim.unreached() == ("late",)


def test_sets_may_change_single_old_values_and_leave_the_others_alone():
    renew = action("renew", "job=running", "lease=none>live")
    small = job(held={"permitted": [(renew, "held")]}, late={"permitted": [(renew, "late")]})
    assert targets(cell(small, "held", "renew").landings) == ["held"]
    assert targets(cell(small, "late", "renew").landings) == ["late"]


def test_a_single_old_value_is_gone_afterwards():
    renew = action("renew", "job=running", "lease=none>live")
    landing = cell(job(held={"permitted": [(renew, "held")]}), "held", "renew").landings[0]
    assert landing.before == {"job": "running", "lease": "none"}
    assert landing.after == {"job": "running", "lease": "live"}


def test_two_old_values_may_become_the_same_one():
    known = observations(stage="a b c d")
    merge = Action("merge", "", sets={"stage": Change(by={"a": ("c",), "b": ("c",)})})
    small = matrix(
        known, state("one", "stage=a"), state("two", "stage=b"), state("three", "stage=c|d"), actions=(merge,)
    )
    assert [(each.state, targets(each.changes())) for each in effects(small, decide(small)).undecided()] == [
        ("one", ["three"]),
        ("two", ["three"]),
    ]


@pytest.mark.parametrize(("requires", "prevented"), [("job=running, lease=live", True), ("job=running", False)])
def test_a_forbidden_action_is_prevented_or_only_forbidden(requires, prevented):
    finish = action("finish", requires, "job=done, lease=none")
    small = job(late={"forbidden": (finish,)})
    assert effects(small, decide(small)).prevented("late", "finish") is prevented


def test_an_action_that_requires_nothing_is_only_forbidden():
    assume_dead = action("assume-dead")
    small = job(late={"forbidden": (assume_dead,)})
    assert not effects(small, decide(small)).prevented("late", "assume-dead")
    assert cell(small, "late", "assume-dead").changes() == ()


def test_an_action_left_out_of_a_state_that_it_could_change_is_undecided():
    take_over = action("take-over", "job=running", "lease=live")
    small = job(actions=(take_over,))
    undecided = list(effects(small, decide(small)).undecided())
    assert [(each.state, each.event.id) for each in undecided] == [("late", "take-over")]
    assert targets(undecided[0].changes()) == ["held"]


def test_an_action_left_out_of_a_state_that_it_cannot_change_is_decided():
    renew, look = action("renew", "job=running, lease=live", "lease=live"), action("look")
    small = job(actions=(renew, look))
    assert list(effects(small, decide(small)).undecided()) == []


def test_the_outside_is_where_the_start_can_happen():
    small = job(done={"permitted": [(DELETE, "outside")]})
    found = effects(small, decide(small))
    assert targets(found.actions["done", "delete"].landings) == [OUTSIDE]
    assert targets(found.start.landings) == ["ready"]
    assert found.start.landings[0].before == {"job": "none", "lease": "none"}


def test_leaving_what_belongs_inside_behind_is_not_the_outside():
    crash = action("crash", "job=running", "job=none")
    found = cell(job(late={"permitted": [(crash, "outside")]}), "late", "crash")
    assert found.ruled_out()[0].after == {"job": "none", "lease": "lapsed"}
    assert found.unreached() == ("outside",)


def test_what_two_clauses_rule_out_is_outside_only_if_both_describe_it():
    ruled_out = ("job=none", "job=none, lease=live|lapsed", "job=ready|done, lease=live|lapsed")
    crash = action("crash", "job=running", "job=none")
    small = job(late={"permitted": [(crash, "outside")]}, impossible=ruled_out)
    found = cell(small, "late", "crash")
    assert targets(found.landings) == [None]
    assert targets(effects(small, decide(small)).start.landings) == ["ready"]


def test_without_a_start_an_impossible_combination_is_the_outside_where_it_is_declared():
    small = job(done={"permitted": [(DELETE, "outside")]}, late={"permitted": [(DELETE, "outside")]}, start=None)
    assert targets(cell(small, "done", "delete").landings) == [OUTSIDE]
    small = job(done={"permitted": [(DELETE, "ready")]}, start=None)
    assert targets(cell(small, "done", "delete").ruled_out()) == [None]


def test_the_start_lands_in_the_first_state():
    small = job(start=(action("request", "job=none, lease=none", "job=running"), "ready"))
    assert targets(effects(small, decide(small)).start.undeclared()) == ["held"]


def test_a_start_that_requires_nothing_says_nothing_of_where_it_begins():
    small = job(start=(action("request", (), "job=ready"), "ready"))
    assert effects(small, decide(small)).start is None


def test_a_failure_lands_where_it_says():
    lapses = failure("lapses", outcome("held", "late", "lease=lapsed", requires=("lease=live",)))
    lapse = cell(job(failures=(lapses,)), "held", "lapses")
    assert targets(lapse.landings) == ["late"]
    assert lapse.undeclared() == lapse.unreached() == ()


def test_a_failure_with_a_wrong_target():
    lapse = cell(job(failures=(failure("lapses", outcome("held", "done", "lease=lapsed")),)), "held", "lapses")
    assert targets(lapse.undeclared()) == ["late"]
    assert lapse.unreached() == ("done",)


def test_a_failure_that_can_happen_nowhere_in_its_state():
    slip = failure("slip", outcome("late", "ready", "job=ready, lease=none", requires=("lease=live",)))
    small = job(failures=(slip,))
    assert [(each.state, each.event.id) for each in effects(small, decide(small)).never_possible()] == [
        ("late", "slip")
    ]


def test_a_failure_may_hide_whether_a_permitted_action_took_effect():
    lost = failure("answer-lost", outcome("held", "held done"))
    found = cell(job(held={"permitted": [(FINISH, "done")]}, failures=(lost,)), "held", "answer-lost")
    assert found.undeclared() == found.unreached() == ()


def test_a_failure_that_says_no_change_need_not_name_its_own_state():
    lost = failure("answer-lost", outcome("held", "done"))
    found = cell(job(held={"permitted": [(FINISH, "done")]}, failures=(lost,)), "held", "answer-lost")
    assert found.undeclared() == found.unreached() == ()


def test_a_failure_hides_no_forbidden_action():
    lost = failure("answer-lost", outcome("held", "held done"))
    found = cell(job(held={"forbidden": (FINISH,)}, failures=(lost,)), "held", "answer-lost")
    assert found.unreached() == ("done",)


def test_a_failure_that_says_no_change_reaches_no_other_state():
    lost = failure("answer-lost", outcome("held", "held ready done"))
    found = cell(job(held={"permitted": [(FINISH, "done")]}, failures=(lost,)), "held", "answer-lost")
    assert found.undeclared() == ()
    assert found.unreached() == ("ready",)


def test_a_state_without_a_possible_combination_has_no_cells():
    never = state("never", "job=ready, lease=live", permitted=[(CLAIM, "all")])
    lapses = failure("lapses", outcome("never", "all", "lease=lapsed"))
    small = matrix(JOB, state("all", "", permitted=[(CLAIM, "all")]), never, impossible=RULED_OUT, failures=(lapses,))
    assert [each.state for each in effects(small, decide(small)).cells()] == ["all"]


def test_a_table_that_is_not_decided_has_no_effects():
    small = job(ready={"permitted": [(CLAIM, "held")]})
    found = effects(small, decide(small, budget=1))
    assert not found.decided
    assert list(found.cells()) == []


def test_a_search_that_is_given_up_is_told(monkeypatch):
    small = job(ready={"permitted": [(CLAIM, "held")]})
    table = decide(small)
    assert effects(small, table).decided
    monkeypatch.setattr(landing, "SEARCHING", 0)
    assert not effects(small, table).decided
