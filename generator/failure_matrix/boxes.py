"""Sets of combinations as boxes: the arithmetic under the decision table.

A combination gives each observation one value. A box gives each observation some of its values, and holds every
combination of those. It is kept as one whole number with a bit for each value of each observation, so that to
intersect is `&`, and to hold is `a & b == b`.

A list of boxes is indexed by value: for each value, which boxes allow it. That, too, is a number with a bit for
each box of the list. So "which boxes does this one touch" takes a few operations, with ten boxes or ten thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod

from failure_matrix.model import Observation, Pattern

Box = int
"""A bit for each value of each observation."""

Members = int
"""A bit for each box of a list: some of them, by their place in the list."""


class OutOfBudget(Exception):
    """More boxes would have to be looked at than the budget allows. Never leaves the proof's modules."""


class Budget:
    """How many boxes may still be looked at."""

    def __init__(self, boxes: int) -> None:
        """Take the number of boxes."""
        self.left = boxes

    def spend(self) -> None:
        """Take one box off, or raise `OutOfBudget`."""
        if self.left <= 0:
            raise OutOfBudget
        self.left -= 1


def ones(number: int) -> Iterator[int]:
    """The places of the bits that are set, from the lowest."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


class Space:
    """All combinations of some observations, and the boxes in them.

    `fields` are the bits of each observation, `whole` is the box of everything. An observation without values
    would leave no combination at all; it is another rule's problem, and left out here.
    """

    def __init__(self, observations: Iterable[Observation]) -> None:
        """Give each value of each observation its bit."""
        self.observations = tuple(observation for observation in observations if observation.values)
        self.labels: list[str] = []
        self.bits: dict[str, dict[str, int]] = {}
        self.fields: list[int] = []
        for observation in self.observations:
            first = len(self.labels)
            self.labels += observation.value_ids
            self.bits[observation.id] = {value: 1 << n for n, value in enumerate(observation.value_ids, first)}
            self.fields.append((1 << len(self.labels)) - (1 << first))
        self.whole: Box = (1 << len(self.labels)) - 1
        self.field_of = dict(zip(self.bits, self.fields, strict=True))

    def box(self, pattern: Pattern) -> Box:
        """The box of a pattern. One that names an unknown value holds that value for nothing."""
        box = self.whole
        for observation, values in pattern.values.items():
            bits = self.bits.get(observation, {})
            box &= ~self.field_of.get(observation, 0) | sum({bits.get(value, 0) for value in values})
        return box

    def boxes(self, patterns: Iterable[Pattern]) -> list[Box]:
        """The boxes of several patterns, in their order."""
        return [self.box(pattern) for pattern in patterns]

    def point(self, combination: Mapping[str, str]) -> Box:
        """The box that holds one combination. Observations left out may have any value."""
        return self.box(Pattern({observation: (value,) for observation, value in combination.items()}))

    def pattern(self, box: Box) -> dict[str, tuple[str, ...]]:
        """A box in words: the values of each observation that the box restricts."""
        return {
            observation.id: self.values(box & field)
            for observation, field in zip(self.observations, self.fields, strict=True)
            if box & field != field
        }

    def values(self, bits: int) -> tuple[str, ...]:
        """The values of some bits."""
        return tuple(self.labels[bit] for bit in ones(bits))

    def first(self, box: Box) -> dict[str, str]:
        """The first combination of a box, in the author's order of values."""
        return {
            observation.id: self.labels[next(ones(box & field))]
            for observation, field in zip(self.observations, self.fields, strict=True)
        }

    def order(self, box: Box) -> tuple[int, ...]:
        """A sort key: by the first value of each observation, in the author's order."""
        return tuple(box & field & -(box & field) for field in self.fields)

    def size(self, box: Box) -> int:
        """The number of combinations in a box."""
        return prod((box & field).bit_count() for field in self.fields)

    def holds_nothing(self, box: Box) -> bool:
        """Whether an observation has no value left."""
        return any(not box & field for field in self.fields)

    def joined(self, boxes: Sequence[Box]) -> list[Box]:
        """The same combinations in fewer boxes: two that differ in one observation alone become one.

        Boxes that share no combination still share none afterwards.
        """
        before = -1
        while len(boxes) != before:
            before = len(boxes)
            for field in self.fields:
                alike: dict[int, Box] = {}
                for box in boxes:
                    rest = box & ~field
                    alike[rest] = alike.get(rest, 0) | box
                boxes = list(alike.values())
        return sorted(boxes, key=self.order)


Settled = Callable[[Members, Members], bool]
"""Whether a piece needs no further cut, by the boxes that touch it and those among them that cover it."""


class Index:
    """A list of boxes that can be asked which of them touch or cover another box.

    Boxes that hold nothing touch nothing.
    """

    def __init__(self, space: Space, boxes: Sequence[Box]) -> None:
        """Index some boxes by value."""
        self.space = space
        self.boxes = tuple(boxes)
        self.everyone: Members = sum(1 << n for n, box in enumerate(boxes) if not space.holds_nothing(box))
        self._unrestricted = [self._allowing_every_value(field) for field in space.fields]
        self._allowing = [self._by_value(*each) for each in zip(space.fields, self._unrestricted, strict=True)]

    def _allowing_every_value(self, field: int) -> Members:
        return sum(1 << place for place in ones(self.everyone) if self.boxes[place] & field == field)

    def _by_value(self, field: int, unrestricted: Members) -> dict[int, Members]:
        """For each value of an observation that a box restricting it names, the boxes that allow it."""
        allowing: dict[int, Members] = {}
        for place in ones(self.everyone & ~unrestricted):
            for bit in ones(self.boxes[place] & field):
                allowing[bit] = allowing.get(bit, unrestricted) | 1 << place
        return allowing

    def touching(self, box: Box) -> Members:
        """The boxes that share a combination with this one."""
        found = self.everyone
        for n, field in enumerate(self.space.fields):
            if box & field != field:
                found &= self.allowing_any(n, box & field)
        return found

    def allowing(self, n: int, bit: int) -> Members:
        """The boxes that allow one value of the `n`th observation, by its bit's place."""
        return self._allowing[n].get(bit, self._unrestricted[n])

    def allowing_any(self, n: int, values: int) -> Members:
        """The boxes that allow one of some values of the `n`th observation."""
        found = self._unrestricted[n] if values else 0
        if found != self.everyone:
            for bit in ones(values):
                found |= self.allowing(n, bit)
        return found

    def _allowing_all(self, n: int, values: int) -> Members:
        found = self.everyone
        for bit in ones(values):
            found &= self.allowing(n, bit)
        return found

    def _restricting(self, box: Box) -> dict[int, Members]:
        """For each observation, the boxes that don't allow all of a box's values.

        Which boxes cover a part of it is then known early; searches are ten times as fast for it.
        """
        restricting: dict[int, Members] = {}
        for n, (field, all_) in enumerate(zip(self.space.fields, self._unrestricted, strict=True)):
            if all_ != self.everyone:
                allowing = all_ if box & field == field else self._allowing_all(n, box & field)
                restricting[n] = self.everyone & ~allowing
        return restricting

    def pieces(
        self, box: Box, settled: Settled, budget: Budget, among: Members = -1, mainly: Members = 0
    ) -> Iterator[tuple[Box, Members, Members]]:
        """Cut a box until every piece is settled; yield each piece, the boxes touching it, those covering it.

        A cut goes along the observation that restricts most of the boxes in play, those in `mainly` before the
        others, and keeps values together that none of them tell apart. So an observation is cut once at most on the
        way to a piece, and a piece that can't be cut is covered by every box that touches it. `among` leaves the
        other boxes out of play. Raises `OutOfBudget`.
        """
        restricting = self._restricting(box)
        waiting = [(box, self.touching(box) & among, list(restricting))]
        while waiting:
            budget.spend()
            box, touching, uncut = waiting.pop()
            restricted, covering = _restricted(touching, uncut, restricting)
            if not restricted or settled(touching, covering):
                yield box, touching, covering
                continue
            widest = _widest(restricted, mainly)
            parts = self._cut(box, widest, touching, restricted.pop(widest))
            waiting.extend((part, members, list(restricted)) for part, members in reversed(parts))

    def _cut(self, box: Box, n: int, touching: Members, restricted: Members) -> list[tuple[Box, Members]]:
        """Cut a box along the `n`th observation into parts, each with the boxes touching it."""
        field = self.space.fields[n]
        values = box & field
        mentioned = self._mentioned(values, restricted)
        parts: dict[Members, int] = {}
        if values != mentioned:
            parts[touching & ~restricted] = values & ~mentioned
        for bit in ones(mentioned):
            members = touching & self.allowing(n, bit)
            parts[members] = parts.get(members, 0) | 1 << bit
        return [(box & ~field | part, members) for members, part in parts.items()]

    def _mentioned(self, values: int, members: Members) -> int:
        """Those of an observation's values that one of the boxes allows, or all where it is not worth looking."""
        if members.bit_count() >= values.bit_count():
            return values
        mentioned = 0
        for place in ones(members):
            mentioned |= self.boxes[place]
        return mentioned & values

    def uncovered(self, box: Box, budget: Budget, among: Members = -1) -> Iterator[Box]:
        """The parts of a box that none of the boxes covers, disjoint. Raises `OutOfBudget`."""
        if self.space.holds_nothing(box):
            return
        for piece, touching, _ in self.pieces(box, lambda _, covering: covering != 0, budget, among):
            if not touching:
                yield piece

    def count_uncovered(self, box: Box, budget: Budget, among: Members = -1) -> int:
        """How many combinations of a box none of the boxes covers. Raises `OutOfBudget`.

        What is left to count depends on the boxes in play and on the observations left to cut, and is counted once.
        """
        fields, restricting = self.space.fields, self._restricting(box)
        sizes = [(box & field).bit_count() for field in fields]
        counted: dict[tuple[int, ...], int] = {}

        def count(touching: Members, uncut: list[int]) -> int:
            restricted, covering = _restricted(touching, uncut, restricting)
            free = prod(sizes[n] for n in uncut if n not in restricted)
            if covering or not touching:
                return 0 if covering else free
            left = (touching, *restricted)
            if left not in counted:
                budget.spend()
                widest = _widest(restricted)
                parts = self._cut(box, widest, touching, restricted.pop(widest))
                rest = list(restricted)
                counted[left] = sum((part & fields[widest]).bit_count() * count(each, rest) for part, each in parts)
            return free * counted[left]

        return count(self.touching(box) & among, list(range(len(fields))))


def _restricted(
    touching: Members, uncut: list[int], restricting: Mapping[int, Members]
) -> tuple[dict[int, Members], Members]:
    """For each observation, the boxes in play that it restricts; and those that none restricts."""
    restricted = {n: touching & restricting[n] for n in uncut if n in restricting and touching & restricting[n]}
    covering = touching
    for members in restricted.values():
        covering &= ~members
    return restricted, covering


def _widest(restricted: Mapping[int, Members], mainly: Members = 0) -> int:
    """The observation that restricts most boxes: of those that matter mainly, then of all."""
    return max(restricted, key=lambda n: ((restricted[n] & mainly).bit_count(), restricted[n].bit_count()))
