"""Is every possible combination in exactly one state, and if not, which one isn't?"""

from __future__ import annotations

from small_matrix import matrix, observations, pattern, state

from failure_matrix import decision_table, patterns
from failure_matrix.decision_table import IdleClause, decide, words

JOB = observations(job="ready running done", lease="none live lapsed", file="absent present damaged")


def rows(table):
    return [f"{row.state} {row.count}: {words(row.pattern)}" for row in table.rows]


def gaps(table):
    return [words(gap.pattern) for gap in table.gaps]


def test_words_name_the_observations_and_their_values():
    assert words(pattern("job=ready, file=present|damaged")) == "job=ready, file=present|damaged"
    assert words({"job": "ready", "lease": "none"}) == "job=ready, lease=none"
    assert words({}) == "any combination"


def test_a_sound_table_puts_every_combination_in_one_state():
    small = matrix(
        JOB,
        state("waiting", "job=ready"),
        state("held", "job=running"),
        state("finished", "job=done, file=present"),
        state("lost", "job=done, file=absent|damaged"),
    )
    table = decide(small)
    assert table.sound
    assert (table.total, table.possible, table.uncovered) == (27, 27, 0)
    assert rows(table) == [
        "waiting 9: job=ready",
        "held 9: job=running",
        "finished 3: job=done, file=present",
        "lost 6: job=done, file=absent|damaged",
    ]


def test_what_is_impossible_needs_no_state():
    small = matrix(JOB, state("idle", "job=ready"), state("busy", "job=running"), impossible=("job=done",))
    table = decide(small)
    assert table.sound
    assert (table.total, table.possible) == (27, 18)


def test_a_gap_names_only_what_matters_and_gives_one_combination():
    small = matrix(
        JOB,
        state("held", "job=running"),
        state("waiting", "job=ready, file=absent"),
        state("done", "job=done"),
        impossible=("job=ready, lease=live|lapsed",),
    )
    table = decide(small)
    assert not table.sound
    assert table.uncovered == 2
    assert gaps(table) == ["job=ready, file=present|damaged"]
    assert table.gaps[0].example == {"job": "ready", "lease": "none", "file": "present"}


def test_a_gap_does_not_list_a_value_that_is_impossible_there():
    small = matrix(
        JOB,
        state("held", "job=running|done"),
        state("waiting", "job=ready, file=absent"),
        impossible=("job=ready, file=damaged",),
    )
    assert gaps(decide(small)) == ["job=ready, file=present"]


def test_gaps_that_have_nothing_in_common_are_told_apart():
    small = matrix(
        JOB,
        state("a", "job=ready, lease=none|live"),
        state("b", "job=running, file=absent|present"),
        state("c", "job=done"),
    )
    assert gaps(decide(small)) == ["job=ready, lease=lapsed", "job=running, file=damaged"]


def test_without_states_everything_is_one_gap():
    table = decide(matrix(JOB))
    assert gaps(table) == ["any combination"]
    assert table.uncovered == 27


def test_an_overlap_names_both_patterns_and_a_combination_that_is_possible():
    small = matrix(
        JOB,
        state("late", "job=ready, lease=none", "job=running, lease=lapsed"),
        state("damaged", "file=damaged"),
        state(
            "rest",
            "job=ready, lease=live|lapsed, file=absent|present",
            "job=running, lease=none|live, file=absent|present",
            "job=done, file=absent|present",
        ),
        impossible=("job=ready, file=damaged",),
    )
    table = decide(small)
    assert not table.sound
    (overlap,) = table.overlaps
    assert (overlap.first, overlap.first_when, overlap.second, overlap.second_when) == ("late", 1, "damaged", 0)
    assert words(overlap.pattern) == "job=running, lease=lapsed, file=damaged"
    assert overlap.example == {"job": "running", "lease": "lapsed", "file": "damaged"}


def test_an_overlap_that_is_impossible_is_none():
    small = matrix(
        JOB,
        state("waiting", "job=ready"),
        state("rest", "job=running|done", "file=damaged"),
        impossible=("job=ready, file=damaged",),
    )
    assert decide(small).sound


def test_two_patterns_of_one_state_may_overlap():
    assert decide(matrix(JOB, state("all", "job=ready|running", "job=running|done"))).sound


def test_of_three_states_in_one_place_the_others_are_held_against_the_first():
    table = decide(matrix(JOB, state("a", ""), state("b", "job=ready"), state("c", "job=ready")))
    assert [(overlap.first, overlap.second) for overlap in table.overlaps] == [("a", "b"), ("a", "c")]


def test_a_state_wholly_inside_impossible_is_empty():
    small = matrix(
        JOB,
        state("all", ""),
        state("never", "job=ready, lease=live", "job=ready, lease=lapsed"),
        impossible=("job=ready, lease=live|lapsed",),
    )
    table = decide(small)
    assert table.sound
    assert table.empty_states == ("never",)


def test_each_clause_says_what_it_rules_out_and_what_it_alone_does():
    small = matrix(JOB, state("all", ""), impossible=("job=ready, lease=live", ("job=ready", "job=ready, file=absent")))
    table = decide(small)
    assert [(each.clause, each.count, each.alone) for each in table.excluded] == [(0, 3, 0), (1, 9, 6)]
    assert table.ruled_out_by([0, 1]) == 9
    assert table.ruled_out_only_by([0, 1]) == 9


def test_an_idle_clause_says_which_ones_cover_it():
    small = matrix(
        JOB,
        state("all", ""),
        impossible=("job=done", "job=ready, lease=live", "job=running, lease=live", "lease=live", "file=damaged"),
    )
    idle = decide(small).idle_clauses
    assert idle == (IdleClause(1, (3,)), IdleClause(2, (3,)))


def test_a_clause_can_be_covered_by_several_together():
    small = matrix(JOB, state("all", ""), impossible=("job=ready|running", "job=running|done", "lease=live"))
    assert decide(small).idle_clauses == (IdleClause(2, (0, 1)),)


def test_of_two_equal_clauses_the_later_one_is_idle():
    small = matrix(JOB, state("all", ""), impossible=("job=done", "job=done"))
    assert decide(small).idle_clauses == (IdleClause(1, (0,)),)


def test_past_the_budget_it_is_not_decided():
    known = observations(**{f"light{n}": "on off" for n in range(12)})
    parity = (
        state(f"s{n}", ", ".join(f"light{m}={'on' if n >> m & 1 else 'off'}" for m in range(12))) for n in range(4096)
    )
    small = matrix(known, *parity)
    assert decide(small).sound
    table = decide(small, budget=100)
    assert not table.decided
    assert not table.sound
    assert table.empty_states == ()


def test_what_was_found_within_the_budget_is_still_true():
    small = matrix(JOB, state("a", "lease=none"), state("b", "lease=live, file=absent"))
    table = decide(small, budget=4)
    assert not table.decided
    for gap in table.gaps:
        assert decide(small).state_of(gap.example) is None


def test_the_state_of_a_combination():
    small = matrix(
        JOB, state("waiting", "job=ready"), state("held", "job=running, lease=live"), impossible=("job=done",)
    )
    table = decide(small)
    assert table.state_of({"job": "running", "lease": "live", "file": "absent"}) == "held"
    assert table.state_of({"job": "running", "lease": "none", "file": "absent"}) is None
    assert table.state_of({"job": "done", "lease": "none", "file": "absent"}) is None
    assert table.clauses_against({"job": "done", "lease": "none", "file": "absent"}) == (0,)


def test_the_states_left_by_what_is_known():
    small = matrix(
        JOB,
        state("waiting", "job=ready"),
        state("held", "job=running, lease=live"),
        state("late", "job=running, lease=lapsed"),
        state("finished", "job=done"),
        impossible=("job=running, lease=none", "job=ready|done, lease=live|lapsed"),
    )
    table = decide(small)
    assert table.states_left(pattern("")) == ("waiting", "held", "late", "finished")
    assert table.states_left(pattern("lease=live|lapsed")) == ("held", "late")
    assert table.states_left(pattern("lease=none")) == ("waiting", "finished")
    assert table.states_left(pattern("job=running, lease=none")) == ()


def test_a_matrix_without_observations_has_one_combination():
    table = decide(matrix({}, state("all", "")))
    assert table.sound
    assert (table.total, table.possible, table.empty_states) == (1, 1, ())
    assert table.states_left(pattern("")) == ("all",)


def test_in_a_large_table_rows_are_not_listed_exactly_but_counted_exactly(monkeypatch):
    small = matrix(
        JOB,
        state("waiting", "job=ready"),
        state("rest", "job=running|done"),
        impossible=("job=ready, lease=live, file=absent", "job=running"),
    )
    assert rows(decide(small)) == [
        "waiting 6: job=ready, lease=none|lapsed",
        "waiting 2: job=ready, lease=live, file=present|damaged",
        "rest 9: job=done",
    ]
    monkeypatch.setattr(decision_table, "LISTING", 3)
    assert rows(decide(small)) == ["waiting 8: job=ready", "rest 9: job=done"]


def test_what_would_take_too_long_to_count_is_not_counted(monkeypatch):
    small = matrix(JOB, state("all", ""), impossible=("job=ready, lease=live", "lease=live, file=absent"))
    assert decide(small).possible == 22
    monkeypatch.setattr(decision_table, "COUNTING", 1)
    monkeypatch.setattr(decision_table, "LISTING", 1)
    table = decide(small)
    assert table.sound
    assert table.possible is None
    assert [row.count for row in table.rows] == [None]
    assert [(each.count, each.alone) for each in table.excluded] == [(3, 2), (3, None)]


def test_an_overlap_that_may_be_impossible_is_not_decided_past_the_budget():
    small = matrix(
        JOB,
        state("a", "job=ready"),
        state("b", "file=damaged"),
        state("c", "job=running|done, file=absent|present"),
        impossible=("job=ready, lease=none", "job=ready, lease=live|lapsed"),
    )
    assert decide(small).sound
    for budget in range(1, 9):
        table = decide(small, budget)
        assert not table.overlaps
        assert not table.gaps


def test_of_two_names_for_a_gap_the_author_s_first_observation_is_kept():
    ruled_out = ("job=ready, lease=live|lapsed", "job=running|done, lease=none")
    small = matrix(JOB, state("rest", "job=running|done, lease=live|lapsed"), impossible=ruled_out)
    assert gaps(decide(small)) == ["job=ready"]


def test_a_gap_also_holds_what_another_gap_holds():
    known = observations(a="0 1 2", b="0 1 2")
    small = matrix(known, state("rest", "a=2", "b=2", "a=0, b=1"))
    assert gaps(decide(small)) == ["a=0|1, b=0", "a=1, b=0|1"]


def test_what_a_wider_gap_holds_is_not_told_again():
    known = observations(a="0 1", b="0 1")
    assert gaps(decide(matrix(known, impossible=("a=0, b=1", "a=1, b=0")))) == ["any combination"]


def test_a_state_without_patterns_is_not_called_impossible():
    table = decide(matrix(JOB, state("all", ""), state("unwritten")))
    assert table.empty_states == ()


def test_a_pattern_with_an_unknown_value_holds_nothing():
    table = decide(
        matrix(JOB, state("rest", "job=running|done"), state("waiting", "job=redy"), impossible=("lease=lost",))
    )
    assert gaps(table) == ["job=ready"]
    assert table.possible == 27
    assert table.overlaps == ()


def test_an_idle_clause_past_the_budget_is_not_called_idle(monkeypatch):
    small = matrix(JOB, state("all", ""), impossible=("job=done", "job=done"))
    monkeypatch.setattr(patterns, "SEARCHING", 0)
    assert decide(small).idle_clauses == ()


def test_a_state_wholly_impossible_has_no_row_in_a_large_table_either(monkeypatch):
    small = matrix(
        JOB,
        state("rest", "job=running|done"),
        state("never", "job=ready"),
        impossible=("job=ready, lease=none", "job=ready, lease=live|lapsed"),
    )
    assert rows(decide(small)) == ["rest 18: job=running|done"]
    monkeypatch.setattr(decision_table, "LISTING", 1)
    assert rows(decide(small)) == ["rest 18: job=running|done"]


def test_the_example_of_an_overlap_is_possible_where_only_a_part_of_it_is():
    small = matrix(JOB, state("a", "job=ready"), state("b", "file=damaged"), impossible=("job=ready, lease=none|live",))
    (overlap,) = decide(small).overlaps
    assert overlap.example == {"job": "ready", "lease": "lapsed", "file": "damaged"}
