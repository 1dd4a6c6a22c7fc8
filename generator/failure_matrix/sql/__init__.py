"""SQL read into facts. This package alone imports sqlglot, and only when the first statement is read."""

from __future__ import annotations

from failure_matrix.model import Authority
from failure_matrix.sql.facts import (
    Assignment,
    Comparison,
    Facts,
    Lock,
    SqlProblem,
    Statement,
    Strength,
    Transaction,
    Write,
    same_table,
    strength,
)
from failure_matrix.sql.guards import Guard, guards

__all__ = [
    "Assignment",
    "Comparison",
    "Facts",
    "Guard",
    "Lock",
    "SqlProblem",
    "Statement",
    "Strength",
    "Transaction",
    "Write",
    "columns",
    "facts",
    "guards",
    "same_table",
    "strength",
]


def facts(statements: str, authority: Authority | None = None) -> Facts:
    """What SQL statements say, of PostgreSQL's dialect with `%(name)s` parameters, separated by semicolons.

    The authority tells which columns are the generation, the holder and the expiry. A statement that cannot be
    read is a value in the answer, not an exception.
    """
    from failure_matrix.sql.reading import read  # noqa: PLC0415 - sqlglot takes a tenth of a second to import

    return read(statements, authority)


def columns(query: str) -> tuple[str, ...]:
    """The names of the columns that a query gives; none where it isn't one query that can be read."""
    from failure_matrix.sql.selects import named  # noqa: PLC0415

    return named(query)
