"""A solver that knows nothing of boxes answers the same questions on tables too large to enumerate."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import z3
from small_matrix import observations

from failure_matrix.decision_table import decide, words
from failure_matrix.model import Impossible, Matrix, Pattern, State

VALUES = tuple("0123")


def cut(rng, known, count):
    """Patterns that partition all combinations: some pattern is cut in two, again and again."""
    parts = [dict.fromkeys(known, VALUES)]
    while len(parts) < count:
        part = parts.pop(rng.randrange(len(parts)))
        name = rng.choice([name for name, values in part.items() if len(values) > 1])
        values = rng.sample(part[name], len(part[name]))
        at = rng.randrange(1, len(values))
        parts += [{**part, name: tuple(values[:at])}, {**part, name: tuple(values[at:])}]
    return [Pattern({name: values for name, values in part.items() if len(values) < 4}) for part in parts]


def large_matrix(seed, spoil):
    """Sixty states of two patterns and ten clauses over twelve observations, sound unless it is spoilt."""
    rng = random.Random(seed)
    known = observations(**{f"o{n}": " ".join(VALUES) for n in range(12)})
    parts = cut(rng, known, 130)
    rng.shuffle(parts)
    when = [tuple(parts[2 * n : 2 * n + 2]) for n in range(60)]
    if spoil == "gap":
        when[7] = when[7][:1]
    if spoil == "overlap":
        when[7] = (Pattern(dict(list(when[7][0].values.items())[1:])), when[7][1])
    states = {f"s{n}": State(f"s{n}", "", each) for n, each in enumerate(when)}
    impossible = tuple(Impossible((each,), "") for each in parts[120:])
    return Matrix("large", "", "", states, known, {}, impossible=impossible)


class Solver:
    """Each observation as a number, each pattern as a formula."""

    def __init__(self, large):
        self.large = large
        self.numbers = {name: z3.Int(name) for name in large.observations}
        self.solver = z3.Solver()
        self.solver.add(*(z3.And(number >= 0, number < 4) for number in self.numbers.values()))
        self.solver.add(*(z3.Not(self.some(clause.when)) for clause in large.impossible))

    def some(self, patterns):
        return z3.Or(*map(self.one, patterns))

    def one(self, pattern):
        return z3.And(
            *(z3.Or(*(self.numbers[name] == int(value) for value in values)) for name, values in pattern.values.items())
        )

    def allows(self, *formulas):
        return self.solver.check(*formulas) == z3.sat

    def gap(self):
        return z3.Not(z3.Or(*(self.some(state.when) for state in self.large.states.values())))

    def overlapping(self):
        homes = [self.some(state.when) for state in self.large.states.values()]
        return z3.Not(z3.AtMost(*homes, 1))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("spoil", ["nothing", "gap", "overlap"])
def test_gaps_and_overlaps(seed, spoil):
    large = large_matrix(seed, spoil)
    table, solver = decide(large), Solver(large)
    assert table.decided
    assert bool(table.gaps) == solver.allows(solver.gap()) == (spoil == "gap")
    assert bool(table.overlaps) == solver.allows(solver.overlapping()) == (spoil == "overlap")
    told = [solver.one(Pattern(gap.pattern)) for gap in table.gaps]
    assert not solver.allows(solver.gap(), z3.Not(z3.Or(*told)))
    for gap, formula in zip(table.gaps, told, strict=True):
        assert not solver.allows(formula, z3.Not(solver.gap())), words(gap.pattern)
    for overlap in table.overlaps:
        assert solver.allows(solver.one(Pattern(overlap.pattern)), solver.overlapping())


def with_clauses(large, clauses):
    return replace(large, impossible=tuple(clauses))


def test_every_clause_of_a_partition_is_needed():
    large = large_matrix(1, "nothing")
    table = decide(large)
    assert table.idle_clauses == ()
    assert table.possible == table.total - table.ruled_out_by(range(10))


@pytest.mark.parametrize("seed", range(3))
def test_an_idle_clause_rules_out_nothing_that_those_named_for_it_allow(seed):
    large = large_matrix(seed, "nothing")
    (first,), (second,) = large.impossible[3].when, large.impossible[4].when
    narrower = Pattern({**first.values, next(name for name in large.observations if name not in first.values): ("1",)})
    large = with_clauses(large, (*large.impossible, Impossible((narrower, second), "")))
    (idle,) = decide(large).idle_clauses
    solver = Solver(with_clauses(large, (large.impossible[clause] for clause in idle.covered_by)))
    assert not solver.allows(solver.some(large.impossible[idle.clause].when))
    for kept in set(range(11)) - {idle.clause}:
        rest = (clause for n, clause in enumerate(large.impossible) if n not in (kept, idle.clause))
        solver = Solver(with_clauses(large, rest))
        assert solver.allows(solver.some(large.impossible[kept].when))
