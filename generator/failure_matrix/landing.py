"""Where changes lead from some combinations: the ground under `effects`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from failure_matrix.boxes import Box, Budget, Index, Members, OutOfBudget, ones
from failure_matrix.decision_table import DecisionTable
from failure_matrix.model import OUTSIDE, Changes, Matrix, Pattern
from failure_matrix.moves import Move, moves
from failure_matrix.patterns import SEARCHING

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


class Ground:
    """The states and the outside, ready to be landed on.

    `inhabited` are the states with a possible combination of their own. `outside` are the patterns of `impossible`
    that describe the outside, `inside` the others. `complete` is false once a search was given up.
    """

    def __init__(self, matrix: Matrix, table: DecisionTable) -> None:
        """Take a decided table."""
        self.space = table.patterns.space
        self.complete = True
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
        """Whether a clause rules out a combination of some boxes that no other clause does."""
        others = self.patterns.of_impossible & ~self.patterns.of[clause]
        own = [self.patterns.index.boxes[place] for place in ones(self.patterns.of[clause])]
        parts = (self._left(self.patterns.impossible, entry & box, others) for entry in entries for box in own)
        return any(next(part, None) is not None for part in parts)

    def _left(self, index: Index, box: Box, members: Members) -> Iterator[Box]:
        """The parts of a box that some boxes of an index leave; nothing more past the budget."""
        try:
            yield from index.uncovered(box, Budget(SEARCHING), members)
        except OutOfBudget:
            self.complete = False

    def is_outside(self, combination: Mapping[str, str]) -> bool:
        """Whether a combination is ruled out by the clauses that describe the outside, and by no other."""
        ruled_out = self.patterns.impossible.touching(self.space.point(combination))
        return bool(ruled_out) and not ruled_out & self.inside

    def entries(self, requires: tuple[Pattern, ...]) -> list[Box]:
        """Boxes in which an event can happen outside, as far as the clauses that describe the inside allow it."""
        boxes = (box & self.patterns.index.boxes[n] for box in self.space.boxes(requires) for n in ones(self.outside))
        return [box for box in boxes if next(self._left(self.patterns.impossible, box, self.inside), None) is not None]

    def enabled(self, requires: tuple[Pattern, ...]) -> dict[str, list[Box]]:
        """For each state, boxes in which an event can happen, as far as they are possible."""
        found: dict[str, list[Box]] = {}
        for box in self.space.boxes(requires or EVERYWHERE):
            for place in ones(self.index.touching(box)):
                found.setdefault(self.owners[place], []).append(box & self.index.boxes[place])
        return found

    def enabled_in(self, state: str, requires: tuple[Pattern, ...]) -> list[Box]:
        """Boxes of one state in which an event can happen, as far as they are possible."""
        return [own & box for box in self.space.boxes(requires or EVERYWHERE) for own in self.table.boxes[state]]

    def is_possible(self, box: Box) -> bool:
        """Whether a box holds a possible combination."""
        return self.patterns.possible(box) is not None

    def moves(self, changes: Changes) -> list[Move]:
        """What changes do, ready for `landings`."""
        return moves(self.space, changes, self.patterns.impossible.boxes)

    def landings(self, boxes: Sequence[Box], by: Sequence[Move], declared: tuple[str, ...]) -> tuple[Landing, ...]:
        """Each target that moves lead to from the possible combinations of some boxes, with an example."""
        return self._landings(boxes, by, declared, self.patterns.of_impossible)

    def landings_from_outside(self, requires: tuple[Pattern, ...], by: Sequence[Move]) -> tuple[Landing, ...]:
        """Each target that moves lead to from outside."""
        return self._landings(self.entries(requires), by, (), self.inside)

    def _landings(
        self, boxes: Sequence[Box], by: Sequence[Move], declared: tuple[str, ...], ruled_out: Members
    ) -> tuple[Landing, ...]:
        """What is in the patterns `ruled_out` can be no combination before a move."""
        found: dict[str | None, Landing] = {}
        for move, box in product(by, boxes):
            for target, goal, spoiling in self._targets(move.after(box), declared):
                if target in found:
                    continue
                against = ruled_out | spoiling << len(self.patterns.impossible.boxes)
                origin = next(self._left(move.impossible, box & move.origin(goal), against), None)
                if origin is not None:
                    before = self.space.first(origin)
                    after = self.space.first(move.after(self.space.point(before)))
                    found[target] = Landing(target, before, after)
        return tuple(found.values())

    def _targets(self, box: Box, declared: tuple[str, ...]) -> Iterator[tuple[str | None, Box, Members]]:
        """What the combinations of a box may be, and the patterns of `impossible` that they must not be in for it.

        Gaps and overlaps are other rules' problems, and left out.
        """
        for place in ones(self.index.touching(box)):
            yield self.owners[place], self.index.boxes[place], self.patterns.of_impossible
        impossible = self.patterns.impossible
        for place in ones(impossible.touching(box)):
            if 1 << place & self.outside:
                yield OUTSIDE, impossible.boxes[place], self.inside
            elif not self.outside and OUTSIDE in declared:
                yield OUTSIDE, impossible.boxes[place], 0
            else:
                yield None, impossible.boxes[place], 0
