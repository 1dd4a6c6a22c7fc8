"""The patterns of a matrix in one index: the vocabulary between a matrix and its boxes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from failure_matrix.boxes import Box, Budget, Index, Members, OutOfBudget, Space, ones
from failure_matrix.model import Matrix, Pattern

SEARCHING = 20_000
"""How many boxes are looked at to find out a single thing."""


class Patterns:
    """All patterns of a matrix in one index: those of `impossible` first, then those of the states.

    `impossible` is an index of the first ones alone, in which they have the same places. `owners` says of each
    pattern whose it is (a clause's index or a state's id) and which of its `when` patterns.
    """

    def __init__(self, matrix: Matrix) -> None:
        """Take the patterns of a matrix."""
        self.space = Space(matrix.observations.values())
        self.owners: list[tuple[int | str, int]] = []
        patterns: list[Pattern] = []
        for clause, rule in enumerate(matrix.impossible):
            patterns += rule.when
            self.owners += [(clause, place) for place in range(len(rule.when))]
        self.of_impossible: Members = (1 << len(patterns)) - 1
        for state in matrix.states.values():
            patterns += state.when
            self.owners += [(state.id, place) for place in range(len(state.when))]
        boxes = self.space.boxes(patterns)
        self.index = Index(self.space, boxes)
        self.impossible = Index(self.space, boxes[: self.of_impossible.bit_length()])
        self.of_states: Members = (1 << len(patterns)) - 1 & ~self.of_impossible
        self.clauses = range(len(matrix.impossible))
        self.of: dict[int | str, Members] = dict.fromkeys([*self.clauses, *matrix.states], 0)
        for place, (owner, _) in enumerate(self.owners):
            self.of[owner] |= 1 << place

    def owner(self, place: int) -> int | str:
        """The clause's index or the state's id that a pattern belongs to."""
        return self.owners[place][0]

    def states_in(self, members: Members) -> tuple[str, ...]:
        """The states that some patterns belong to, in the author's order."""
        return tuple(dict.fromkeys(str(self.owner(place)) for place in ones(members & self.of_states)))

    def clauses_in(self, members: Members) -> tuple[int, ...]:
        """The clauses of `impossible` that some patterns belong to."""
        return tuple(dict.fromkeys(int(self.owner(place)) for place in ones(members & self.of_impossible)))

    def settled(self, touching: Members, covering: Members) -> bool:
        """Whether a box is ruled out or a gap, or else wholly one state's or several states'.

        Clauses of `impossible` may still cut into a box that a state covers: who it belongs to is decided.
        """
        if covering & self.of_impossible or not touching:
            return True
        states, covered = touching & self.of_states, covering & self.of_states
        if not covered:
            return False
        return states == covered or not states & ~self.of[self.owner(next(ones(covered)))]

    def size(self, owner: int | str) -> int:
        """The number of combinations in the patterns of a clause or state, counted once for each pattern."""
        return sum(self.space.size(self.index.boxes[place]) for place in ones(self.of[owner]))

    def of_clauses(self, clauses: Iterable[int]) -> Members:
        """The patterns of some clauses of `impossible`."""
        return reduce(or_, (self.of[clause] for clause in clauses), 0)

    def first_of_each_state(self, members: Members) -> tuple[int, ...]:
        """The place of the first pattern of each state among some patterns."""
        first = {self.owner(place): place for place in reversed(list(ones(members & self.of_states)))}
        return tuple(sorted(first.values()))

    def touching(self, members: Members) -> Members:
        """The patterns that share a combination with one of these."""
        return reduce(or_, (self.index.touching(self.index.boxes[place]) for place in ones(members)), 0)

    def possible(self, box: Box) -> Box | None:
        """A part of a box that `impossible` leaves, or `None` where it rules all of it out.

        Past the budget, it is all of the box: what isn't known to be impossible counts as possible.
        """
        try:
            return next(self.impossible.uncovered(box, Budget(SEARCHING)), None)
        except OutOfBudget:
            return box

    def hull(self, place: int) -> Box:
        """A pattern with those of its values alone that it has in possible combinations; 0 where it has none."""
        box, found = self.index.boxes[place], 0
        for field in self.space.fields:
            for bit in ones(box & field):
                if not found >> bit & 1:
                    found |= self.possible(box & ~field | 1 << bit) or 0
        return found

    def widened(self, gap: Box) -> Box:
        """A gap without the observations that don't matter, and with all values that are gaps just as well.

        Observations are dropped from the last to the first, since authors put first what matters most. What is
        impossible may be held by a wide gap, but isn't listed as a value of it.
        """
        fields = self.space.fields
        for field in reversed(fields):
            if not self.index.touching(gap | field) & self.of_states:
                gap |= field
        for n, field in enumerate(fields):
            beyond = self.index.touching(gap | field) & self.of_states
            for bit in ones(field & ~gap):
                part = gap & ~field | 1 << bit
                if not beyond & self.index.allowing(n, bit) and self.possible(part) is not None:
                    gap |= 1 << bit
        return gap

    def count(self, members: Members, besides: Members, budget: Budget) -> int | None:
        """How many combinations some clauses' patterns hold that others don't, or `None` past the budget."""
        found = 0
        try:
            for place in ones(members):
                found += self.impossible.count_uncovered(self.index.boxes[place], budget, besides)
                besides |= 1 << place
        except OutOfBudget:
            return None
        return found

    def count_possible(self, box: Box, budget: Budget) -> int | None:
        """How many combinations of a box `impossible` leaves, or `None` past the budget."""
        try:
            return self.impossible.count_uncovered(box, budget)
        except OutOfBudget:
            return None

    def hold(self, members: Members, others: Members) -> bool:
        """Whether some clauses' patterns hold everything that others do; past the budget, it isn't said to."""
        limit = Budget(SEARCHING)
        boxes = (self.index.boxes[place] for place in ones(others))
        try:
            return all(next(self.impossible.uncovered(box, limit, members), None) is None for box in boxes)
        except OutOfBudget:
            return False
