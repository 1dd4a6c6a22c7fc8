"""Each condition of each statement left out in turn: is there anything that misses it?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from failure_matrix.evidence.orders import run_orders
from failure_matrix.evidence.running import Runner
from failure_matrix.evidence.scenario import Scenario
from failure_matrix.evidence.server import Server
from failure_matrix.evidence.statements import split
from failure_matrix.evidence.walking import Walker
from failure_matrix.model import Action

if TYPE_CHECKING:
    from sqlglot import exp

DIALECT = "postgres"
SYNTAX_ERRORS = ("42", "0A")
"""The classes of SQLSTATE of a statement that was never valid."""

CLOCKS = re.compile(r"\b(now|transaction_timestamp|statement_timestamp)\(", re.IGNORECASE)
"""Functions that sqlglot would write as keywords, which no settable clock can take the place of."""

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A statement of an action without one of its conditions."""

    action: str
    condition: str
    sql: str


@dataclass(frozen=True, slots=True)
class MutantRun:
    """What missed a condition: a scenario's id, `walk`, or nothing. `invalid` says that the mutant is no SQL."""

    mutant: Mutant
    missed_by: str = ""
    invalid: bool = False


def mutants(action: Action) -> Iterator[Mutant]:
    """The mutants of an action's statements, in the order of their conditions. None where they can't be read."""
    import sqlglot  # noqa: PLC0415 - takes a tenth of a second
    from sqlglot.errors import SqlglotError  # noqa: PLC0415

    statements = split(action.run)
    for index, statement in enumerate(statements):
        try:
            tree = sqlglot.parse_one(CLOCKS.sub(r"\1__(", statement), dialect=DIALECT)
        except SqlglotError:
            continue
        for number, condition in enumerate(_conditions(tree)):
            text, cut = _sql(condition), _sql(_without(tree.copy(), number))
            yield Mutant(action.id, text, ";\n".join([*statements[:index], cut, *statements[index + 1 :]]))


def _sql(tree: exp.Expr) -> str:
    return tree.sql(dialect=DIALECT, normalize_functions=False).replace("__(", "(")


def _conditions(tree: exp.Expr) -> list[exp.Expr]:
    """The conditions of all `where`s, those joined by `and` one by one."""
    from sqlglot import exp  # noqa: PLC0415

    wheres = list(tree.find_all(exp.Where, bfs=False))
    return [condition for where in wheres for condition in _conjuncts(where.this)]


def _conjuncts(condition: exp.Expr) -> list[exp.Expr]:
    from sqlglot import exp  # noqa: PLC0415

    if isinstance(condition, exp.And):
        return [*_conjuncts(condition.this), *_conjuncts(condition.expression)]
    return [condition]


def _without(tree: exp.Expr, number: int) -> exp.Expr:
    """A statement without its n-th condition."""
    from sqlglot import exp  # noqa: PLC0415

    condition = _conditions(tree)[number]
    parent = condition.parent
    if isinstance(parent, exp.And):
        parent.replace(parent.expression if parent.this is condition else parent.this)
    elif parent is not None:
        parent.pop()
    return tree


class Hunter:
    """Looks for what misses a condition: first the scenarios that run the action, then the walk, then the orders."""

    def __init__(self, server: Server, runner: Runner, walker: Walker, scenarios: tuple[Scenario, ...]) -> None:
        """`scenarios` are those that hold with the matrix as it is; `walker` has walked it."""
        self._server = server
        self._playbook = walker.playbook
        self._scenarios = scenarios
        self._walker = walker
        self._runner = runner

    def hunt(self, progress: Progress = lambda _: None) -> tuple[MutantRun, ...]:
        """Run all mutants of the matrix."""
        everything = [each for action in self._playbook.matrix.actions.values() for each in mutants(action)]
        runs = []
        for number, mutant in enumerate(everything, start=1):
            runs.append(self.run(mutant))
            progress(number)
        return tuple(runs)

    def run(self, mutant: Mutant) -> MutantRun:
        """Run one mutant until something misses the condition."""
        running = [each for each in self._scenarios if each.runs(mutant.action)]
        for scenario in (each for each in running if each.orders is None):
            played = self._runner.run(scenario.with_statement(mutant.action, mutant.sql))
            states = [seen.result.sqlstate for seen in played.steps if seen.result is not None]
            if any(state.startswith(SYNTAX_ERRORS) for state in states):
                return MutantRun(mutant, invalid=True)
            if played.breaks:
                return MutantRun(mutant, scenario.id)
        action = replace(self._playbook.matrix.actions[mutant.action], run=mutant.sql)
        if self._walker.retry(action) is not None:
            return MutantRun(mutant, "walk")
        for scenario in (each for each in running if each.orders is not None):
            run = run_orders(self._server, scenario.with_statement(mutant.action, mutant.sql), self._playbook)
            if scenario.orders is not None and not run.holds(scenario.orders):
                return MutantRun(mutant, scenario.id)
        return MutantRun(mutant)
