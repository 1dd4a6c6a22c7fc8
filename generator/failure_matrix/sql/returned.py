"""Rows that a statement returns without having changed them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlglot import exp

CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge)


def loose_rows(tree: exp.Expr) -> str:
    """Why a statement that changes rows returns others as well, as a clause of a sentence; empty where it doesn't.

    Two forms are known: a select around a changing expression that can return a row without drawing on it, and an
    update whose condition stands in `case` instead of `where`, so that every row counts as changed.
    """
    if isinstance(tree, exp.Update):
        return _unchanged_case(tree)
    changing = {cte.alias.lower(): cte.this for cte in tree.find_all(exp.CTE) if isinstance(cte.this, CHANGES)}
    if not changing or not isinstance(tree, exp.Query):
        return ""
    if any(not _draws_on(branch, changing) for branch in _branches(tree)):
        return f"the select returns rows that `{next(iter(changing))}` has not changed"
    inner = (_unchanged_case(change) for change in changing.values() if isinstance(change, exp.Update))
    return next((reason for reason in inner if reason), "")


def _unchanged_case(update: exp.Update) -> str:
    sets = [one for one in update.expressions if isinstance(one, exp.EQ)]
    if sets and all(_keeps_old(one) for one in sets):
        column = sets[0].left.name
        return f"`{column}` is set by `case … else {column}`, so a row that stays as it was counts as changed"
    return ""


def _keeps_old(assignment: exp.EQ) -> bool:
    value = assignment.right
    otherwise = value.args.get("default") if isinstance(value, exp.Case) else None
    return isinstance(otherwise, exp.Column) and otherwise.name.lower() == assignment.left.name.lower()


def _branches(query: exp.Expr) -> Iterator[exp.Expr]:
    """The selects whose rows a query returns."""
    if isinstance(query, (exp.Subquery, exp.Paren)):
        yield from _branches(query.this)
    elif isinstance(query, (exp.Intersect, exp.Except)):
        yield from _branches(query.left)
    elif isinstance(query, exp.SetOperation):
        yield from _branches(query.left)
        yield from _branches(query.right)
    else:
        yield query


def _draws_on(select: exp.Expr, changing: Collection[str]) -> bool:
    """Whether every row of a select needs a row of a changing expression; an aggregate over one does."""
    tables = (table for table in select.find_all(exp.Table) if table.name.lower() in changing)
    return any(not _is_optional(table, select) for table in tables)


def _is_optional(table: exp.Expr, select: exp.Expr) -> bool:
    node: exp.Expr = table
    while node is not select and node.parent is not None:
        if isinstance(node, (exp.Not, exp.CTE)) or (isinstance(node, exp.Join) and node.side in ("LEFT", "FULL")):
            return True
        node = node.parent
    return False
