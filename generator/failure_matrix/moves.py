"""What `sets` does to boxes, forwards and backwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from operator import or_

from failure_matrix.boxes import Box, Index, Space, ones
from failure_matrix.model import Change, Changes


class Shift:
    """What happens to one observation: all its values become one, or single ones are replaced by another."""

    def __init__(self, field: int, to: int = 0, by: Mapping[int, int] | None = None) -> None:
        """Take the observation's bits, and the bit that all values become, or the places of old values and new ones."""
        self.field = field
        self.to = to
        self.by = by or {}
        self.moving = sum(1 << old for old in self.by)
        self.back: dict[int, int] = {}
        for old, new in self.by.items():
            self.back[new] = self.back.get(new, 0) | 1 << old

    def after(self, box: Box) -> Box:
        """The box in which one ends up."""
        if self.to:
            return box & ~self.field | self.to
        moved = reduce(or_, (1 << self.by[old] for old in ones(box & self.moving)), 0)
        return box & ~self.moving | moved

    def origin(self, goal: Box) -> Box:
        """All from where one ends up in a box."""
        if self.to:
            return goal | self.field if goal & self.to else goal & ~self.field
        moved = reduce(or_, (self.back.get(new, 0) for new in ones(goal & self.field)), 0)
        return goal & ~self.moving | moved


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
    places = {value: bit.bit_length() - 1 for value, bit in space.bits[observation].items()}
    field = space.field_of[observation]
    yield from (Shift(field, to=1 << places[value]) for value in change.to if value in places)
    for choice in range(max(map(len, change.by.values()), default=0)):
        by = {old: new[choice % len(new)] for old, new in change.by.items() if new}
        yield Shift(field, by={places[old]: places[new] for old, new in by.items() if old in places and new in places})
