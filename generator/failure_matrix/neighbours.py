"""Which states look most alike, and what tells them apart.

Each pattern of each state is taken with the values that it has in possible combinations. Two patterns differ in an
observation when they have no value of it in common. Patterns that differ in none, since only several observations
together tell them apart, are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from failure_matrix.boxes import Index, Members, ones
from failure_matrix.decision_table import DecisionTable
from failure_matrix.model import Matrix

MOST = 5
"""How many neighbours of a state are named."""

FARTHEST = 3
"""In how many observations a neighbour may differ. What is further apart does not look alike."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An observation that tells two states apart, with its values here and there."""

    observation: str
    here: tuple[str, ...]
    there: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A state that differs from another one in as few observations as any does, and those observations."""

    state: str
    apart: tuple[Difference, ...]


def neighbours(matrix: Matrix, table: DecisionTable) -> Mapping[str, tuple[Neighbour, ...]]:
    """For each state, the states that look most alike: those in the fewest observations apart.

    Of many, those that the author put nearest in the file are named, and the nearest of them first.
    """
    near = _Nearness(table)
    return {state: tuple(near.to(state)) for state in matrix.states}


def alike_but_for(table: DecisionTable, observation: str) -> Iterator[tuple[str, str]]:
    """The pairs of states with patterns that nothing but one observation tells apart."""
    return _Nearness(table).alike_but_for(observation)


class _Nearness:
    """The states' patterns with the values that occur, indexed by value."""

    def __init__(self, table: DecisionTable) -> None:
        self.patterns = table.patterns
        self.space = table.patterns.space
        self.index = Index(self.space, table.hulls)

    def to(self, state: str) -> Iterator[Neighbour]:
        """The nearest neighbours of a state."""
        own = self.patterns.of[state]
        near = {one: self._nearest(one, own) for one in ones(own & self.index.everyone)}
        fewest = min((apart for apart, _ in near.values()), default=0)
        found: dict[str, tuple[int, int]] = {}
        for one, (apart, members) in near.items():
            if apart == fewest:
                found = {**self._closest(one, members), **found}
        for other in sorted(found, key=lambda other: _way(*found[other]))[:MOST]:
            yield Neighbour(other, tuple(self._apart(*found[other])))

    def _nearest(self, one: int, own: Members) -> tuple[int, Members]:
        """In how many observations the nearest patterns of other states differ from a pattern, and which they are.

        `alike[n]` are the patterns that differ in n of the observations looked at so far.
        """
        alike = [self.index.everyone & ~own] + [0] * FARTHEST
        for members in self._differing(one).values():
            moved = [0, *(level & members for level in alike[:-1])]
            alike = [level & ~members | more for level, more in zip(alike, moved, strict=True)]
        return next(((apart, members) for apart, members in enumerate(alike) if apart and members), (FARTHEST + 1, 0))

    def _differing(self, one: int) -> dict[str, Members]:
        """For each observation, the patterns that have no value of it in common with a certain one."""
        box, found = self.index.boxes[one], {}
        for n, (name, field) in enumerate(self.space.field_of.items()):
            if box & field != field:
                found[name] = self.index.everyone & ~self.index.allowing_any(n, box & field)
        return found

    def _closest(self, one: int, members: Members) -> dict[str, tuple[int, int]]:
        """A few other states among some patterns, the closest in the file, each with the two patterns compared."""
        found: dict[str, tuple[int, int]] = {}
        while members and len(found) < MOST:
            below = members & (1 << one) - 1
            around = [next(ones(members ^ below), None), below.bit_length() - 1 if below else None]
            two = min((place for place in around if place is not None), key=lambda place: _way(one, place))
            state = str(self.patterns.owner(two))
            found[state] = (one, two)
            members &= ~self.patterns.of[state]
        return found

    def _apart(self, one: int, two: int) -> Iterator[Difference]:
        """The observations in which two patterns differ."""
        here, there = self.index.boxes[one], self.index.boxes[two]
        for name, field in self.space.field_of.items():
            if not here & there & field:
                yield Difference(name, self.space.values(here & field), self.space.values(there & field))

    def alike_but_for(self, observation: str) -> Iterator[tuple[str, str]]:
        """The pairs of states with patterns that nothing but one observation tells apart."""
        for one in ones(self.index.everyone):
            differing = self._differing(one)
            alike = differing.pop(observation, 0) & ~reduce(or_, differing.values(), 0)
            for two in ones(alike >> one):
                yield str(self.patterns.owner(one)), str(self.patterns.owner(one + two))


def _way(one: int, two: int) -> int:
    """How far two patterns are apart in the file."""
    return abs(one - two)
