"""What was observed of a subject, to the states that are left, the question that tells most next, and what is safe.

The question that comes next is the one after whose answer the fewest states are left on average, where each possible
combination of observations counts the same: the expected size, which R. W. Irving used for Mastermind ("Towards an
optimum Mastermind strategy", Journal of Recreational Mathematics 11, 1978). It needs whole numbers alone, so it is the
same everywhere; of equal questions the author's first comes. A question to which every row that is left of the decision
table has the same answers is not asked: no further answer could make it tell. A subject that may not be in the matrix
at all counts as one state more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from failure_matrix.boxes import Box, Budget, OutOfBudget, ones
from failure_matrix.decision_table import DecisionTable
from failure_matrix.effects import Effects
from failure_matrix.landing import Ground
from failure_matrix.model import OUTSIDE, Action, Impossible, Matrix, Observation, Pattern, State
from failure_matrix.patterns import SEARCHING

Verdict = Literal["one state", "not distinguished", "impossible"]

Answers = Mapping[str, str | None]
"""The value of each observation that was asked for, by the observation's id; `None` where nobody can tell."""


@dataclass(frozen=True, slots=True)
class Forbidding:
    """A state that forbids an action: why, and whether the action's own condition prevents it there."""

    state: State
    because: str
    prevented: bool


@dataclass(frozen=True, slots=True)
class Forbidden:
    """An action that one of the states left forbids, and all that do."""

    action: Action
    by: tuple[Forbidding, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Possible combinations that are one state's, or nobody's: `state` is then the outside."""

    state: str
    box: Box


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What follows from some answers.

    `outside` are the rules by which the subject may not be in the matrix at all. `question` tells most next; there is
    none once one state is left, or where no open observation can tell more. `safe` are the actions that every state
    left permits. `broken` are the rules of `impossible` that rule the answers out: where one alone does, that one.
    """

    answers: Answers
    states: tuple[State, ...]
    outside: tuple[Impossible, ...]
    question: Observation | None
    safe: tuple[Action, ...]
    forbidden: tuple[Forbidden, ...]
    broken: tuple[Impossible, ...]

    @property
    def verdict(self) -> Verdict:
        """Whether one state is left, or several, or none. Maybe being outside the matrix counts as one more."""
        if not self.states:
            return "impossible"
        return "one state" if len(self.states) == 1 and not self.outside else "not distinguished"


class Triage:
    """A matrix, ready to be asked what its subjects are in. The table has to be sound."""

    def __init__(self, matrix: Matrix, table: DecisionTable, effects: Effects) -> None:
        self.matrix = matrix
        self._effects = effects
        self._table = table
        self._patterns = table.patterns
        self.space = table.patterns.space

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """All possible combinations, by state in the author's order, and those outside the matrix at the end."""
        inside = (Place(row.state, self.space.box(Pattern(row.pattern))) for row in self._table.rows)
        return (*inside, *(Place(OUTSIDE, box) for box in self._outside()))

    def _outside(self) -> Iterator[Box]:
        """What only the rules that describe the outside rule out. Past the budget, all that they rule out."""
        index = self._patterns.impossible
        for place in ones(self._ground.outside):
            box = index.boxes[place]
            try:
                yield from tuple(index.uncovered(box, Budget(SEARCHING), self._ground.inside))
            except OutOfBudget:
                yield box

    @cached_property
    def _ground(self) -> Ground:
        return Ground(self.matrix, self._table)

    @cached_property
    def outside_clauses(self) -> tuple[int, ...]:
        """The rules of `impossible` that describe the outside, by their index."""
        return self._patterns.clauses_in(self._ground.outside)

    def diagnose(self, answers: Answers) -> Diagnosis:
        """What follows from some answers. Values have to be those of their observations."""
        box = self.space.point({name: value for name, value in answers.items() if value is not None})
        left = [Place(place.state, part) for place in self.places if (part := self._part(place.box, box))]
        found = {place.state for place in left}
        states = tuple(state for id, state in self.matrix.states.items() if id in found)
        outside = self._rules(self._outside_of(box)) if OUTSIDE in found else ()
        return Diagnosis(
            answers=answers,
            states=states,
            outside=outside,
            question=self._question(answers, left) if len(found) > 1 else None,
            safe=tuple(self._safe(states)),
            forbidden=tuple(self._forbidden(states)),
            broken=() if found else self._rules(self._broken(box)),
        )

    def _part(self, place: Box, box: Box) -> Box:
        """What a place and a box share, 0 where that is nothing."""
        part = place & box
        return 0 if self.space.holds_nothing(part) else part

    def _question(self, answers: Answers, left: list[Place]) -> Observation | None:
        """The open observation after whose answer the fewest states are left on average."""
        weights: dict[int, int] = {}
        states: dict[int, set[str]] = {}
        for place in left:
            size = self.space.size(place.box)
            for field in self.space.fields:
                share = size // (place.box & field).bit_count()
                for bit in ones(place.box & field):
                    weights[bit] = weights.get(bit, 0) + share
                    states.setdefault(bit, set()).add(place.state)
        best: tuple[int, Observation] | None = None
        for observation, field in zip(self.space.observations, self.space.fields, strict=True):
            seen = [bit for bit in ones(field) if bit in weights]
            expected = sum(weights[bit] * len(states[bit]) for bit in seen)
            tells = len(seen) > 1 and len({place.box & field for place in left}) > 1
            if observation.id not in answers and tells and (best is None or expected < best[0]):
                best = expected, observation
        return best[1] if best else None

    def _safe(self, states: tuple[State, ...]) -> Iterator[Action]:
        """The actions that all of some states permit."""
        for cell in states[0].permitted if states else ():
            if all(state.permission(cell.action.id) for state in states):
                yield cell.action

    def _forbidden(self, states: tuple[State, ...]) -> Iterator[Forbidden]:
        """The actions that one of some states forbids, in the matrix's order."""
        found: dict[str, list[Forbidding]] = {}
        for state in states:
            for cell in state.forbidden:
                forbidding = Forbidding(state, cell.because, self.prevented(state, cell.action))
                found.setdefault(cell.action.id, []).append(forbidding)
        for id, action in self.matrix.actions.items():
            if id in found:
                yield Forbidden(action, tuple(found[id]))

    def prevented(self, state: State, action: Action) -> bool:
        """Whether an action's own condition keeps it from happening in a state."""
        return self._effects.prevented(state.id, action.id)

    def _outside_of(self, box: Box) -> tuple[int, ...]:
        """The rules that describe the outside and touch a box."""
        return self._patterns.clauses_in(self._patterns.index.touching(box) & self._ground.outside)

    def _broken(self, box: Box) -> tuple[int, ...]:
        """The rules that rule a box out by themselves; where none does, all that rule a part of it out."""
        touching = self._patterns.index.touching(box) & self._patterns.of_impossible
        covering = sum(1 << place for place in ones(touching) if self._patterns.index.boxes[place] & box == box)
        return self._patterns.clauses_in(covering or touching)

    def _rules(self, clauses: Iterable[int]) -> tuple[Impossible, ...]:
        return tuple(self.matrix.impossible[clause] for clause in clauses)
