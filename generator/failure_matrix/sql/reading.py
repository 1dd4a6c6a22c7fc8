"""Statements to facts: the text is cut at its semicolons, each statement is read, and transactions are formed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sqlglot
from sqlglot.dialects import Postgres
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from failure_matrix.model import Authority
from failure_matrix.sql.facts import Facts, Lock, SqlProblem, Statement, StatementKind, Transaction, Write, same_table
from failure_matrix.sql.statements import names_its_tables, statement

READ_OR_WRITE = {"select", "with", "insert", "update", "delete", "merge", "truncate", "values", "table", "("}
CONTROL: dict[str, StatementKind] = {
    "begin": "begin",
    "start": "begin",
    "commit": "commit",
    "end": "commit",
    "rollback": "rollback",
    "abort": "rollback",
}
UNREAD = (
    "alter analyze call checkpoint close cluster comment copy create deallocate declare discard do drop "
    "execute explain fetch grant listen load lock move notify prepare reassign refresh reindex release reset "
    "revoke savepoint security set show unlisten vacuum"
)
"""Statements that say nothing about rows, or nothing that can be known; they are not looked into."""
LIMITS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_timeout")


def read(text: str, authority: Authority | None) -> Facts:
    """The facts of a text of statements. Of several that cannot be read, the first one is told."""
    try:
        pieces = list(_pieces(text))
    except TokenError as error:
        reason = (
            str(error.__cause__) if isinstance(error.__cause__, TokenError) else "it ends within a word or a comment"
        )
        return Facts(problem=SqlProblem(reason, 1, 1))
    found = [_statement(text, tokens, authority) for tokens in pieces if tokens]
    statements = [one for one in found if isinstance(one, Statement)]
    problem = next((one for one in found if isinstance(one, SqlProblem)), None)
    return Facts(tuple(_guarded_by_locks(one) for one in _transactions(statements)), problem)


def _pieces(text: str) -> Iterator[list[Token]]:
    piece: list[Token] = []
    for token in Postgres().tokenize(text):
        if token.token_type == TokenType.SEMICOLON:
            yield piece
            piece = []
        else:
            piece.append(token)
    yield piece


def _statement(text: str, tokens: list[Token], authority: Authority | None) -> Statement | SqlProblem:
    words = [token.text.lower() for token in tokens]
    source = text[tokens[0].start : tokens[-1].end + 1]
    if words[0] in CONTROL:
        to_savepoint = words[0] == "rollback" and "to" in words
        return Statement(source, "other" if to_savepoint else CONTROL[words[0]])
    if words[0] in UNREAD.split():
        return Statement(source, "other", locks=tuple(_table_lock(words)), limits=_limit(words))
    if words[0] not in READ_OR_WRITE:
        return _problem(text, tokens[0].start, f"`{tokens[0].text}` does not begin a statement")
    return _parsed(text, tokens[0].start, source, authority)


def _parsed(text: str, start: int, source: str, authority: Authority | None) -> Statement | SqlProblem:
    try:
        tree = sqlglot.parse_one(source, dialect="postgres")
        if not names_its_tables(tree):
            return _problem(text, start, "it does not say which table it changes")
        return statement(tree, source, authority)
    except ParseError as error:
        return _parse_problem(text, start, source, error)
    except RecursionError:
        return _problem(text, start, "it is nested too deeply")


def _parse_problem(text: str, start: int, source: str, error: ParseError) -> SqlProblem:
    found = error.errors[0]
    lines = source.splitlines(keepends=True)[: found["line"] - 1]
    offset = start + sum(map(len, lines)) + found["col"] - len(found["highlight"])
    return _problem(text, offset, f"something is missing or misplaced at `{found['highlight']}`")


def _problem(text: str, offset: int, message: str) -> SqlProblem:
    before = text[: max(offset, 0)]
    return SqlProblem(message, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def _table_lock(tokens: list[str]) -> Iterator[Lock]:
    words = " ".join(tokens).split()  # the tokenizer leaves what follows `lock` in one piece
    named = [word for word in words[1:3] if word != "table"]
    if words[0] == "lock" and named:
        yield Lock(named[0])


def _limit(words: list[str]) -> str:
    return next((word for word in words if words[0] == "set" and word in LIMITS), "")


def _transactions(statements: list[Statement]) -> Iterator[Transaction]:
    """The statements in their transactions. A `commit` without a `begin` ends one that an earlier action began."""
    pending: list[Statement] = []
    is_open = False
    for one in statements:
        if one.kind == "begin":
            yield from (Transaction((alone,)) for alone in pending)
            pending, is_open = [one], True
        elif one.kind in ("commit", "rollback"):
            yield Transaction((*pending, one), explicit=True, continued=not is_open)
            pending, is_open = [], False
        else:
            pending.append(one)
    if is_open:
        yield Transaction(tuple(pending), explicit=True, left_open=True)
    else:
        yield from (Transaction((alone,)) for alone in pending)


def _guarded_by_locks(transaction: Transaction) -> Transaction:
    """The transaction with each change guarded also by what an earlier statement checked under a lock that it holds."""
    locks: list[Lock] = []
    statements = []
    for one in transaction.statements:
        statements.append(replace(one, writes=tuple(_guarded(write, locks) for write in one.writes)))
        locks.extend(one.locks)
    return replace(transaction, statements=tuple(statements))


def _guarded(write: Write, locks: list[Lock]) -> Write:
    """An update by the id alone is checked all the same where the row was locked and looked at before."""
    if write.fresh or not write.comparisons:
        return write
    held = (one for lock in locks if same_table(lock.table, write.table) for one in lock.comparisons)
    return replace(write, comparisons=write.comparisons + tuple(held))
