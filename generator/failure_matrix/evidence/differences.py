"""What came otherwise than expected, in words: pairs of what was expected and what came."""

from __future__ import annotations

from collections.abc import Iterator

from failure_matrix.evidence.connection import Result
from failure_matrix.evidence.observing import Observed
from failure_matrix.evidence.playing import Seen
from failure_matrix.evidence.scenario import Expected, Look, Step


def of_result(step: Step, seen: Seen) -> Iterator[tuple[str, str]]:
    """Where a step's result, or its waiting, is not as expected."""
    expected, came = step.expected, seen.result
    if expected.waits or came is None:
        if seen.waits != ((expected.waits,) if expected.waits else ()):
            yield _waiting(expected.waits), result_words(came) if came is not None else _waiting(*seen.waits)
    elif isinstance(step.act, Look) and step.act.file:
        if expected.exists is not None and expected.exists != bool(came.count):
            yield ("the file", "none") if expected.exists else ("no file", "one")
    else:
        yield from differences(expected, came)


def of_wakes(step: Step, seen: Seen) -> Iterator[tuple[str, str]]:
    """Where other sessions woke than expected, or with another result."""
    woke = dict(seen.woke)
    for name, expected in step.wakes.items():
        if name not in woke:
            yield f"{name} to wake", "nothing"
        else:
            yield from ((f"{name} to wake with {one}", two) for one, two in differences(expected, woke[name]))
    for name in woke.keys() - step.wakes.keys():
        yield "nobody else to wake", f"{name}, with {result_words(woke[name])}"


def differences(expected: Expected, came: Result) -> Iterator[tuple[str, str]]:
    """Where a result is not as expected: what was expected and what came, in words."""
    if expected.error or came.failed:
        if expected.error != came.sqlstate:
            yield f"error {expected.error}" if expected.error else "no error", result_words(came)
    elif expected.rows is not None and rows_as_text(came) != expected.rows:
        yield rows_words(expected.rows), result_words(came)
    elif expected.count is not None and came.count != expected.count:
        yield _counted(expected.count), result_words(came)


def rows_as_text(result: Result) -> tuple[tuple[str | None, ...], ...] | None:
    """A result's rows as scenarios write them."""
    if result.rows is None:
        return None
    return tuple(tuple(None if cell is None else str(cell) for cell in row) for row in result.rows)


def rows_words(rows: tuple[tuple[str | None, ...], ...]) -> str:
    """Rows in words, as scenarios write them."""
    return "[" + ", ".join("[" + ", ".join("null" if c is None else c for c in row) + "]" for row in rows) + "]"


def result_words(result: Result) -> str:
    """A result in words."""
    if result.failed:
        return f"error {result.sqlstate} ({result.message})"
    return _counted(result.count) if result.rows is None else rows_words(rows_as_text(result) or ())


def _counted(count: int) -> str:
    return f"{count} row" if count == 1 else f"{count} rows"


def _waiting(*names: str) -> str:
    return f"waiting for {' and '.join(names)}" if names and names != ("",) else "no waiting"


def observed_words(came: Observed) -> str:
    """What was seen of a subject, in words."""
    unknown = [f"{name} unknown: {reason}" for name, reason in came.unknown.items()]
    seen = ", ".join([*(f"{name}={value}" for name, value in came.values.items()), *unknown])
    return f"state {came.state or 'none'} ({seen})"
