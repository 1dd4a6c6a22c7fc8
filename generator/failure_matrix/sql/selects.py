"""The names of the columns that a query gives."""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError


def named(query: str) -> tuple[str, ...]:
    """The columns' names; none where it isn't one query that can be read. A column without a name has an empty one."""
    try:
        tree = sqlglot.parse_one(query, dialect="postgres")
    except (ParseError, TokenError, RecursionError):
        return ()
    return tuple(tree.named_selects) if isinstance(tree, exp.Query) else ()
