"""What the rules about actions and failures have in common: names, places, and what follows from other problems."""

from __future__ import annotations

from failure_matrix.checks.rule import Proof
from failure_matrix.effects import Cell
from failure_matrix.landing import Landing
from failure_matrix.model import OUTSIDE, Failure, Path


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


def arrows_hold(proof: Proof) -> bool:
    """Whether every action and failure lands where the matrix says, and every action is decided.

    What the arrows lead to is asked only then: where one is wrong or missing, states look unreachable or without an
    end that are not.
    """
    wrong = any(cell.undeclared() or cell.ruled_out() for cell in proof.effects.cells())
    return not wrong and not any(proof.effects.undecided())


def in_overlap(proof: Proof) -> frozenset[str]:
    """The states that share a combination with another one. Where actions lead from them can't be said yet."""
    return frozenset(state for each in proof.table.overlaps for state in (each.first, each.second))


def in_empty_state(proof: Proof, landing: Landing) -> bool:
    """Whether an event leads to a state that `impossible` rules out as a whole."""
    patterns = proof.table.patterns
    here = patterns.index.touching(patterns.space.point(landing.after))
    return any(here & patterns.of[state] for state in proof.table.empty_states)
