"""Which states look most alike, and what tells them apart."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from small_matrix import matrix, observations, state

from failure_matrix.decision_table import decide
from failure_matrix.neighbours import MOST, Difference, alike_but_for, neighbours

JOB = observations(job="ready running done", lease="none live lapsed", file="absent present")
RULED_OUT = ("job=ready|done, lease=live|lapsed", "job=running, lease=none", "job=ready, file=present")
STATES = (
    state("ready", "job=ready"),
    state("held", "job=running, lease=live"),
    state("late", "job=running, lease=lapsed"),
    state("done", "job=done, file=present"),
    state("lost", "job=done, file=absent"),
)


def near(*states, known=JOB, impossible=RULED_OUT):
    small = matrix(known, *states, impossible=impossible)
    return neighbours(small, decide(small))


def test_the_nearest_state_and_what_tells_it_apart():
    (late,) = near(*STATES)["held"]
    assert late.state == "late"
    assert late.apart == (Difference("lease", ("live",), ("lapsed",)),)


def test_values_that_are_impossible_count_for_nothing():
    """`ready` names no file, yet never has one: so it is nearer to `lost` than to `done`."""
    assert [each.state for each in near(*STATES)["ready"]] == ["lost"]


def test_a_state_that_is_alone_has_no_neighbours():
    assert near(state("all", ""), impossible=())["all"] == ()


def test_what_is_impossible_is_no_neighbour():
    known = observations(a="0 1", b="0 1")
    found = near(
        state("zeros", "a=0, b=0"), state("ones", "a=1, b=1"), known=known, impossible=("a=0, b=1", "a=1, b=0")
    )
    (ones,) = found["zeros"]
    assert ones.state == "ones"
    assert [each.observation for each in ones.apart] == ["a", "b"]


def test_a_state_of_several_patterns_is_no_neighbour_of_itself_and_its_nearest_pattern_counts():
    known = observations(a="0 1 2", b="0 1 2", c="0 1 2")
    found = near(
        state("here", "a=0, b=0, c=0", "a=0, b=0, c=1"), state("near", "a=0, b=1, c=1"), state("far", "a=1, b=1, c=0"),
        known=known, impossible=(),
    )  # fmt: skip
    assert [each.state for each in found["here"]] == ["near"]
    assert found["here"][0].apart == (Difference("b", ("0",), ("1",)),)


def test_of_a_neighbour_s_patterns_the_nearest_in_the_file_is_held_against_the_state():
    known = observations(a="0 1 2 3", b="0 1")
    found = near(state("here", "a=0, b=0"), state("there", "a=1, b=0", "a=2, b=0"), known=known, impossible=())
    assert found["here"][0].apart == (Difference("a", ("0",), ("1",)),)


def test_the_nearest_in_the_file_comes_first_whichever_pattern_it_is_near_to():
    known = observations(a="0 1 2 3", b="0 1 2 3")
    found = near(
        state("x", "a=1, b=0"), state("here", "a=0, b=0", "a=0, b=1"), state("y", "a=3, b=3"), state("z", "a=2, b=1"),
        known=known, impossible=(),
    )  # fmt: skip
    assert [each.state for each in found["here"]] == ["x", "z"]


def test_patterns_that_only_several_observations_together_tell_apart_are_not_compared():
    known = observations(a="0 1 2", b="0 1 2")
    ruled_out = ("a=1, b=1", "a=0, b=2", "a=2, b=0")
    found = near(state("low", "a=0|1, b=0|1"), state("high", "a=1|2, b=1|2"), known=known, impossible=ruled_out)
    assert found == {"low": (), "high": ()}


def test_states_far_apart_do_not_look_alike():
    known = observations(a="0 1", b="0 1", c="0 1", d="0 1")
    ruled_out = tuple(f"{one}=0, {other}=1" for one in "abcd" for other in "abcd" if one != other)
    found = near(state("zeros", "a=0"), state("ones", "a=1"), known=known, impossible=ruled_out)
    assert found == {"zeros": (), "ones": ()}


def test_of_many_the_nearest_in_the_file_are_named():
    known = observations(step=" ".join(f"s{n}" for n in range(40)))
    found = near(*(state(f"s{n}", f"step=s{n}") for n in range(40)), known=known, impossible=())
    assert [each.state for each in found["s20"]] == ["s21", "s19", "s22", "s18", "s23"]
    assert len(found["s0"]) == MOST


def test_pairs_that_one_observation_alone_tells_apart():
    table = decide(matrix(JOB, *STATES, impossible=RULED_OUT))
    assert list(alike_but_for(table, "lease")) == [("held", "late")]
    assert list(alike_but_for(table, "file")) == [("done", "lost")]
    assert list(alike_but_for(table, "job")) == [("ready", "lost")]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("012"), min_size=4, max_size=4).map(tuple), min_size=2, max_size=8, unique=True)
)
def test_neighbours_agree_with_comparing_every_pair(places):
    """Each state is one combination of four observations."""
    known = observations(**dict.fromkeys("abcd", "0 1 2"))
    states = [state(f"s{n}", ",".join(map("=".join, zip("abcd", each, strict=True)))) for n, each in enumerate(places)]
    found = near(*states, known=known, impossible=())
    for n, here in enumerate(places):
        apart = {f"s{m}": sum(map(str.__ne__, here, there)) for m, there in enumerate(places) if m != n}
        nearest = {other for other, count in apart.items() if count == min(apart.values()) <= 3}
        named = [each.state for each in found[f"s{n}"]]
        assert set(named) <= nearest
        assert len(named) == min(len(nearest), MOST)
        assert all(len(each.apart) == apart[each.state] for each in found[f"s{n}"])
