"""A scenario's steps as a page shows them: a lane for each session, the steps down the page.

What a step ran is SQL with its values, or words for what is no SQL: the clock, a crash, a file, a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from failure_matrix.checks.mechanism import listed
from failure_matrix.evidence.recorded import Cell, ResultRecorded, Row, StateRecorded, StepRecorded

Kind = Literal["runs", "waits", "goes on"]

SHOWN_ROWS = 8
"""So many rows of an answer are shown; of more, how many they are."""

NO_SQL = (
    "the clock shows ",
    "the client dies",
    "the server ends ",
    "write ",
    "remove ",
    "damage ",
    "send ",
    "look for ",
)
"""How the words begin that stand where nothing was sent to the database."""

CHANGES = re.compile(r"\b(insert|update|delete|merge)\b", re.IGNORECASE)

CLAUSES = re.compile(
    r"\s+(?=(?:set|from|where|and|returning|values|on conflict|order by|for update)\b)"
    r"|(?<=\))\s+(?=(?:select|update|insert|delete)\b)"
    r"|(?<=;)\s+",
    re.IGNORECASE,
)

ERRORS: Mapping[str, str] = {
    "23502": "a value is missing",
    "23503": "a reference leads nowhere",
    "23505": "such a row is there already",
    "23514": "a constraint refuses it",
    "25P02": "the transaction has failed",
    "40001": "the transaction could not be serialized",
    "40P01": "a deadlock",
    "55P03": "the lock is not available",
    "57014": "the statement was cancelled",
    "57P01": "the server ended the session",
}
"""What the SQLSTATEs say that evidence meets most."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a statement: words, and the rows that it gave. `is_error` says that the database refused it."""

    words: str
    rows: tuple[str, ...] = ()
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class LaneCell:
    """What one session does or suffers at one step. `text` is what it runs; `sql` says whether that is SQL."""

    session: str
    kind: Kind
    text: str = ""
    sql: bool = False
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """The state that a subject was seen in after a step: its id, and the subject in words."""

    subject: str
    state: str


@dataclass(frozen=True, slots=True)
class LaneRow:
    """One step: a cell for each session, `None` where it does nothing. `all` is what belongs to no session."""

    number: int
    cells: tuple[LaneCell | None, ...]
    all: LaneCell | None = None
    sight: Sight | None = None
    note: str = ""
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Lanes:
    """The steps of a scenario, and its sessions in the order of their lanes."""

    sessions: tuple[str, ...]
    rows: tuple[LaneRow, ...]


def lanes(sessions: Sequence[str], steps: Sequence[StepRecorded], broken: frozenset[int] = frozenset()) -> Lanes:
    """The lanes of steps. `broken` are the numbers of those that gave something else than was expected."""
    waiting: dict[str, tuple[str, ...]] = {}
    rows = []
    for number, step in enumerate(steps, start=1):
        cells = {name: LaneCell(name, "waits", f"waits for {listed(others)}") for name, others in waiting.items()}
        cells |= {name: _goes_on(name, result) for name, result in step.woke.items()}
        own = _cell(step)
        sight = _sight(step.state) if step.state is not None else None
        row = LaneRow(number, (), sight=sight, note=step.note, broken=number in broken)
        if step.session in sessions:
            cells[step.session] = own
        else:
            row = replace(row, all=own)
        rows.append(replace(row, cells=tuple(cells.get(name) for name in sessions)))
        waiting = {name: others for name, others in waiting.items() if name not in step.woke and name != step.session}
        if step.waits is not None:
            waiting[step.session] = step.waits
    return Lanes(tuple(sessions), tuple(rows))


def _cell(step: StepRecorded) -> LaneCell:
    sql = not step.ran.startswith(NO_SQL)
    text = "\n".join(lines_of_sql(step.ran)) if sql else step.ran
    if not text:
        return LaneCell(step.session, "runs")
    if step.waits is not None:
        return LaneCell(step.session, "runs", text, sql, Outcome(f"waits for {listed(step.waits) or 'a lock'}"))
    return LaneCell(step.session, "runs", text, sql, outcome(step.ran, step.result, sql=sql))


def _goes_on(session: str, result: ResultRecorded) -> LaneCell:
    return LaneCell(session, "goes on", outcome=outcome("update", result, sql=True))


def _sight(state: StateRecorded) -> Sight:
    return Sight(", ".join(f"{name} {shown(value)}" for name, value in state.subject.items()), state.state)


def outcome(ran: str, result: ResultRecorded, *, sql: bool) -> Outcome | None:
    """What came of something that was run; nothing where there is nothing to say, as of `begin`."""
    if result.error is not None:
        words = ERRORS.get(result.error, "")
        return Outcome(f"error {result.error}" + (f": {words}" if words else ""), is_error=True)
    if not sql:
        return _without_database(ran, result.count or 0)
    if result.rows is not None:
        return _rows(result.rows)
    if result.count is None or not CHANGES.search(ran):
        return None
    return Outcome(f"{result.count} row{'' if result.count == 1 else 's'} changed")


def _without_database(ran: str, count: int) -> Outcome | None:
    if ran.startswith("look for "):
        return Outcome("it is there" if count else "it is not there")
    return Outcome(f"{count} sent") if ran.startswith("send ") else None


def _rows(rows: tuple[Row, ...]) -> Outcome:
    if not rows:
        return Outcome("no row")
    more = (f"and {len(rows) - SHOWN_ROWS} more",) if len(rows) > SHOWN_ROWS else ()
    lines = tuple(row_text(row) for row in rows[:SHOWN_ROWS])
    return Outcome("1 row" if len(rows) == 1 else f"{len(rows)} rows", (*lines, *more))


def row_text(row: Row) -> str:
    """A row in one line."""
    return ", ".join(shown(value) for value in row)


def shown(value: Cell) -> str:
    """A value as text."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def lines_of_sql(statement: str) -> Iterator[str]:
    """A statement of one line in several: each clause that stands in no parentheses and no quotes begins one."""
    start = 0
    for found in CLAUSES.finditer(statement):
        if _is_open(statement[: found.start()]):
            continue
        yield _indented(statement[start : found.start()])
        start = found.end()
    yield _indented(statement[start:])


def _indented(line: str) -> str:
    return f"  {line}" if line.lower().startswith("and ") else line


def _is_open(text: str) -> bool:
    """Whether a text ends within parentheses or quotes."""
    quoted = text.split("'")
    plain = "".join(quoted[::2])
    return len(quoted) % 2 == 0 or plain.count("(") > plain.count(")")
