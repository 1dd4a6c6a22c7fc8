"""Observations by states: is every possible combination in exactly one state?

The way it is decided could be done on paper. Take the box of all combinations. If no pattern touches it, it is a gap.
If a pattern of `impossible` covers it, it is ruled out. If a pattern of a state covers it, and no other state's touches
it, what is possible of it is that state's. Else cut it along the observation that most patterns restrict, and go on
with the parts. The number of boxes looked at has a limit; past it, the answer is "not decided", never "no gaps".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from failure_matrix.boxes import Box, Budget, Members, OutOfBudget, ones
from failure_matrix.cutting import cut_up
from failure_matrix.model import Matrix, Pattern
from failure_matrix.patterns import Patterns

BUDGET = 200_000
"""How many boxes are looked at before the answer is "not decided": some seconds."""

MOST_GAPS = 100
"""How many gaps are described. Nobody mends more at once; `uncovered` counts all of them."""

COUNTING = 100_000
"""How many boxes are looked at to count something: less than a second."""

LISTING = 5_000
"""How many boxes are looked at to list exactly what is possible."""

Words = Pattern | Mapping[str, str] | Mapping[str, tuple[str, ...]]


def words(pattern: Words) -> str:
    """A pattern or a combination as text: `job=ready, candidate=present|damaged`."""
    values = pattern.values if isinstance(pattern, Pattern) else pattern
    named = (f"{name}={each if isinstance(each, str) else '|'.join(each)}" for name, each in values.items())
    return ", ".join(named) or "any combination"


@dataclass(frozen=True, slots=True)
class Row:
    """Possible combinations that are in one state and no other, how many, and the state's id.

    In a large table the pattern may hold impossible combinations too, but the count does not; it is `None` where
    counting would take too long.
    """

    pattern: Mapping[str, tuple[str, ...]]
    state: str
    count: int | None


@dataclass(frozen=True, slots=True)
class Gap:
    """Combinations that no state covers, and one of them that is possible.

    The pattern is widened as far as no state is touched, so it names only what matters; it may hold impossible
    combinations beside the possible ones.
    """

    pattern: Mapping[str, tuple[str, ...]]
    example: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two states that share a possible combination: by which of their `when` patterns, and the common pattern."""

    first: str
    first_when: int
    second: str
    second_when: int
    pattern: Mapping[str, tuple[str, ...]]
    example: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Excluded:
    """How many combinations a clause of `impossible` rules out, and how many of them no other clause does.

    A number is `None` where counting would take too long.
    """

    clause: int
    count: int | None
    alone: int | None


@dataclass(frozen=True, slots=True)
class IdleClause:
    """A clause of `impossible` that rules out nothing that the clauses in `covered_by` don't."""

    clause: int
    covered_by: tuple[int, ...]


@dataclass(frozen=True)
class DecisionTable:
    """What was found out about a matrix's combinations of observations.

    `total` is the number of combinations, `uncovered` of the possible ones in no state. Where `decided` is false, the
    budget ran out: what was found is true, and there may be more. `empty_states` are wholly inside `impossible`.
    `boxes` are, for each state, disjoint boxes of what is its own, as far as it is possible.
    """

    total: int
    uncovered: int
    decided: bool
    gaps: tuple[Gap, ...]
    overlaps: tuple[Overlap, ...]
    empty_states: tuple[str, ...]
    patterns: Patterns = field(repr=False, compare=False)
    boxes: Mapping[str, tuple[Box, ...]] = field(repr=False, compare=False)

    @property
    def sound(self) -> bool:
        """Whether every possible combination is in exactly one state."""
        return self.decided and not self.gaps and not self.overlaps

    @cached_property
    def possible(self) -> int | None:
        """How many combinations `impossible` leaves, or `None` where counting takes too long."""
        return self.patterns.count_possible(self.patterns.space.whole, Budget(COUNTING))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The possible combinations and their states, compressed, in the order of the states."""
        space, boxes, budget = self.patterns.space, self._possible_boxes() or self.boxes, Budget(COUNTING)
        rows = (
            Row(space.pattern(box), state, self.patterns.count_possible(box, budget))
            for state, own in boxes.items()
            for box in own
        )
        return tuple(row for row in rows if row.count != 0)

    def _possible_boxes(self) -> Mapping[str, list[Box]] | None:
        """The states' boxes without what is impossible, or `None` where they would be too many to list."""
        uncovered, budget = self.patterns.impossible.uncovered, Budget(LISTING)
        try:
            return {
                state: self.patterns.space.joined([part for box in boxes for part in uncovered(box, budget)])
                for state, boxes in self.boxes.items()
            }
        except OutOfBudget:
            return None

    @cached_property
    def hulls(self) -> tuple[Box, ...]:
        """The patterns of `patterns`, each with the values alone that it has in possible combinations.

        Those of `impossible` have none, and hold nothing.
        """
        places = enumerate(self.patterns.owners)
        return tuple(self.patterns.hull(place) if isinstance(owner, str) else 0 for place, (owner, _) in places)

    @cached_property
    def excluded(self) -> tuple[Excluded, ...]:
        """What each clause of `impossible` rules out."""
        every, budget = self.patterns.of_impossible, Budget(COUNTING)
        return tuple(
            Excluded(clause, self.ruled_out_by([clause]), self.patterns.count(own, every & ~own, budget))
            for clause in self.patterns.clauses
            for own in [self.patterns.of[clause]]
        )

    def ruled_out_by(self, clauses: Iterable[int]) -> int | None:
        """How many combinations some clauses of `impossible` rule out, or `None` where counting takes too long."""
        return self.patterns.count(self.patterns.of_clauses(clauses), 0, Budget(COUNTING))

    def ruled_out_only_by(self, clauses: Iterable[int]) -> int | None:
        """How many combinations some clauses rule out and no other does, or `None` where counting takes too long."""
        members = self.patterns.of_clauses(clauses)
        return self.patterns.count(members, self.patterns.of_impossible & ~members, Budget(COUNTING))

    @cached_property
    def idle_clauses(self) -> tuple[IdleClause, ...]:
        """The clauses of `impossible` without which the same combinations would be ruled out.

        Of clauses that make each other idle, the narrowest is named, and of equal ones the later.
        """
        kept = self.patterns.of_impossible
        found: list[IdleClause] = []
        for clause in sorted(self.patterns.clauses, key=lambda clause: (self.patterns.size(clause), -clause)):
            rest = kept & ~self.patterns.of[clause]
            if self.patterns.hold(rest, self.patterns.of[clause]):
                found.append(IdleClause(clause, self._needed(clause, rest)))
                kept = rest
        return tuple(sorted(found, key=lambda idle: idle.clause))

    def _needed(self, clause: int, rest: Members) -> tuple[int, ...]:
        """As few of the other clauses as cover this one."""
        needed = self.patterns.clauses_in(rest & self.patterns.touching(self.patterns.of[clause]))
        for other in needed:
            fewer = tuple(each for each in needed if each != other)
            if self.patterns.hold(self.patterns.of_clauses(fewer), self.patterns.of[clause]):
                needed = fewer
        return needed

    def state_of(self, combination: Mapping[str, str]) -> str | None:
        """The state of a combination (the first where there are several), `None` for an impossible one or a gap."""
        touching = self.patterns.index.touching(self.patterns.space.point(combination))
        if touching & self.patterns.of_impossible:
            return None
        return next(iter(self.patterns.states_in(touching)), None)

    def clauses_against(self, combination: Mapping[str, str]) -> tuple[int, ...]:
        """The clauses of `impossible` that rule a combination out, by their index."""
        return self.patterns.clauses_in(self.patterns.index.touching(self.patterns.space.point(combination)))

    def states_left(self, known: Pattern) -> tuple[str, ...]:
        """The states that have a possible combination in a pattern: what a subject may be by what is known of it."""
        box = self.patterns.space.box(known)
        index = self.patterns.index
        touching = index.touching(box) & self.patterns.of_states
        impossible = (place for place in ones(touching) if self.patterns.possible(box & index.boxes[place]) is None)
        return self.patterns.states_in(touching & ~sum(1 << place for place in impossible))


def decide(matrix: Matrix, budget: int = BUDGET) -> DecisionTable:
    """Decide whether each possible combination is in exactly one state, looking at `budget` boxes at most."""
    patterns = Patterns(matrix)
    parts = cut_up(matrix, patterns, Budget(budget))
    return DecisionTable(
        total=patterns.space.size(patterns.space.whole),
        uncovered=sum(map(patterns.space.size, parts.gaps)),
        decided=parts.complete,
        gaps=tuple(_gaps(patterns, parts.gaps)),
        overlaps=tuple(_overlaps(patterns, parts.shared)),
        empty_states=tuple(_empty_states(matrix, patterns)),
        patterns=patterns,
        boxes={state: tuple(patterns.space.joined(boxes)) for state, boxes in parts.owned.items()},
    )


def _empty_states(matrix: Matrix, patterns: Patterns) -> Iterator[str]:
    """The states whose patterns are all ruled out."""
    for state in matrix.states.values():
        boxes = (patterns.index.boxes[place] for place in ones(patterns.of[state.id]))
        if state.when and all(patterns.possible(box) is None for box in boxes):
            yield state.id


def _gaps(patterns: Patterns, boxes: list[Box]) -> Iterator[Gap]:
    """The gaps, each widened, without those that a wider one already tells."""
    told: list[Box] = []
    for box in patterns.space.joined(boxes):
        if len(told) == MOST_GAPS:
            return
        if not any(box & wide == box for wide in told):
            told.append(patterns.widened(box))
            yield Gap(patterns.space.pattern(told[-1]), patterns.space.first(box))


def _overlaps(patterns: Patterns, shared: list[tuple[Box, Members]]) -> Iterator[Overlap]:
    """Each pair of patterns that share a possible combination. Of several states, each is paired with the first."""
    examples: dict[tuple[int, int], Box] = {}
    for box, touching in shared:
        first, *others = patterns.first_of_each_state(touching)
        for other in others:
            examples.setdefault((first, other), box)
    for (first, second), box in sorted(examples.items()):
        common = patterns.index.boxes[first] & patterns.index.boxes[second]
        (one, one_when), (two, two_when) = patterns.owners[first], patterns.owners[second]
        pattern, example = patterns.space.pattern(common), patterns.space.first(box)
        yield Overlap(str(one), one_when, str(two), two_when, pattern, example)
