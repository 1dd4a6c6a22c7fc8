"""What can be reached, what ends, and what goes in circles."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_matrix import action, failure, matrix, observations, outcome, state

from failure_matrix import graph

ACTIONS = {name: action(name) for name in ("begin", "go", "back", "leave", "redo")}
GO, BACK, LEAVE, REDO = (ACTIONS[name] for name in ("go", "back", "leave", "redo"))


def ways(*states, failures=(), start="a", path=()):
    """States with permitted actions; observations play no part."""
    first = (ACTIONS["begin"], start) if start else None
    return matrix(
        observations(), *states, failures=failures, start=first, path=(ACTIONS["begin"], *path) if path else ()
    )


def one(name, *permitted, **more):
    return state(name, permitted=permitted, **more)


def test_a_state_that_nothing_leads_to():
    small = ways(one("a", (GO, "b")), one("b", terminal=True), one("c", (GO, "b")))
    assert graph.unreachable(small) == ("c",)


def test_failures_lead_to_states_too():
    small = ways(one("a"), one("b", terminal=True), failures=(failure("slip", outcome("a", "b")),))
    assert graph.unreachable(small) == ()


def test_what_only_an_unreachable_state_leads_to_is_its_consequence():
    small = ways(one("d"), one("c", (GO, "d"), (BACK, "b")), one("b", (GO, "c")), one("a", terminal=True))
    assert graph.unreachable(small) == ("c",)


def test_without_a_start_nothing_is_unreachable():
    assert graph.unreachable(ways(one("a"), one("b"), start=None)) == ()


def test_a_dead_end_is_not_marked_terminal():
    small = ways(one("a", (GO, "b c d")), one("b", (GO, "b")), one("c", terminal=True), one("d", (LEAVE, "outside")))
    assert graph.dead_ends(small) == ("b",)


def test_a_state_that_only_a_failure_leads_out_of_is_no_dead_end_but_has_no_permitted_end():
    small = ways(one("a"), one("b", terminal=True), failures=(failure("slip", outcome("a", "b")),))
    assert graph.dead_ends(small) == ()
    assert graph.without_end(small) == ("a",)


@pytest.mark.parametrize("end", ["b", "outside"])
def test_terminal_states_and_the_outside_are_ends(end):
    small = ways(one("a", (GO, end)), one("b", terminal=True))
    assert graph.without_end(small) == ()


def test_the_last_state_of_the_path_is_an_end():
    small = ways(one("a", (GO, "b")), one("b", (REDO, "a")), path=(GO,))
    assert graph.ends(small) == ("b", "outside")
    assert graph.without_end(small) == ()


def test_what_leads_to_a_state_without_an_end_is_its_consequence():
    small = ways(one("a", (GO, "b")), one("b", (GO, "c"), (BACK, "a")), one("c", (GO, "d")), one("d", (BACK, "c")))
    assert graph.without_end(small) == ("c",)


def test_what_leads_to_a_dead_end_is_its_consequence():
    small = ways(one("a", (GO, "b")), one("b"))
    assert graph.dead_ends(small) == ("b",)
    assert graph.without_end(small) == ()


def test_a_terminal_state_that_leads_back_into_the_path():
    small = ways(
        one("a", (GO, "b"), (LEAVE, "c")), one("b", terminal=True), one("c", (REDO, "a"), terminal=True), path=(GO,)
    )
    assert [(way.source, way.event.id, way.target) for way in graph.ways_out_of_terminal(small)] == [("c", "redo", "a")]


def test_a_terminal_state_that_leads_to_where_nothing_ends():
    small = ways(one("a", (GO, "b")), one("b", (REDO, "c"), terminal=True), one("c", (REDO, "c")), path=(GO,))
    assert [(way.source, way.target) for way in graph.ways_out_of_terminal(small)] == [("b", "c")]


def test_a_way_out_of_a_terminal_state_that_leads_back_changes_nothing():
    small = ways(
        one("a", (GO, "b"), (LEAVE, "c")), one("b"), one("c", (GO, "d"), (LEAVE, "outside"), terminal=True),
        one("d", (BACK, "c")), path=(GO,)
    )  # fmt: skip
    assert list(graph.ways_out_of_terminal(small)) == []


def test_a_way_from_one_terminal_state_to_another_changes_nothing():
    small = ways(
        one("a", (GO, "b"), (LEAVE, "c")), one("b", terminal=True), one("c", (REDO, "b"), terminal=True), path=(GO,)
    )
    assert list(graph.ways_out_of_terminal(small)) == []


def test_a_failure_is_no_permitted_way_out_of_a_terminal_state():
    slip = failure("slip", outcome("b", "a"))
    small = ways(one("a", (GO, "b")), one("b", terminal=True), path=(GO,), failures=(slip,))
    assert list(graph.ways_out_of_terminal(small)) == []


def test_one_state_is_no_circle():
    slip = failure("slip", outcome("a", "b"))
    assert graph.circles(ways(one("a", (REDO, "a")), one("b", terminal=True), failures=(slip,))) == ()


def test_a_circle_that_only_failures_lead_out_of():
    small = ways(
        one("a", (GO, "b")), one("b", (GO, "c")), one("c", (BACK, "b")), one("d", terminal=True),
        failures=(failure("slip", outcome("c", "d b c")),),
    )  # fmt: skip
    (circle,) = graph.circles(small)
    assert circle.states == ("b", "c")
    assert [(way.source, way.target) for way in circle.exits] == [("c", "d")]


@pytest.mark.parametrize("leave", ["d", "outside"])
def test_a_circle_with_a_permitted_way_out_is_none(leave):
    small = ways(one("a", (GO, "b")), one("b", (BACK, "a"), (LEAVE, leave)), one("d", terminal=True),
                 failures=(failure("slip", outcome("a", "d")),))  # fmt: skip
    assert graph.circles(small) == ()


def test_a_circle_with_an_end_in_it_is_none():
    small = ways(one("a", (GO, "b")), one("b", (BACK, "a"), terminal=True), one("c"),
                 failures=(failure("slip", outcome("a", "c")),))  # fmt: skip
    assert graph.circles(small) == ()


def test_a_circle_that_nothing_leads_out_of_is_without_an_end_and_no_more():
    small = ways(one("a", (GO, "b")), one("b", (BACK, "a")))
    assert graph.circles(small) == ()
    assert graph.without_end(small) == ("a",)


def test_a_long_way_is_no_trouble():
    states = (one(f"s{n}", (GO, f"s{n + 1}")) for n in range(20_000))
    small = ways(*states, one("s20000", terminal=True), start="s0")
    assert graph.unreachable(small) == graph.without_end(small) == graph.circles(small) == ()


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef"), max_size=3).map(tuple)))
def test_components_are_the_states_that_reach_each_other(by):
    groups = list(graph.components("abcdef", by))
    assert sorted(state for group in groups for state in group) == list("abcdef")
    reach = {state: graph.reached([state], by) for state in "abcdef"}
    place = {state: n for n, group in enumerate(groups) for state in group}
    for one_, other in ((a, b) for a in "abcdef" for b in "abcdef"):
        assert (place[one_] == place[other]) == (other in reach[one_] and one_ in reach[other])
        if other in reach[one_]:
            assert place[one_] <= place[other]
