"""One parsed statement to its facts: what it reads, changes and locks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from sqlglot import exp

from failure_matrix.model import Authority
from failure_matrix.sql.conditions import Scope, every, necessary
from failure_matrix.sql.facts import Assignment, Comparison, Lock, Statement, Write, same_table
from failure_matrix.sql.returned import loose_rows
from failure_matrix.sql.terms import ahead, clock_of, operand_of, table_name, written

CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.TruncateTable)
RETURNING = "returning"


@dataclass(frozen=True)
class Reading:
    """A statement's tree with the names that it gives to tables and to its common table expressions."""

    tree: exp.Expr
    authority: Authority | None

    @cached_property
    def parts(self) -> dict[str, exp.Expr]:
        """The common table expressions, by name."""
        return {cte.alias.lower(): cte.this for cte in self.tree.find_all(exp.CTE)}

    @cached_property
    def names(self) -> dict[str, str]:
        """The table behind each alias and each table's own name."""
        tables = [table for table in self.tree.find_all(exp.Table) if not isinstance(table.parent, exp.Lock)]
        return {table.alias_or_name.lower(): table_name(table) for table in tables}

    def reached(self, node: exp.Expr) -> list[exp.Select]:
        """The selects that a statement draws from: its subselects, and the expressions that it names, all the way."""
        found: list[exp.Select] = []
        ways, seen = [node], set[str]()
        while ways:
            way = ways.pop()
            for part in way.walk(prune=lambda part: isinstance(part, exp.With)):
                if isinstance(part, exp.Select):
                    found.append(part)
                elif isinstance(part, exp.Table) and part.name.lower() in self.parts.keys() - seen:
                    seen.add(part.name.lower())
                    ways.append(self.parts[part.name.lower()])
        return found

    def scope(self, table: str, name: str = "", assigned: frozenset[str] = frozenset()) -> Scope:
        """The scope of the conditions of a statement about a table, which goes by a name of its own there."""
        return Scope(table, name, self.authority, self.names, self._own(table, name), assigned)

    def _own(self, table: str, name: str) -> frozenset[str]:
        parts = {alias for alias, part in self.parts.items() if self._reads(part, table)}
        derived = {query.alias.lower() for query in self.tree.find_all(exp.Subquery) if self._reads(query, table)}
        others = {alias for alias, known in self.names.items() if known in parts or same_table(known, table)}
        return frozenset(parts | derived | others) - {name}

    def _reads(self, part: exp.Expr, table: str) -> bool:
        return any(same_table(table_name(one), table) for one in part.find_all(exp.Table))


def statement(tree: exp.Expr, text: str, authority: Authority | None) -> Statement:
    """The facts of one statement that reads or changes something."""
    reading = Reading(tree, authority)
    writes = tuple(write for node in tree.find_all(*CHANGES) if not _in_merge(node) for write in _writes(node, reading))
    changed = {write.table for write in writes}
    scope = cache(reading.scope)
    return Statement(
        text=text,
        kind="write" if writes else "read",
        reads=tuple(dict.fromkeys(_read(reading, changed))),
        writes=writes,
        locks=tuple(lock for select in tree.find_all(exp.Select) for lock in _locks(select, reading)),
        checks=tuple(every(tree, lambda node: scope(_table_around(node)))),
        loose=loose_rows(tree),
    )


def names_its_tables(tree: exp.Expr) -> bool:
    """Whether each change in a statement names a table; sqlglot also reads forms of other databases that don't."""
    changes = (node for node in tree.find_all(*CHANGES) if not _in_merge(node))
    return all(isinstance(table, exp.Table) for node in changes for table in _target_tables(node))


def _table_around(node: exp.Expr) -> str:
    """The table that a column without a prefix belongs to at a place: that of the nearest statement around it."""
    around = node.find_ancestor(exp.Select, *CHANGES)
    while around is not None and _in_merge(around):
        around = around.find_ancestor(exp.Merge)
    if around is None:
        return ""
    return next(iter(_sources(around)), "") if isinstance(around, exp.Select) else _target(around)


def _in_merge(node: exp.Expr) -> bool:
    return isinstance(node.parent, exp.When)


def _read(reading: Reading, changed: set[str]) -> Iterator[str]:
    for select in reading.tree.find_all(exp.Select):
        yield from (table for table in _sources(select) if table not in reading.parts)
    yield from (name for name in reading.names.values() if name not in changed and name not in reading.parts)


def _sources(select: exp.Expr) -> Iterator[str]:
    """The tables that a select names in `from` and `join`."""
    return (table_name(table) for table in _tables(select))


def _tables(select: exp.Expr) -> Iterator[exp.Table]:
    origin = select.args.get("from_")
    joined = [join.this for join in select.args.get("joins") or ()]
    for source in joined if origin is None else [origin.this, *joined]:
        if isinstance(source, exp.Table):
            yield source


def _locks(select: exp.Select, reading: Reading) -> Iterator[Lock]:
    where = select.args.get("where")
    for lock in select.args.get("locks") or ():
        named = {table.name.lower() for table in lock.expressions}
        for table in _tables(select):
            name = table.alias_or_name.lower()
            if not named or name in named:
                scope = reading.scope(table_name(table), name)
                checked = _about(scope.table, necessary(where and where.this, scope))
                # `wait` is False for `skip locked`, True for `nowait`, and absent where it waits.
                yield Lock(scope.table, lock.args.get("wait") is False, checked)


def _target(node: exp.Expr) -> str:
    table = _target_tables(node)[0]
    return table_name(table) if isinstance(table, exp.Table) else ""


def _target_tables(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.TruncateTable):
        return node.expressions
    return [node.this.this if isinstance(node.this, exp.Schema) else node.this]


def _scope(node: exp.Expr, assignments: tuple[Assignment, ...], reading: Reading) -> Scope:
    """The scope of the conditions of a statement that changes a table."""
    name = _target_tables(node)[0].alias_or_name.lower()
    return reading.scope(_target(node), name, frozenset(one.column for one in assignments))


def _writes(node: exp.Expr, reading: Reading) -> Iterator[Write]:
    if isinstance(node, exp.Insert):
        yield _insert(node, reading)
    elif isinstance(node, exp.Merge):
        yield from _merge(node, reading)
    elif isinstance(node, exp.TruncateTable):
        yield from (Write("truncate", table_name(table)) for table in node.expressions)
    else:
        yield _update_or_delete(node, reading)


def _update_or_delete(node: exp.Expr, reading: Reading) -> Write:
    table, assignments = _target(node), tuple(_assignments(node))
    where = node.args.get("where")
    scope = _scope(node, assignments, reading)
    own = _about(table, necessary(where and where.this, scope))
    comparisons = own + tuple(_locked(node, reading, table) if own or _selects_row(where) else ())
    return Write(
        kind="update" if isinstance(node, exp.Update) else "delete",
        table=table,
        comparisons=comparisons,
        assignments=assignments,
        returning=_returning(node),
        may_skip=any(one.role != "id" for one in comparisons),
    )


def _about(table: str, comparisons: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
    """The comparisons of a table's own columns; those without a column are about whole rows."""
    return tuple(one for one in comparisons if same_table(one.table, table) or not one.column)


def _selects_row(where: exp.Expr | None) -> bool:
    return where is not None and where.find(exp.Select) is not None


def _locked(node: exp.Expr, reading: Reading, table: str) -> Iterator[Comparison]:
    """The conditions of the locking selects of the same table that a change draws its rows from."""
    for select in reading.reached(node):
        for lock in _locks(select, reading):
            if same_table(lock.table, table):
                yield from lock.comparisons


def _insert(node: exp.Insert, reading: Reading) -> Write:
    table, conflict = _target(node), node.args.get("conflict")
    if conflict is None or "UPDATE" not in str(conflict.args.get("action", "")).upper():
        query = node.expression
        conditional = conflict is not None or (isinstance(query, exp.Select) and query.args.get("where") is not None)
        return Write("insert", table, returning=_returning(node), fresh=True, may_skip=conditional)
    assignments = tuple(_assignments(conflict))
    scope = _scope(node, assignments, reading)
    keys = tuple(
        Comparison(table, key.name.lower(), "=", "column", written(key), "id")
        for key in conflict.args.get("conflict_keys") or [exp.column("")]
    )
    where = conflict.args.get("where")
    conditions = _about(table, necessary(where and where.this, scope))
    return Write("insert", table, keys + conditions, assignments, _returning(node), may_skip=bool(conditions))


def _merge(node: exp.Merge, reading: Reading) -> Iterator[Write]:
    table = _target(node)
    for when in node.args["whens"].expressions:
        then = when.args.get("then")
        if isinstance(then, exp.Insert):
            yield Write("insert", table, returning=_returning(node), fresh=True, may_skip=True)
        elif isinstance(then, exp.Update) or str(then).upper() == "DELETE":
            assignments = tuple(_assignments(then)) if isinstance(then, exp.Update) else ()
            scope = _scope(node, assignments, reading)
            conditions = necessary(node.args["on"], scope) + necessary(when.args.get("condition"), scope)
            own = _about(table, conditions)
            skips = any(one.role != "id" for one in own)
            yield Write("merge", table, own, assignments, _returning(node), may_skip=skips)


def _assignments(node: exp.Expr) -> Iterator[Assignment]:
    for one in node.args.get("expressions") or ():
        if isinstance(one, exp.EQ) and isinstance(one.left, exp.Tuple):
            values = one.right.expressions or [one.right] * len(one.left.expressions)
            pairs = zip(one.left.expressions, values, strict=False)
            yield from (_assignment(column, value) for column, value in pairs)
        elif isinstance(one, exp.EQ):
            yield _assignment(one.left, one.right)


def _assignment(column: exp.Expr, value: exp.Expr) -> Assignment:
    otherwise = value.args.get("default") if isinstance(value, exp.Case) else None
    keeps_old = isinstance(otherwise, exp.Column) and otherwise.name.lower() == column.name.lower()
    return Assignment(
        column=column.name.lower(),
        operand=operand_of(value),
        text=written(value),
        clock=clock_of(value),
        ahead=ahead(value),
        keeps_old=keeps_old,
    )


def _returning(node: exp.Expr) -> tuple[str, ...]:
    clause = node.args.get(RETURNING)
    return () if clause is None else tuple(written(column) for column in clause.expressions)
