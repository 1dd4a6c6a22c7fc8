"""Conditions of SQL read as comparisons of one column each, and which of them have to hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter

from sqlglot import exp

from failure_matrix.model import Authority
from failure_matrix.sql.facts import Comparison, Operand, Role, same_table
from failure_matrix.sql.terms import age, clock_of, column_of, is_shifted, operand_of, written

OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.Is: "is",
    exp.NullSafeEQ: "is not distinct from",
    exp.NullSafeNEQ: "is distinct from",
    exp.Like: "like",
    exp.ILike: "like",
}
OPPOSITES = {
    "=": "<>",
    "<": ">=",
    ">": "<=",
    "is": "is not",
    "in": "not in",
    "like": "not like",
    "is not distinct from": "is distinct from",
    "exists": "not exists",
}
OPPOSITES |= {opposite: operator for operator, opposite in OPPOSITES.items()}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
EQUALITIES = ("=", "in", "is not distinct from")
FENCES = (*EQUALITIES, "<", "<=")
"""Operators by which a row's generation turns a stale one away: equal to mine, or not later than mine."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a condition stands: which table a column without a prefix belongs to, and what the prefixes mean.

    `name` is what the statement calls the table, empty where that doesn't matter. `own` are the names whose columns
    were read from the same table a moment before, which makes comparing with them worthless. `assigned` are the
    columns that the statement sets.
    """

    table: str
    name: str = ""
    authority: Authority | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()

    def table_of(self, column: exp.Column) -> str:
        """The table that a column belongs to; the prefix where it is the same table, read a second time."""
        prefix = column.table.lower()
        if not prefix or prefix == self.name:
            return self.table
        table = self.names.get(prefix, prefix)
        return prefix if self.name and same_table(table, self.table) else table


def necessary(condition: exp.Expr | None, scope: Scope) -> tuple[Comparison, ...]:
    """The comparisons that hold in every row that passes a condition."""
    return () if condition is None else tuple(_necessary(condition, scope, negated=False))


def every(tree: exp.Expr, scope_at: Callable[[exp.Expr], Scope]) -> Iterator[Comparison]:
    """All comparisons in a statement, wherever they stand, each as it counts under the `not`s around it."""
    for node in tree.walk():
        if isinstance(node, (*OPERATORS, exp.Between, exp.In)) and not _is_assignment(node):
            negations = sum(isinstance(above, exp.Not) for above in _above(node))
            yield from _compared(node, scope_at(node), negated=negations % 2 == 1)


def _above(node: exp.Expr) -> Iterator[exp.Expr]:
    while isinstance(node.parent, (exp.Not, exp.Paren, exp.And, exp.Or)):
        node = node.parent
        yield node


def _is_assignment(node: exp.Expr) -> bool:
    return node.arg_key == "expressions" and isinstance(node.parent, (exp.Update, exp.OnConflict, exp.SetItem))


def _necessary(node: exp.Expr, scope: Scope, *, negated: bool) -> Iterator[Comparison]:
    if isinstance(node, exp.Paren):
        yield from _necessary(node.this, scope, negated=negated)
    elif isinstance(node, exp.Not):
        yield from _necessary(node.this, scope, negated=not negated)
    elif isinstance(node, (exp.And, exp.Or)):
        left = tuple(_necessary(node.left, scope, negated=negated))
        right = tuple(_necessary(node.right, scope, negated=negated))
        both_hold = isinstance(node, exp.And) is not negated
        yield from left + right if both_hold else _in_both(left, right, written(node))
    else:
        yield from _compared(node, scope, negated=negated)


def _in_both(left: tuple[Comparison, ...], right: tuple[Comparison, ...], text: str) -> Iterator[Comparison]:
    """What holds whichever of two alternatives does: the weaker comparison of each column that both compare."""
    by_strength = attrgetter("strength")
    shared = False
    for one in left:
        for other in right:
            if (one.table, one.column) == (other.table, other.column):
                shared = True
                yield replace(min(one, other, key=by_strength), operator="or", text=text)
    if left and right and not shared:
        weakest = min((max(side, key=by_strength) for side in (left, right)), key=by_strength)
        yield replace(weakest, column="", operator="or", text=text)


def _compared(node: exp.Expr, scope: Scope, *, negated: bool) -> Iterator[Comparison]:
    """The comparisons that one condition without `and`, `or` and `not` makes."""
    text = f"not ({written(node)})" if negated else written(node)
    for left, operator, right in _operations(node):
        if isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple):
            for one, other in () if negated else _paired(left, right):
                yield from _both_ways(one, operator, other, scope, text)
        elif negated and isinstance(node, exp.Between):
            yield from _both_ways(left, "not between", right, scope, text)
        else:
            yield from _both_ways(left, OPPOSITES.get(operator, operator) if negated else operator, right, scope, text)


def _paired(left: exp.Tuple, right: exp.Tuple) -> Iterator[tuple[exp.Expr, exp.Expr]]:
    """The columns of a row with what each is compared with: one value, or one in each of several rows."""
    rows = [row.expressions if isinstance(row, exp.Tuple) else [] for row in right.expressions]
    if any(rows):
        columns = [exp.Tuple(expressions=[one.copy() for one in values]) for values in zip(*rows, strict=False)]
        yield from zip(left.expressions, columns, strict=False)
    else:
        yield from zip(left.expressions, right.expressions, strict=False)


def _operations(node: exp.Expr) -> Iterator[tuple[exp.Expr, str, exp.Expr]]:
    if isinstance(node, exp.Between):
        yield node.this, ">=", node.args["low"]
        yield node.this, "<=", node.args["high"]
    elif isinstance(node, exp.In):
        yield node.this, "in", node.args.get("query") or exp.Tuple(expressions=node.expressions)
    elif isinstance(node, exp.Exists):
        yield exp.column(""), "exists", node
    elif isinstance(node, exp.Column):
        yield node, "=", exp.true()
    elif isinstance(node, exp.Is) and isinstance(node.expression, exp.Not):
        yield node.this, "is not", node.expression.this
    elif isinstance(node, exp.Binary) and type(node) in OPERATORS:
        listed = isinstance(node.expression, (exp.Any, exp.All))
        operator = {"=": "in", "<>": "not in"}.get(OPERATORS[type(node)]) if listed else None
        yield node.left, operator or OPERATORS[type(node)], node.right


def _both_ways(left: exp.Expr, operator: str, right: exp.Expr, scope: Scope, text: str) -> Iterator[Comparison]:
    for one, way, other in ((left, operator, right), (right, MIRRORED.get(operator, operator), left)):
        column = column_of(one)
        if column is not None:
            yield _comparison(one, column, way, other, scope, text)


def _comparison(  # noqa: PLR0913, PLR0917 - the parts of one comparison
    side: exp.Expr, column: exp.Column, operator: str, other: exp.Expr, scope: Scope, text: str
) -> Comparison:
    operand = operand_of(other)
    name = column.name.lower()
    return Comparison(
        table=scope.table_of(column),
        column=name,
        operator=operator,
        operand=operand,
        text=text,
        role=_role(name, operator, operand, other, scope),
        shifted=is_shifted(side) or is_shifted(other),
        clock=clock_of(other),
        age=age(other),
    )


def _role(column: str, operator: str, operand: Operand, other: exp.Expr, scope: Scope) -> Role:
    authority = scope.authority
    is_remembered = operand in ("parameter", "column", "other") and not _is_own(other, scope)
    if authority is not None and column == authority.generation.lower():
        return "generation" if operator in FENCES and is_remembered else "state"
    if authority is not None and column == authority.holder.lower():
        return "holder" if operator in EQUALITIES else "state"
    if authority is not None and column == authority.expires.lower():
        return "lease"
    names_a_row = operand in ("parameter", "column", "other") and column not in scope.assigned
    return "id" if operator in EQUALITIES and (names_a_row or column == "id") else "state"


def _is_own(other: exp.Expr, scope: Scope) -> bool:
    """Whether a value was read from the same table within the same statement: then it is not what a worker recalls."""
    columns = list(other.find_all(exp.Column))
    if any(same_table(table.name.lower(), scope.table) for table in other.find_all(exp.Table)):
        return True
    return bool(columns) and all(
        same_table(scope.table_of(column), scope.table) or column.table.lower() in scope.own for column in columns
    )
