"""What a page of a matrix shows, worked out from the model and its proof.

Templates lay out what is decided here. Everything that a second consumer of a page would need to know, such as
whether a forbidden action is prevented, is an attribute of a view and not a condition in a template.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from failure_matrix import sql
from failure_matrix.checks import Checked
from failure_matrix.checks.acceptance import Accepted
from failure_matrix.checks.rule import Proof
from failure_matrix.diagnose import Triage
from failure_matrix.exhibits import EvidenceView
from failure_matrix.marks import Mark
from failure_matrix.model import (
    OUTSIDE,
    Action,
    Exercise,
    Failure,
    Matrix,
    Observation,
    Outcome,
    Owner,
    Pattern,
    Permission,
    Prohibition,
    Reversal,
    State,
    Value,
)
from failure_matrix.neighbours import Neighbour, neighbours
from failure_matrix.problems import Problem


@dataclass(frozen=True, slots=True)
class Target:
    """Where an arrow leads: a state, or the outside, which has no page."""

    state: State | None
    stays: bool = False

    @property
    def label(self) -> str:
        """The short name of the target."""
        return self.state.label if self.state else "outside this matrix"


@dataclass(frozen=True, slots=True)
class Clue:
    """An observation that helps to recognise a state, and the answers that one gets there."""

    observation: Observation
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Permitted:
    """A permitted action and where it leads from here."""

    cell: Permission
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A forbidden action, and whether its own condition prevents it or only discipline does."""

    cell: Prohibition
    prevented: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """What a failure does to a state."""

    failure: Failure
    outcome: Outcome
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a state says of an action: `permitted`, `forbidden` or, where it says nothing, `unchanged`."""

    state: State
    permitted: Permitted | None = None
    forbidden: Forbidden | None = None


@dataclass(frozen=True, slots=True)
class Duty:
    """What one owner has to decide and do in one matrix."""

    matrix: Matrix
    states: tuple[State, ...]
    actions: tuple[Action, ...]
    reversals: tuple[tuple[State, Reversal], ...]
    completes: bool


class MatrixView:
    """A matrix with its proof, and the questions that several of its pages ask."""

    def __init__(self, matrix: Matrix, proof: Proof, checked: Checked) -> None:
        self.matrix = matrix
        self.proof = proof
        self.problems = tuple(problem for problem in checked.problems if problem.matrix == matrix.id)
        self.accepted: tuple[Accepted, ...] = tuple(
            accepted for accepted in checked.accepted if accepted.problem.matrix == matrix.id
        )
        self.on_path = frozenset(matrix.spine_states())
        self.shown = EvidenceView(proof.evidence) if proof.evidence is not None else None

    @cached_property
    def guards(self) -> tuple[sql.Guard, ...]:
        """What each statement that changes the authority's table compares."""
        return sql.guards(self.matrix)

    @cached_property
    def triage(self) -> Triage | None:
        """The matrix, ready to be asked which states some answers leave; none where the table isn't sound."""
        proof = self.proof
        return Triage(self.matrix, proof.table, proof.effects) if proof.table.sound else None

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that one has to know to make the observations, in the matrix's order."""
        asked = [(each.sql, each.digest, each.file, each.url) for each in self.matrix.observations.values()]
        text = "\n".join(part for parts in asked for part in parts)
        return tuple(name for name in self.matrix.parameters if f"%({name})s" in text or f"{{{name}}}" in text)

    @cached_property
    def unchecked(self) -> tuple[Action, ...]:
        """The actions with effects that no database checks."""
        return tuple(action for action in self.matrix.actions.values() if action.outside)

    @cached_property
    def cells(self) -> int:
        """How many pairs of state and action the matrix decides, permitted or forbidden."""
        return sum(len(state.permitted) + len(state.forbidden) for state in self.matrix.states.values())

    @cached_property
    def retained(self) -> tuple[State, ...]:
        """The states whose belongings are kept for some time."""
        return tuple(state for state in self.matrix.states.values() if state.retention)

    @cached_property
    def undone(self) -> tuple[Exercise, ...]:
        """The exercises that have not been done."""
        return tuple(exercise for exercise in self.matrix.exercises.values() if exercise.status != "done")

    @cached_property
    def done(self) -> tuple[Exercise, ...]:
        """The exercises that have been done."""
        return tuple(exercise for exercise in self.matrix.exercises.values() if exercise.status == "done")

    def mark(self, state: State, event: Action | Failure) -> Mark | None:
        """What was run of a cell; nothing where nothing of the matrix is recorded."""
        return self.shown.mark(state.id, event.id) if self.shown is not None else None

    def targets(self, here: str, targets: tuple[str, ...]) -> tuple[Target, ...]:
        """The targets of an arrow that starts in the state `here`."""
        return tuple(
            Target(None if target == OUTSIDE else self.matrix.states[target], target == here) for target in targets
        )

    def permitted(self, state: State) -> tuple[Permitted, ...]:
        """The actions that a state permits."""
        return tuple(Permitted(cell, self.targets(state.id, cell.targets)) for cell in state.permitted)

    def forbidden(self, state: State) -> tuple[Forbidden, ...]:
        """The actions that a state forbids."""
        return tuple(
            Forbidden(cell, self.proof.effects.prevented(state.id, cell.action.id)) for cell in state.forbidden
        )

    def cells_of(self, action: Action) -> Iterator[Cell]:
        """What each state says of an action."""
        for state in self.matrix.states.values():
            permission, prohibition = state.permission(action.id), state.prohibition(action.id)
            if permission:
                yield Cell(state, permitted=Permitted(permission, self.targets(state.id, permission.targets)))
            elif prohibition:
                prevented = self.proof.effects.prevented(state.id, action.id)
                yield Cell(state, forbidden=Forbidden(prohibition, prevented))
            else:
                yield Cell(state)

    def hits(self, state: State) -> tuple[Hit, ...]:
        """The failures that have an outcome in a state."""
        return tuple(
            Hit(failure, outcome, self.targets(state.id, outcome.targets))
            for failure in self.matrix.failures.values()
            if (outcome := failure.outcome(state.id))
        )

    def row(self, state: State) -> Iterator[tuple[Failure, Hit | None]]:
        """What each failure does to a state; nothing where it has no outcome."""
        hits = {hit.failure.id: hit for hit in self.hits(state)}
        return ((failure, hits.get(failure.id)) for failure in self.matrix.failures.values())

    def hits_of(self, failure: Failure) -> tuple[tuple[State, Hit | None], ...]:
        """What a failure does in each state; nothing where it has no outcome."""
        outcomes = {outcome.state: outcome for outcome in failure.outcomes}
        return tuple(
            (state, Hit(failure, found, self.targets(state.id, found.targets)) if found else None)
            for state in self.matrix.states.values()
            for found in [outcomes.get(state.id)]
        )

    def clues(self, state: State) -> tuple[Clue, ...]:
        """The observations that a state is recognised by, in the author's order."""
        return tuple(
            Clue(observation, values)
            for observation in self.matrix.observations.values()
            if (values := expected(observation, state.when))
        )

    def indifferent(self, state: State) -> tuple[Observation, ...]:
        """The observations that say nothing about a state."""
        return tuple(
            observation for observation in self.matrix.observations.values() if not expected(observation, state.when)
        )

    def neighbours(self, state: State) -> tuple[Neighbour, ...]:
        """The states that look most like a state, and what tells them apart."""
        return self._neighbours[state.id]

    @cached_property
    def _neighbours(self) -> Mapping[str, tuple[Neighbour, ...]]:
        return neighbours(self.matrix, self.proof.table)

    def states_with(self, observation: Observation, value: Value) -> tuple[State, ...]:
        """The states in which an observation can have a value."""
        return tuple(
            self.matrix.states[state] for state in self.proof.table.states_left(Pattern({observation.id: (value.id,)}))
        )

    def limits(self, element: str) -> tuple[Accepted, ...]:
        """The known and accepted problems of a state or another element, by the start of their address."""
        return tuple(
            accepted
            for accepted in self.accepted
            if accepted.problem.address == element or accepted.problem.address.startswith(f"{element}.")
        )


def expected(observation: Observation, patterns: tuple[Pattern, ...]) -> tuple[Value, ...]:
    """The values that one of the patterns names for an observation; none where all leave it out."""
    named = {value for pattern in patterns for value in pattern.values.get(observation.id, ())}
    return tuple(value for value in observation.values if value.id in named)


def duties(owner: Owner, matrices: list[MatrixView]) -> Iterator[Duty]:
    """What an owner has to decide and do, matrix by matrix; matrices that don't name the owner are left out."""
    for view in matrices:
        matrix = view.matrix
        duty = Duty(
            matrix,
            tuple(matrix.states_owned_by(owner.id)),
            tuple(matrix.actions_done_by(owner.id)),
            tuple((state, reversal) for state in matrix.states_owned_by(owner.id) for reversal in state.reversals),
            matrix.completion is not None
            and matrix.completion.owner is not None
            and matrix.completion.owner.id == owner.id,
        )
        if duty.states or duty.actions or duty.completes:
            yield duty


@dataclass(frozen=True, slots=True)
class ProblemGroup:
    """The problems of one matrix, or of the files that belong to all of them."""

    title: str
    id: str
    problems: tuple[Problem, ...]
    accepted: tuple[Accepted, ...]


def problem_groups(checked: Checked, matrices: list[MatrixView]) -> Iterator[ProblemGroup]:
    """The problems by matrix, and first those that belong to no matrix that could be read."""
    known = {view.matrix.id for view in matrices}
    shared = tuple(problem for problem in checked.problems if problem.matrix not in known)
    if shared:
        yield ProblemGroup("Files", "files", shared, ())
    for view in matrices:
        yield ProblemGroup(view.matrix.title, view.matrix.id, view.problems, view.accepted)
