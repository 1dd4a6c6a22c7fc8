"""What a rule is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from failure_matrix import decision_table, effects, sql
from failure_matrix.addresses import address
from failure_matrix.model import Matrix, Path
from failure_matrix.problems import Level, Problem, Related

if TYPE_CHECKING:
    from failure_matrix.evidence.shown import Evidence


class Proof:
    """A matrix and what follows from it, each part worked out once, when the first rule asks for it."""

    def __init__(self, matrix: Matrix, evidence: Evidence | None = None) -> None:
        """`evidence` is what was recorded of the matrix; a matrix that has nothing to run has none."""
        self.matrix = matrix
        self.evidence = evidence

    @cached_property
    def table(self) -> decision_table.DecisionTable:
        """Which combinations of observations are in which state."""
        return decision_table.decide(self.matrix)

    @cached_property
    def effects(self) -> effects.Effects:
        """Where every action and every failure leads from every state."""
        return effects.effects(self.matrix, self.table)

    @cached_property
    def statements(self) -> dict[str, sql.Facts]:
        """What the actions' SQL says, by the action's id; actions without SQL are left out."""
        return {
            action.id: sql.facts(action.run, self.matrix.authority)
            for action in self.matrix.actions.values()
            if action.run
        }

    @cached_property
    def recorded(self) -> tuple[Problem, ...]:
        """What the recorded evidence, as far as it is not stale, says against the matrix."""
        return tuple(self.evidence.problems()) if self.evidence is not None else ()

    def told(self, rule: str) -> Iterator[Problem]:
        """What the recorded evidence says against the matrix by one rule, by its number."""
        return (problem for problem in self.recorded if problem.rule == rule)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its number and name, which never change, its level, and where its check is.

    `page` is the docstring of the rule's module, in Markdown: a line that says what is wrong, why it matters,
    a failing and a mended example. `check` is missing where the reader reports the problem itself.
    """

    number: str
    name: str
    level: Level
    page: str
    check: Callable[[Proof], Iterator[Problem]] | None = None
    acceptable: bool = True

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.strip().splitlines()[0]

    def problem(
        self, matrix: Matrix, path: Path, message: str, *, remedy: str = "", related: tuple[Related, ...] = ()
    ) -> Problem:
        """A problem of this rule at a path of the matrix's file."""
        return Problem(self.number, self.level, message, matrix.locate(path), remedy, related, matrix.id, address(path))
