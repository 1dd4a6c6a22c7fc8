"""What a walk showed."""

from __future__ import annotations

from dataclasses import dataclass, field

from failure_matrix.evidence.judging import Finding
from failure_matrix.evidence.places import Place


@dataclass(frozen=True, slots=True)
class Found:
    """A finding of the walk, with the way that led there, the last step included."""

    finding: Finding
    way: tuple[str, ...]


@dataclass
class CellWalked:
    """What the walk showed of one cell: how often it was tried, where it led, and how often it changed nothing.

    `held` counts the times that the action's `requires` held.
    """

    tried: int = 0
    held: int = 0
    unchanged: int = 0
    targets: set[str] = field(default_factory=set)


@dataclass
class Walked:
    """What a walk showed.

    `limited` says that it was stopped by the limit, `beyond` how many places lie past the generations that are walked.
    `tables` are the tables' names, in the order of each place's rows. `cells` is by state and by action or failure;
    `states` counts in how many places a subject was in each state.
    """

    tables: tuple[str, ...] = ()
    places: list[Place] = field(default_factory=list)
    tried: int = 0
    beyond: int = 0
    limited: bool = False
    states: dict[str, int] = field(default_factory=dict)
    cells: dict[tuple[str, str], CellWalked] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
