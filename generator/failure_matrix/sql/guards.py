"""How strong the guards of a matrix's statements are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from failure_matrix.model import Action, Matrix
from failure_matrix.sql.facts import Strength, Write


@dataclass(frozen=True, slots=True)
class Guard:
    """What one change of the authority's table compares.

    `compares` are the words for it, the weakest first: of `id`, `state`, `lease`, `holder`, `generation`.
    `conditions` are the conditions themselves, as SQL. An insert that only adds a row is no guard's business.
    """

    action: Action
    table: str
    compares: tuple[str, ...]
    strength: Strength
    conditions: tuple[str, ...] = ()


def guards(matrix: Matrix) -> tuple[Guard, ...]:
    """The guards of all statements that change the authority's table, in the order of the actions."""
    return tuple(_guards(matrix))


def _guards(matrix: Matrix) -> Iterator[Guard]:
    from failure_matrix.sql.reading import read  # noqa: PLC0415 - sqlglot takes a tenth of a second to import

    if matrix.authority is None:
        return
    for action in matrix.actions.values():
        if action.run:
            for write in read(action.run, matrix.authority).changes_of(matrix.authority.table):
                yield _guard(action, write)


def _guard(action: Action, write: Write) -> Guard:
    conditions = tuple(dict.fromkeys(comparison.text for comparison in write.comparisons))
    return Guard(action, write.table, write.roles, write.strength, conditions)
