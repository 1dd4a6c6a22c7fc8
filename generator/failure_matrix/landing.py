"""Where changes lead from some combinations: the ground under `effects`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from failure_matrix.boxes import Box, Budget, Index, Members, OutOfBudget, Space, ones
from failure_matrix.decision_table import COUNTING, DecisionTable
from failure_matrix.model import OUTSIDE, Change, Changes, Matrix, Pattern

EVERYWHERE = (Pattern({}),)
"""What an event without `requires` requires."""


@dataclass(frozen=True, slots=True)
class Landing:
    """A target that an event reaches from a state, with one combination before it and one after it.

    `target` is a state's id, `OUTSIDE`, or `None` for a combination that `impossible` rules out.
    """

    target: str | None
    before: Mapping[str, str]
    after: Mapping[str, str]


class Move:
    """What `sets` does to a box. Observations and values that don't exist are left alone."""

    def __init__(self, space: Space, changes: Changes) -> None:
        """Take the changes of an event."""
        self.space = space
        self.results = {
            observation: self._results(observation, change)
            for observation, change in changes.items()
            if observation in space.bits
        }

    def _results(self, observation: str, change: Change) -> dict[int, int]:
        """For each old value's bit, the bits that may result."""
        bits = self.space.bits[observation]
        after = {value: sum({bits.get(new, 0) for new in change.after(value)}) for value in (change.by or bits)}
        return {bits[value]: new or bits[value] for value, new in after.items() if value in bits}

    def after(self, box: Box) -> Box:
        """The combinations that may result from those of a box."""
        for observation, results in self.results.items():
            field = self.space.field_of[observation]
            new = 0
            for bit in ones(box & field):
                new |= results.get(1 << bit, 1 << bit)
            box = box & ~field | new
        return box

    def origin(self, box: Box, goal: Box) -> Box:
        """The combinations of a box that may result in one of a goal."""
        origin = box & goal
        for observation, results in self.results.items():
            field = self.space.field_of[observation]
            old = sum(1 << bit for bit in ones(box & field) if results.get(1 << bit, 1 << bit) & goal)
            origin = origin & ~field | old
        return origin


class Ground:
    """The states and the outside, ready to be landed on.

    `inhabited` are the states with a possible combination of their own. `outside` are the patterns of `impossible`
    that describe the outside, `inside` the others.
    """

    def __init__(self, matrix: Matrix, table: DecisionTable) -> None:
        """Take a decided table."""
        self.space = table.patterns.space
        self.patterns = table.patterns
        self.table = table
        owned = [(state, box) for state, boxes in table.boxes.items() for box in boxes]
        self.owners = [state for state, _ in owned]
        self.index = Index(self.space, [box for _, box in owned])
        self.inhabited = {state for state, boxes in table.boxes.items() if any(map(self.is_possible, boxes))}
        self.outside = self._outside(matrix)
        self.inside = self.patterns.of_impossible & ~self.outside

    def _outside(self, matrix: Matrix) -> Members:
        """The patterns of the clauses that alone rule out where the start action can happen."""
        if matrix.start is None:
            return 0
        entries = self.space.boxes(matrix.start.action.requires or EVERYWHERE)
        return self.patterns.of_clauses(clause for clause in self.patterns.clauses if self._alone(clause, entries))

    def _alone(self, clause: int, entries: list[Box]) -> bool:
        own = self.patterns.of[clause]
        others = self.patterns.of_impossible & ~own
        return any(True for entry in entries for _ in self._parts(entry, own, others))

    def _parts(self, box: Box, members: Members, besides: Members) -> Iterator[Box]:
        """The parts of a box that some patterns of `impossible` cover and others don't."""
        index = self.patterns.impossible
        for place in ones(index.touching(box) & members):
            yield from self._left(box & index.boxes[place], besides)

    def is_outside(self, combination: Mapping[str, str]) -> bool:
        """Whether a combination is ruled out by the clauses that describe the outside, and by no other."""
        ruled_out = self.patterns.impossible.touching(self.space.point(combination))
        return bool(ruled_out) and not ruled_out & self.inside

    def entries(self, requires: tuple[Pattern, ...]) -> list[Box]:
        """The combinations outside in which an event can happen."""
        return [part for box in self.space.boxes(requires) for part in self._parts(box, self.outside, self.inside)]

    def enabled(self, requires: tuple[Pattern, ...]) -> dict[str, list[Box]]:
        """For each state, boxes in which an event can happen, as far as they are possible."""
        found: dict[str, list[Box]] = {}
        for box in self.space.boxes(requires or EVERYWHERE):
            for place in ones(self.index.touching(box)):
                found.setdefault(self.owners[place], []).append(box & self.index.boxes[place])
        return found

    def enabled_in(self, state: str, requires: tuple[Pattern, ...]) -> list[Box]:
        """Boxes of one state in which an event can happen, as far as they are possible."""
        parts = (own & box for box in self.space.boxes(requires or EVERYWHERE) for own in self.table.boxes[state])
        return [part for part in parts if not self.space.holds_nothing(part)]

    def is_possible(self, box: Box) -> bool:
        """Whether a box holds a possible combination."""
        return self.patterns.possible(box, COUNTING) is not None

    def landings(self, boxes: Iterable[Box], changes: Changes, declared: tuple[str, ...]) -> tuple[Landing, ...]:
        """Each target that changes lead to from the possible combinations of some boxes, with an example."""
        return self._landings(boxes, changes, declared, self.patterns.of_impossible)

    def landings_from_outside(self, requires: tuple[Pattern, ...], changes: Changes) -> tuple[Landing, ...]:
        """Each target that changes lead to from outside."""
        return self._landings(self.entries(requires), changes, (), self.inside)

    def _landings(
        self, boxes: Iterable[Box], changes: Changes, declared: tuple[str, ...], ruled_out: Members
    ) -> tuple[Landing, ...]:
        move = Move(self.space, changes)
        found: dict[str | None, Landing] = {}
        for box in boxes:
            for target, goal in self._targets(move.after(box), declared):
                if target in found:
                    continue
                origin = next(self._left(move.origin(box, goal), ruled_out), None)
                if origin is not None:
                    before = self.space.first(origin)
                    after = self.space.first(move.after(self.space.point(before)) & goal)
                    found[target] = Landing(target, before, after)
        return tuple(found.values())

    def _targets(self, box: Box, declared: tuple[str, ...]) -> Iterator[tuple[str | None, Box]]:
        """What the combinations of a box are. Gaps and overlaps are other rules' problems, and left out."""
        for place in ones(self.index.touching(box)):
            yield from ((self.owners[place], part) for part in self._left(box & self.index.boxes[place]))
        ruled_out = self.patterns.impossible.touching(box)
        if not self.outside and OUTSIDE in declared:
            yield from ((OUTSIDE, box & self.patterns.index.boxes[place]) for place in ones(ruled_out))
            return
        yield from ((None, box & self.patterns.index.boxes[place]) for place in ones(ruled_out & self.inside))
        yield from ((OUTSIDE, part) for part in self._parts(box, ruled_out & self.outside, self.inside))

    def _left(self, box: Box, ruled_out: Members = -1) -> Iterator[Box]:
        """The parts of a box that some clauses' patterns leave; nothing more past the budget."""
        with suppress(OutOfBudget):
            yield from self.patterns.impossible.uncovered(box, Budget(COUNTING), ruled_out)
