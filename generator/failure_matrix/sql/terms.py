"""The terms of a condition or an assignment: columns, clocks, intervals, parameters."""

from __future__ import annotations

from sqlglot import exp

from failure_matrix.sql.facts import ClockKind, Operand

CLOCK_FUNCTIONS: dict[str, ClockKind] = {
    "clock_timestamp": "real",
    "timeofday": "real",
    "statement_timestamp": "statement",
    "transaction_timestamp": "transaction",
}
CLOCK_NODES = (exp.CurrentTimestamp, exp.Localtimestamp, exp.CurrentTime, exp.Localtime, exp.CurrentDate)
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "month": 2592000, "year": 31536000}


def written(node: exp.Expr) -> str:
    """A node as SQL: keywords in capitals, names as the author wrote them."""
    if node.find(exp.CurrentTimestamp):
        node = node.copy().transform(_with_now)
    return node.sql("postgres", normalize_functions=False, comments=False)


def _with_now(node: exp.Expr) -> exp.Expr:
    """sqlglot reads `now()` as `current_timestamp`; only a function's name has a place in the text."""
    return exp.Anonymous(this="now") if isinstance(node, exp.CurrentTimestamp) and node.meta else node


def table_name(table: exp.Table) -> str:
    """The name of a table with its schema, in lower case."""
    return ".".join(part.name.lower() for part in table.parts)


def column_of(side: exp.Expr) -> exp.Column | None:
    """The one column that a side of a comparison is about; none for a subselect, a clock or several columns."""
    if isinstance(side, (exp.Subquery, exp.Exists, exp.Select)) or side.find(exp.Subquery):
        return None
    columns = list(side.find_all(exp.Column))
    return columns[0] if len(columns) == 1 else None


def is_shifted(side: exp.Expr) -> bool:
    """Whether something is done with the column, clock or value: anything but a cast or a default for null."""
    while isinstance(side, (exp.Paren, exp.Cast, exp.Coalesce)):
        side = side.this
    return isinstance(side, (exp.Binary, exp.Func)) and not (clock_of(side) and not isinstance(side, exp.Binary))


def clock_of(term: exp.Expr) -> ClockKind | None:
    """Which instant a term reads, if it reads a clock."""
    for node in term.walk():
        if isinstance(node, CLOCK_NODES):
            return "transaction"
        if isinstance(node, exp.Anonymous) and node.name.lower() in CLOCK_FUNCTIONS:
            return CLOCK_FUNCTIONS[node.name.lower()]
    return None


def operand_of(term: exp.Expr) -> Operand:
    """What a column is compared with or set to."""
    if clock_of(term):
        return "clock"
    if term.find(exp.Select):
        return "other"
    if term.find(exp.Column):
        return "column"
    if term.find(exp.Placeholder, exp.Parameter):
        return "parameter"
    return "literal" if all(isinstance(leaf, LITERALS) for leaf in _leaves(term)) else "other"


LITERALS = (exp.Literal, exp.Null, exp.Boolean, exp.DataType, exp.Var, exp.Tuple, exp.Array)


def _leaves(term: exp.Expr) -> list[exp.Expr]:
    return [node for node in term.walk() if not list(node.iter_expressions())]


def age(term: exp.Expr) -> int | None:
    """The seconds that are subtracted from a clock."""
    return _shift(term, exp.Sub)


def ahead(term: exp.Expr) -> int | None:
    """The seconds that are added to a clock."""
    return _shift(term, exp.Add)


def _shift(term: exp.Expr, operation: type[exp.Binary]) -> int | None:
    for node in term.find_all(operation):
        if clock_of(node.left):
            return _seconds(node.right)
    return None


def _seconds(term: exp.Expr) -> int | None:
    """The length of `interval '120 seconds'`, or of a sum or a product of such; none where it is no constant."""
    if isinstance(term, (exp.Paren, exp.Cast)):
        return _seconds(term.this)
    if isinstance(term, exp.Add):
        left, right = _seconds(term.left), _seconds(term.right)
        return None if left is None or right is None else left + right
    if not isinstance(term, exp.Interval) or not isinstance(term.this, exp.Literal) or term.unit is None:
        return None
    unit = SECONDS.get(term.unit.name.lower().removesuffix("s"))
    count = term.this.name
    return int(count) * unit if unit and count.isdigit() else None
