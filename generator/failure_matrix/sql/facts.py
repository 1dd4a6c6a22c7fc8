"""What an action's SQL says, as values: no syntax tree leaves this package."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from failure_matrix.model import Authority

Operand = Literal["parameter", "literal", "clock", "column", "other"]
"""What a column is compared with or set to, by the strongest thing in it: a clock before a parameter, and so on."""

ClockKind = Literal["real", "statement", "transaction"]
"""Which instant a clock function gives: the real one, the statement's start, or the transaction's start."""

Role = Literal["id", "state", "lease", "holder", "generation"]
"""What comparing a column tells: which row it is, how it stands, that the lease holds, whose it is, which claim's."""

StatementKind = Literal["read", "write", "begin", "commit", "rollback", "other"]


class Strength(IntEnum):
    """How much a statement checks before it changes a row, from nothing to the generation.

    Only `GENERATION` turns a stale worker away after a new claim: the row of a new claim has the same id, may be
    in the same state, and may be held under the same name.
    """

    NONE = 0
    ID = 1
    STATE = 2
    HOLDER = 3
    GENERATION = 4

    @property
    def word(self) -> str:
        """The word for it on the pages and in messages."""
        return ("nothing", "id alone", "state", "holder", "generation")[self]


STRENGTHS: dict[Role, Strength] = {
    "id": Strength.ID,
    "state": Strength.STATE,
    "lease": Strength.STATE,
    "holder": Strength.HOLDER,
    "generation": Strength.GENERATION,
}
"""How much each comparison is worth. A lease that holds says nothing about whose it is."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A condition on one column, with the column on the left. `text` is the condition as sqlglot writes it.

    `shifted` says that something is added to one of the two sides or done with it before they are compared.
    """

    table: str
    column: str
    operator: str
    operand: Operand
    text: str
    role: Role
    shifted: bool = False
    clock: ClockKind | None = None
    age: int | None = None
    """Seconds that are subtracted from the clock before the column is compared with it."""

    @property
    def strength(self) -> Strength:
        """How much it is worth as a guard."""
        return STRENGTHS[self.role]


@dataclass(frozen=True, slots=True)
class Assignment:
    """A column that a statement sets, and what to."""

    column: str
    operand: Operand
    text: str
    clock: ClockKind | None = None
    ahead: int | None = None
    """Seconds that are added to a clock."""
    keeps_old: bool = False
    """Whether it is a `case` that leaves the old value where its condition fails."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Rows (or a whole table) that a statement locks until its transaction ends."""

    table: str
    skips: bool = False
    comparisons: tuple[Comparison, ...] = ()


@dataclass(frozen=True, slots=True)
class Write:
    """One change of one table. `comparisons` all have to hold in a row that is changed.

    Conditions of a subselect count only where it locks the rows that it selects: PostgreSQL checks the statement's
    own conditions again after it has waited for a row, and a subselect's not. `fresh` is an insert that can change no
    existing row. `may_skip` says that the row can be there and still not be changed.
    """

    kind: Literal["insert", "update", "delete", "merge", "truncate"]
    table: str
    comparisons: tuple[Comparison, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    returning: tuple[str, ...] = ()
    fresh: bool = False
    may_skip: bool = False

    @property
    def strength(self) -> Strength:
        """How much it checks."""
        return max((comparison.strength for comparison in self.comparisons), default=Strength.NONE)

    @property
    def roles(self) -> tuple[Role, ...]:
        """What it compares, the weakest first."""
        return tuple(role for role in STRENGTHS if any(one.role == role for one in self.comparisons))


@dataclass(frozen=True, slots=True)
class Statement:
    """One SQL statement. `text` is the author's. `loose` are rows that it returns without having changed them."""

    text: str
    kind: StatementKind
    reads: tuple[str, ...] = ()
    writes: tuple[Write, ...] = ()
    locks: tuple[Lock, ...] = ()
    checks: tuple[Comparison, ...] = ()
    """All comparisons in it, wherever they stand."""
    loose: str = ""
    limits: str = ""
    """The setting by which it bounds how long a lock can be held or waited for, if it does."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """Statements that take effect together.

    `explicit` says that a `begin` or a `commit` is there: without one each statement is a transaction of its own.
    `continued` began in an earlier action, `left_open` goes on after the last statement.
    """

    statements: tuple[Statement, ...]
    explicit: bool = False
    continued: bool = False
    left_open: bool = False

    @property
    def writes(self) -> tuple[Write, ...]:
        """What it changes."""
        return tuple(write for statement in self.statements for write in statement.writes)

    @property
    def locks(self) -> tuple[Lock, ...]:
        """What it locks on purpose; what it changes is locked as well."""
        return tuple(lock for statement in self.statements for lock in statement.locks)


@dataclass(frozen=True, slots=True)
class SqlProblem:
    """Why a statement could not be read, and where in the text (line and column count from 1)."""

    message: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What the statements of one action say. Statements that could not be read are left out and told in `problem`."""

    transactions: tuple[Transaction, ...] = ()
    problem: SqlProblem | None = None

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All statements, in their order."""
        return tuple(statement for transaction in self.transactions for statement in transaction.statements)

    @property
    def writes(self) -> tuple[Write, ...]:
        """All changes, in their order."""
        return tuple(write for transaction in self.transactions for write in transaction.writes)

    @property
    def locks(self) -> tuple[Lock, ...]:
        """All locks that are taken on purpose."""
        return tuple(lock for transaction in self.transactions for lock in transaction.locks)

    @property
    def skips_locked(self) -> bool:
        """Whether a row that somebody else holds is passed over."""
        return any(lock.skips for lock in self.locks)

    @property
    def ends(self) -> bool:
        """Whether it ends a transaction that an earlier action began."""
        return any(transaction.continued for transaction in self.transactions)

    @property
    def left_open(self) -> Transaction | None:
        """The transaction that goes on after the last statement."""
        return next((transaction for transaction in self.transactions if transaction.left_open), None)

    def changes_of(self, table: str) -> Iterator[Write]:
        """The changes of a table's existing rows: everything but an insert that can only add."""
        return (write for write in self.writes if same_table(write.table, table) and not write.fresh)


def same_table(one: str, other: str) -> bool:
    """Whether two names mean one table. A schema counts only where both name one."""
    if "." in one and "." in other:
        return one == other
    return one.rpartition(".")[2] == other.rpartition(".")[2]


def strength(facts: Facts, authority: Authority | None) -> Strength | None:
    """The weakest guard among the changes of the authority's table; none where nothing changes it."""
    if authority is None:
        return None
    return min((write.strength for write in facts.changes_of(authority.table)), default=None)
