"""What every action and every failure does in every state, by what it requires and what it changes.

From each possible combination of a state in which an event can happen, its changes give the combinations that may
result, and the decision table says what those are: a state, the outside, or something that is ruled out.

The outside is what nobody has brought in yet. The start action begins there, so the clauses of `impossible` that
alone rule out where the start can happen describe the outside, and a combination that no other clause rules out lies
there. Where no clause does so, each impossible combination is the outside for an event that declares it.

A failure that doesn't say what it `sets` leaves all as it is, or hides whether a permitted action took effect, as a
lost answer to a commit does. So it may lead to its own state, and wherever a permitted action leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from failure_matrix.boxes import Box
from failure_matrix.decision_table import DecisionTable
from failure_matrix.landing import Ground, Landing
from failure_matrix.model import OUTSIDE, Action, Failure, Matrix, State

Kind = Literal["start", "permitted", "forbidden", "left out", "failure"]


@dataclass(frozen=True, slots=True)
class Cell:
    """What an event does in one state: whether it can happen there, and where it lands.

    `state` is `OUTSIDE` for the start. `declared` are the targets that the matrix names, none where it forbids the
    action or leaves it out. `hides` is set for a failure that doesn't say what it changes: the targets of the
    actions that may have taken effect unseen.
    """

    kind: Kind
    state: str
    event: Action | Failure
    declared: tuple[str, ...]
    possible: bool
    landings: tuple[Landing, ...]
    hides: tuple[str | None, ...] | None = None

    @property
    def is_declared(self) -> bool:
        """Whether the matrix says where the event leads from here."""
        return self.kind in ("start", "permitted", "failure")

    def undeclared(self) -> tuple[Landing, ...]:
        """The landings in a state, or outside, that the matrix does not name."""
        if self.hides is not None or not self.is_declared:
            return ()
        return tuple(each for each in self.landings if each.target is not None and each.target not in self.declared)

    def ruled_out(self) -> tuple[Landing, ...]:
        """The landings in a combination that is ruled out."""
        if self.hides is not None or not self.is_declared:
            return ()
        return tuple(each for each in self.landings if each.target is None)

    def unreached(self) -> tuple[str, ...]:
        """The declared targets that an event never leads to, though it can happen."""
        landed = {*(each.target for each in self.landings), *(self.hides or ())}
        return tuple(target for target in self.declared if target not in landed) if self.possible else ()

    def changes(self) -> tuple[Landing, ...]:
        """The landings elsewhere than in the state itself."""
        return tuple(each for each in self.landings if each.target != self.state)


@dataclass(frozen=True, slots=True)
class Effects:
    """All cells of a matrix: what happens where, and where it leads.

    Keys are a state's id and an action's or failure's. Of the actions that a state leaves out, only those are here
    that could change it. States without a possible combination have no cells, and a table that is not decided has
    none at all. Where `decided` is false, a search was given up, and there may be more landings than are told.
    """

    decided: bool
    start: Cell | None = None
    actions: Mapping[tuple[str, str], Cell] = field(default_factory=dict)
    failures: Mapping[tuple[str, str], Cell] = field(default_factory=dict)

    def cells(self) -> Iterator[Cell]:
        """All cells: the start, the actions in the order of the states, the failures."""
        if self.start is not None:
            yield self.start
        yield from self.actions.values()
        yield from self.failures.values()

    def never_possible(self) -> Iterator[Cell]:
        """The permitted actions, failures and starts that can happen nowhere in their state."""
        return (cell for cell in self.cells() if cell.is_declared and not cell.possible)

    def undecided(self) -> Iterator[Cell]:
        """The actions that a state leaves out although they could change it."""
        return (cell for cell in self.actions.values() if cell.kind == "left out")

    def prevented(self, state: str, action: str) -> bool:
        """Whether a forbidden action can't happen: its `requires` holds nowhere in the state.

        False means that it is only forbidden, and that nothing but discipline stands in its way.
        """
        cell = self.actions.get((state, action))
        return cell is not None and cell.kind == "forbidden" and not cell.possible


def effects(matrix: Matrix, table: DecisionTable) -> Effects:
    """Find where each action and each failure of a matrix lands, by its decided table."""
    if not table.decided:
        return Effects(decided=False)
    ground = Ground(matrix, table)
    actions = _actions(matrix, ground)
    start, failures = _start(matrix, ground), _failures(matrix, ground, actions)
    return Effects(ground.complete, start, actions, failures)


def _start(matrix: Matrix, ground: Ground) -> Cell | None:
    """The start, from the outside. One that requires nothing says nothing of where it begins, and has no cell."""
    if matrix.start is None:
        return None
    action, declared = matrix.start.action, (matrix.start.state,)
    landings = ground.landings_from_outside(action.requires, ground.moves(action.sets))
    return Cell("start", OUTSIDE, action, declared, True, landings) if landings else None


def _actions(matrix: Matrix, ground: Ground) -> dict[tuple[str, str], Cell]:
    """The cells of all actions, by state, each state's in the author's order."""
    enabled = {action.id: ground.enabled(action.requires) for action in matrix.actions.values()}
    moves = {action.id: ground.moves(action.sets) for action in matrix.actions.values()}
    left_out = _left_out(matrix, enabled)
    found: dict[tuple[str, str], Cell] = {}
    for state in matrix.states.values():
        if state.id not in ground.inhabited:
            continue
        for kind, action, declared in [*_decided(state), *left_out[state.id]]:
            boxes = [box for box in enabled[action.id].get(state.id, ()) if ground.is_possible(box)]
            landings = ground.landings(boxes, moves[action.id], declared)
            cell = Cell(kind, state.id, action, declared, bool(boxes), landings)
            if kind != "left out" or cell.changes():
                found[state.id, action.id] = cell
    return found


def _decided(state: State) -> Iterator[tuple[Kind, Action, tuple[str, ...]]]:
    """What a state says of actions: permitted with their targets, or forbidden."""
    yield from (("permitted", permission.action, permission.targets) for permission in state.permitted)
    yield from (("forbidden", prohibition.action, ()) for prohibition in state.forbidden)


def _left_out(
    matrix: Matrix, enabled: Mapping[str, Mapping[str, list[Box]]]
) -> Mapping[str, list[tuple[Kind, Action, tuple[str, ...]]]]:
    """For each state, the actions that it leaves out although they can happen there and change something."""
    decided = {(state.id, action.id) for state in matrix.states.values() for _, action, _ in _decided(state)}
    found: dict[str, list[tuple[Kind, Action, tuple[str, ...]]]] = {state: [] for state in matrix.states}
    for action in matrix.actions.values():
        for state in enabled[action.id] if action.sets else ():
            if (state, action.id) not in decided:
                found[state].append(("left out", action, ()))
    return found


def _failures(matrix: Matrix, ground: Ground, actions: Mapping[tuple[str, str], Cell]) -> dict[tuple[str, str], Cell]:
    """The cells of all failures, in the author's order."""
    permitted = _permitted_targets(actions)
    found: dict[tuple[str, str], Cell] = {}
    for failure in matrix.failures.values():
        for outcome in failure.outcomes:
            if outcome.state not in ground.inhabited:
                continue
            boxes = [box for box in ground.enabled_in(outcome.state, outcome.requires) if ground.is_possible(box)]
            landings = ground.landings(boxes, ground.moves(outcome.sets), outcome.targets)
            hides = None if outcome.sets else tuple(permitted.get(outcome.state, ()))
            found[outcome.state, failure.id] = Cell(
                "failure", outcome.state, failure, outcome.targets, bool(boxes), landings, hides
            )
    return found


def _permitted_targets(actions: Mapping[tuple[str, str], Cell]) -> Mapping[str, dict[str | None, None]]:
    """For each state, where its permitted actions land."""
    found: dict[str, dict[str | None, None]] = {}
    for (state, _), cell in actions.items():
        if cell.kind == "permitted":
            found.setdefault(state, {}).update((each.target, None) for each in cell.landings)
    return found
