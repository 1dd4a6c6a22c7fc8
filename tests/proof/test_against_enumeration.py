"""The decision table and the effects agree with looking at every single combination, on random small matrices."""

from __future__ import annotations

from collections import Counter
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from small_matrix import combinations, is_ruled_out, states_covering

from failure_matrix.decision_table import decide, words
from failure_matrix.effects import effects
from failure_matrix.model import OUTSIDE, Action, Change, Impossible, Matrix, Observation, Pattern, Start, State, Value

NAMES = "abcd"


@st.composite
def known_observations(draw):
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    return {
        name: Observation(name, name, tuple(Value(f"{name}{n}", "") for n in range(size)))
        for name, size in zip(NAMES, sizes, strict=False)
    }


def random_pattern(known):
    """Any observation may be left out; a value may be named twice."""
    values = {name: st.lists(st.sampled_from(each.value_ids), min_size=1) for name, each in known.items()}
    return st.fixed_dictionaries({}, optional=values).map(
        lambda chosen: Pattern({k: tuple(v) for k, v in chosen.items()})
    )


def random_changes(known):
    def change(values):
        some = st.lists(st.sampled_from(values), min_size=1, max_size=2).map(tuple)
        return st.builds(lambda to: Change(to=to), some) | st.builds(
            lambda by: Change(by=by), st.dictionaries(st.sampled_from(values), some, min_size=1)
        )

    return st.fixed_dictionaries({}, optional={name: change(each.value_ids) for name, each in known.items()})


@st.composite
def matrices(draw):
    known = draw(known_observations())
    some = st.lists(random_pattern(known), min_size=1, max_size=3).map(tuple)
    states = [State(f"s{n}", "", when) for n, when in enumerate(draw(st.lists(some, max_size=5)))]
    impossible = tuple(Impossible(when, "") for when in draw(st.lists(some, max_size=3)))
    return Matrix("m", "", "", {each.id: each for each in states}, known, {}, impossible=impossible)


@st.composite
def sound_matrices(draw):
    """Each combination is given to one state or ruled out, once or more, and each state lists its own.

    Actions that may do anything are added.
    """
    known = draw(known_observations())
    owner = {tuple(each.values()): draw(st.integers(-1, 3)) for each in combinations(known)}
    when = {n: [] for n in range(-1, 4)}
    for values, number in owner.items():
        when[number].append(Pattern({name: (value,) for name, value in zip(known, values, strict=True)}))
    required = st.lists(random_pattern(known), max_size=2).map(tuple)
    actions = [
        Action(f"act{n}", "", requires=draw(required), sets=draw(random_changes(known)))
        for n in range(draw(st.integers(1, 3)))
    ]
    states = {f"s{n}": State(f"s{n}", "", tuple(when[n])) for n in range(4)}
    some = st.lists(st.sampled_from(when[-1]), min_size=1).map(tuple)
    clauses = draw(st.lists(some, max_size=3)) if when[-1] else []
    impossible = tuple(Impossible(each, "") for each in (*clauses, tuple(when[-1])))
    start = draw(st.none() | st.sampled_from(actions).map(lambda each: Start(each, "s0")))
    return Matrix("m", "", "", states, known, {each.id: each for each in actions}, impossible=impossible, start=start)


@settings(max_examples=150, deadline=None)
@given(matrices())
def test_the_table_agrees_with_every_combination(small):
    table = decide(small)
    assert table.decided
    possible = [each for each in combinations(small.observations) if not is_ruled_out(small, each)]
    homes = [states_covering(small, each) for each in possible]
    assert table.total == len(list(combinations(small.observations)))
    assert table.possible == len(possible)
    assert table.uncovered == homes.count([])
    assert bool(table.gaps) == ([] in homes)
    assert bool(table.overlaps) == any(len(home) > 1 for home in homes)
    assert table.sound == all(len(home) == 1 for home in homes)
    lived_in = {state for home in homes for state in home}
    assert table.empty_states == tuple(state for state in small.states if state not in lived_in)


@settings(max_examples=100, deadline=None)
@given(matrices())
def test_rows_hold_each_combination_of_one_state_once(small):
    rows = decide(small).rows
    listed = Counter(
        (tuple(combination.items()), row.state)
        for row in rows
        for combination in combinations(small.observations)
        if Pattern(row.pattern).covers(combination)
    )
    wanted = Counter(
        (tuple(each.items()), states_covering(small, each)[0])
        for each in combinations(small.observations)
        if not is_ruled_out(small, each) and len(states_covering(small, each)) == 1
    )
    assert listed == wanted
    assert all(
        row.count == sum(Pattern(row.pattern).covers(each) for each in combinations(small.observations)) for row in rows
    )


@settings(max_examples=100, deadline=None)
@given(matrices())
def test_gaps_are_true_complete_and_as_wide_as_they_can_be(small):
    gaps = decide(small).gaps
    assert len({words(gap.pattern) for gap in gaps}) == len(gaps)
    for each in combinations(small.observations):
        if not is_ruled_out(small, each) and not states_covering(small, each):
            assert any(Pattern(gap.pattern).covers(each) for gap in gaps)
    for gap in gaps:
        assert Pattern(gap.pattern).covers(gap.example)
        assert not is_ruled_out(small, gap.example)
        for each in combinations(small.observations):
            assert not (Pattern(gap.pattern).covers(each) and states_covering(small, each))
        for name, values in gap.pattern.items():
            for value in set(small.observations[name].value_ids) - set(values):
                more = Pattern({**gap.pattern, name: (value,)})
                covered = [each for each in combinations(small.observations) if more.covers(each)]
                assert any(states_covering(small, each) for each in covered) or all(
                    is_ruled_out(small, each) for each in covered
                )
            wider = Pattern({other: values for other, values in gap.pattern.items() if other != name})
            covered = (each for each in combinations(small.observations) if wider.covers(each))
            assert any(states_covering(small, each) for each in covered)


@settings(max_examples=100, deadline=None)
@given(matrices())
def test_overlaps_are_true_and_name_every_state_that_shares(small):
    overlaps = decide(small).overlaps
    named = set()
    for overlap in overlaps:
        assert not is_ruled_out(small, overlap.example)
        for state, place in ((overlap.first, overlap.first_when), (overlap.second, overlap.second_when)):
            assert small.states[state].when[place].covers(overlap.example)
            named.add(state)
        assert Pattern(overlap.pattern).covers(overlap.example)
    possible = (each for each in combinations(small.observations) if not is_ruled_out(small, each))
    homes = (states_covering(small, each) for each in possible)
    assert named == {state for home in homes if len(home) > 1 for state in home}


@settings(max_examples=100, deadline=None)
@given(matrices())
def test_clauses_rule_out_what_they_say(small):
    table = decide(small)
    against = [
        [n for n, clause in enumerate(small.impossible) if any(when.covers(each) for when in clause.when)]
        for each in combinations(small.observations)
    ]
    for excluded in table.excluded:
        assert excluded.count == sum(excluded.clause in clauses for clauses in against)
        assert excluded.alone == against.count([excluded.clause])
    idle = {each.clause for each in table.idle_clauses}
    kept = set(range(len(small.impossible))) - idle
    assert all(kept.intersection(clauses) for clauses in against if clauses)
    for clause in kept:
        assert any(kept.intersection(clauses) == {clause} for clauses in against)
    for each in table.idle_clauses:
        assert all(set(clauses).intersection(each.covered_by) for clauses in against if each.clause in clauses)


@settings(max_examples=100, deadline=None)
@given(matrices(), st.data())
def test_questions_about_combinations(small, data):
    table = decide(small)
    for each in combinations(small.observations):
        home = [] if is_ruled_out(small, each) else states_covering(small, each)
        assert table.state_of(each) == (home[0] if home else None)
    pattern = data.draw(random_pattern(small.observations))
    possible = (
        each for each in combinations(small.observations) if not is_ruled_out(small, each) and pattern.covers(each)
    )
    left = {state for each in possible for state in states_covering(small, each)}
    assert table.states_left(pattern) == tuple(state for state in small.states if state in left)


def results(action, combination):
    """All combinations that may follow from one."""
    after = (action.sets[name].after(value) if name in action.sets else (value,) for name, value in combination.items())
    for values in product(*after):
        yield dict(zip(combination, values, strict=True))


def is_enabled(action, combination):
    return not action.requires or any(each.covers(combination) for each in action.requires)


def clauses_against(small, combination):
    return [n for n, clause in enumerate(small.impossible) if any(each.covers(combination) for each in clause.when)]


def outside_clauses(small):
    """Those that alone rule out where the start can happen."""
    if small.start is None:
        return set()
    entries = (each for each in combinations(small.observations) if is_enabled(small.start.action, each))
    return {clauses[0] for clauses in (clauses_against(small, each) for each in entries) if len(clauses) == 1}


@settings(max_examples=150, deadline=None)
@given(sound_matrices())
def test_effects_agree_with_following_every_combination(small):
    table = decide(small)
    assert table.sound
    found, outside = effects(small, table), outside_clauses(small)
    for action, state in product(small.actions.values(), small.states):
        targets = set()
        for each in combinations(small.observations):
            if states_covering(small, each) == [state] and is_enabled(action, each):
                for after in results(action, each):
                    clauses = clauses_against(small, after)
                    home = states_covering(small, after)
                    targets.add(home[0] if home else OUTSIDE if outside.issuperset(clauses) else None)
        cell = found.actions.get((state, action.id))
        assert (targets - {state} if action.sets else set()) == {
            each.target for each in (cell.changes() if cell else ())
        }
        for landing in cell.landings if cell else ():
            assert states_covering(small, landing.before) == [state]
            assert is_enabled(action, landing.before)
            assert landing.after in results(action, landing.before)
            assert landing.target in (OUTSIDE, None) or states_covering(small, landing.after) == [landing.target]
