"""A matrix with all that is needed to play it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from failure_matrix.decision_table import DecisionTable, decide
from failure_matrix.evidence.observing import Observer
from failure_matrix.evidence.settings import Settings, with_defaults
from failure_matrix.evidence.statements import PATH_PARAMETER, Parameter, parameters_in
from failure_matrix.model import Matrix


@dataclass(frozen=True, slots=True)
class Playbook:
    """A matrix, its decided table, how it is played, and the SQL that creates its tables."""

    matrix: Matrix
    tables: str
    settings: Settings
    table: DecisionTable = field(repr=False)

    @property
    def subject_parameters(self) -> tuple[str, ...]:
        """The names of the parameters that observations need: they tell one subject from another."""
        asked = (
            [*parameters_in(each.sql), *parameters_in(each.digest), *PATH_PARAMETER.findall(each.file)]
            for each in self.matrix.observations.values()
        )
        return tuple(dict.fromkeys(name for names in asked for name in names))

    def subjects(self) -> Iterator[dict[str, Parameter]]:
        """The subjects that are walked, by their parameters."""
        parameters = self.settings.walk.subjects
        for values in itertools.product(*parameters.values()):
            yield dict(zip(parameters, values, strict=True))

    def observer(self, store: Path) -> Observer:
        """Who asks the matrix's observations, with files looked for in a folder."""
        return Observer(self.matrix, self.table, store)


def playbook(matrix: Matrix, tables: str, settings: Settings = Settings()) -> Playbook:  # noqa: B008 - frozen
    """The playbook of a matrix, with its table decided and its settings completed."""
    return Playbook(matrix, tables, with_defaults(settings, matrix), decide(matrix))
