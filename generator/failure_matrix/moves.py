"""What `sets` does to boxes, forwards and backwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from operator import or_

from failure_matrix.boxes import Box, Index, Space
from failure_matrix.model import Change, Changes


@dataclass(frozen=True, slots=True)
class Shift:
    """What happens to one observation: all values become `to`, or single ones are replaced `by` another.

    Everything is in bits; `to` is 0 where there is no such value.
    """

    field: int
    to: int
    by: dict[int, int]

    def after(self, box: Box) -> Box:
        """The box in which one ends up."""
        if self.to:
            return box & ~self.field | self.to
        moving = [old for old in self.by if box & old]
        return box & ~sum(moving) | reduce(or_, map(self.by.__getitem__, moving), 0)

    def origin(self, goal: Box) -> Box:
        """All from where one ends up in a box."""
        if self.to:
            return goal | self.field if goal & self.to else goal & ~self.field
        return goal & ~sum(self.by) | sum(old for old, new in self.by.items() if goal & new)


class Move:
    """Changes with one result each, and an index of where they start from or end up in something impossible.

    The index holds the boxes of `impossible`, and then the same number of boxes again: from where one ends up in each.
    """

    def __init__(self, space: Space, shifts: Sequence[Shift], impossible: Sequence[Box]) -> None:
        """Take what happens to each observation, at once."""
        self.shifts = shifts
        self.impossible = Index(space, [*impossible, *map(self.origin, impossible)])

    def after(self, box: Box) -> Box:
        """The box in which one ends up."""
        for shift in self.shifts:
            box = shift.after(box)
        return box

    def origin(self, goal: Box) -> Box:
        """All from where one ends up in a box."""
        for shift in self.shifts:
            goal = shift.origin(goal)
        return goal


def moves(space: Space, changes: Changes, impossible: Sequence[Box]) -> list[Move]:
    """The moves that changes consist of: one for each choice among the results that may be.

    Observations and values that don't exist are left alone.
    """
    known = [(observation, change) for observation, change in changes.items() if observation in space.bits]
    choices = product(*(list(_shifts(space, observation, change)) for observation, change in known))
    return [Move(space, shifts, impossible) for shifts in choices]


def _shifts(space: Space, observation: str, change: Change) -> Iterator[Shift]:
    """One shift for each result that may be; of single old values' results, the first of each, then the second."""
    bits, field = space.bits[observation], space.field_of[observation]
    yield from (Shift(field, bits.get(value, 0), {}) for value in change.to)
    for choice in range(max(map(len, change.by.values()), default=0)):
        by = {old: new[choice % len(new)] for old, new in change.by.items() if new}
        yield Shift(field, 0, {bits[old]: bits[new] for old, new in by.items() if old in bits and new in bits})
