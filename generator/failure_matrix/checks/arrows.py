"""What the rules about actions and failures have in common: names, places, and what follows from other problems."""

from __future__ import annotations

from failure_matrix.checks.rule import Proof
from failure_matrix.effects import Cell, Effects
from failure_matrix.landing import Landing
from failure_matrix.model import OUTSIDE, Failure, Path

MANY = 3
"""What so many places have in common is told once, in the place that they share: it is more likely to be wrong."""


def place(cell: Cell) -> Path:
    """Where a matrix says what an event does in a state."""
    if cell.kind == "start":
        return ("start",)
    if isinstance(cell.event, Failure):
        return ("failures", cell.event.id, "outcome", cell.state)
    part = {"permitted": ("permitted", cell.event.id), "forbidden": ("forbidden", cell.event.id)}
    return ("states", cell.state, *part.get(cell.kind, ()))


def named(target: str) -> str:
    """A target in a sentence."""
    return "outside the matrix" if target == OUTSIDE else f"“{target}”"


def change(landing: Landing) -> str:
    """What an event changes, by one combination: `job=running → done, lease=live → none`."""
    changed = (
        f"{name}={old} → {landing.after[name]}" for name, old in landing.before.items() if landing.after[name] != old
    )
    return ", ".join(changed) or "nothing changes"


def judged(proof: Proof) -> Effects:
    """Where actions and failures lead, or nothing while the table has an error.

    A gap, an overlap or a state that is wholly ruled out changes what is possible, and with it what every action
    seems to do. What follows from it is not told.
    """
    return proof.effects if proof.table.sound and not proof.table.empty_states else Effects(decided=False)


def arrows_hold(proof: Proof) -> bool:
    """Whether every action and failure lands where the matrix says, and every action is decided.

    What the arrows lead to is asked only then: where one is wrong or missing, states look unreachable or without an
    end that are not.
    """
    effects = judged(proof)
    return effects.decided and not any(map(is_astray, effects.cells())) and not any(effects.undecided())


def is_astray(cell: Cell) -> bool:
    """Whether an event leads where the matrix doesn't say, or where it can't."""
    return bool(cell.undeclared() or cell.ruled_out())
