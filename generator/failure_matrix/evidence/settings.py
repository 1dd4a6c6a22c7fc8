"""What has to be known beside a matrix to play it: where values come from, what happens to files, how far to walk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal

from failure_matrix.evidence.observing import ABSENT, DAMAGED, PRESENT
from failure_matrix.evidence.scenario import Derived
from failure_matrix.evidence.statements import Parameter
from failure_matrix.model import Change, Changes, Matrix

FileDeed = Literal["write", "remove", "damage"]

DEEDS: Mapping[str, FileDeed] = {PRESENT: "write", ABSENT: "remove", DAMAGED: "damage"}


@dataclass(frozen=True, slots=True)
class FileEffect:
    """What an action or a failure does to a file, and whether only where its statement finds no row."""

    deed: FileDeed
    path: str
    if_no_rows: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """How far the walk goes.

    `subjects` gives the values of the parameters that tell subjects apart; all combinations are walked. `clock`
    are the steps of the clock, in seconds. `limit` is how many states of the database are visited at most.
    """

    subjects: Mapping[str, tuple[Parameter, ...]] = field(default_factory=dict)
    clock: tuple[Decimal, ...] = ()
    limit: int = 2000


@dataclass(frozen=True, slots=True)
class Settings:
    """How a matrix is played.

    `values` are parameters' values that hold for everybody. `files` has what an action does to a file, by its id; the
    first effect counts.
    """

    values: Mapping[str, Parameter | Derived] = field(default_factory=dict)
    files: Mapping[str, tuple[FileEffect, ...]] = field(default_factory=dict)
    walk: Walk = Walk()


def with_defaults(settings: Settings, matrix: Matrix) -> Settings:
    """Settings completed by what the matrix says.

    Where an action without a statement sets an observation of a file, the file is written, removed or damaged as
    that says.
    """
    files = dict(settings.files)
    for action in matrix.actions.values():
        if not action.run:
            files.setdefault(action.id, tuple(file_effects(matrix, action.sets)))
    return replace(settings, files={name: effects for name, effects in files.items() if effects})


def file_effects(matrix: Matrix, changes: Changes) -> Iterator[FileEffect]:
    """What changes of observations of files do to those files."""
    for name, change in changes.items():
        observation = matrix.observations.get(name)
        if observation is not None and observation.file:
            yield from (FileEffect(DEEDS[value], observation.file) for value in _results(change) if value in DEEDS)


def _results(change: Change) -> Iterator[str]:
    yield from change.to
    for values in change.by.values():
        yield from values
