"""A record, read: what `record` writes, as values. A file that is no record raises `BadRecord`, and says where."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

FORM = 1
"""The form of a record that is read and written."""

Cell = str | int | bool | float | None
"""A value in a row that a statement gave."""

Row = tuple[Cell, ...]


class BadRecord(ValueError):
    """A text that is no record. `line` and `column` count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def called(name: str) -> Any:
    """A field that has another name in the file, since Python keeps that one for itself."""
    return field(metadata={"name": name})


@dataclass(frozen=True, slots=True)
class ResultRecorded:
    """What a statement gave: rows, or how many it changed, or an SQLSTATE."""

    rows: tuple[Row, ...] | None = None
    count: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class StateRecorded:
    """The state that a subject was seen in, by its parameters."""

    subject: Mapping[str, Cell]
    state: str = called("is")


@dataclass(frozen=True, slots=True)
class StepRecorded:
    """A step: what ran, and what it gave, or the sessions that it waits for; and who no longer waits after it."""

    session: str
    ran: str
    rows: tuple[Row, ...] | None = None
    count: int | None = None
    error: str | None = None
    waits: tuple[str, ...] | None = None
    woke: Mapping[str, ResultRecorded] = field(default_factory=dict)
    state: StateRecorded | None = None
    note: str = ""

    @property
    def result(self) -> ResultRecorded:
        """What it gave."""
        return ResultRecorded(self.rows, self.count, self.error)


@dataclass(frozen=True, slots=True)
class ControlRecorded:
    """A condition that was cut out of a statement (of all, where `source` is empty), and the steps that broke then."""

    cut: str
    broke: tuple[int, ...]
    holds: bool
    shows: str
    source: str = called("from")


@dataclass(frozen=True, slots=True)
class CellRecorded:
    """A state, an action that was tried there, and the state that it led to."""

    state: str
    action: str
    target: str


@dataclass(frozen=True, slots=True)
class CounterexampleRecorded:
    """The first order that broke the invariant: its steps, and the rows that must not be."""

    steps: tuple[StepRecorded, ...]
    rows: tuple[Row, ...]
    at_end: bool


@dataclass(frozen=True, slots=True)
class ScenarioRecorded:
    """A scenario as it was run. `orders` is how many orders were run, `None` where it was run step by step."""

    title: str
    digest: str
    place: str
    holds: bool
    summary: str = ""
    sessions: tuple[str, ...] = ()
    steps: tuple[StepRecorded, ...] = ()
    then: tuple[StepRecorded, ...] = ()
    breaks: tuple[str, ...] = ()
    controls: tuple[ControlRecorded, ...] = ()
    cells: tuple[CellRecorded, ...] = ()
    orders: int | None = None
    broken: int = 0
    limited: bool = False
    counterexample: CounterexampleRecorded | None = None


@dataclass(frozen=True, slots=True)
class WalkedCell:
    """How often the walk tried a cell, how often it could happen and changed nothing, and where it led."""

    tried: int
    held: int
    unchanged: int
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundRecorded:
    """What the walk found against the matrix, and the way there."""

    kind: str
    message: str
    at: tuple[str, ...]
    state: str
    event: str
    way: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WalkRecorded:
    """The walk: how many places it visited, what it tried there, and how many places lie past its bound."""

    holds: bool
    places: int
    tried: int
    beyond: int
    limited: bool
    states: Mapping[str, int]
    cells: Mapping[str, Mapping[str, WalkedCell]]
    found: tuple[FoundRecorded, ...]


@dataclass(frozen=True, slots=True)
class ClauseRecorded:
    """A clause of `impossible`, its constraint, how many rows that refused, and one that it let through."""

    clause: int
    constraint: str
    excluded: int
    accepted: str
    missing: bool
    holds: bool


@dataclass(frozen=True, slots=True)
class ConstraintsRecorded:
    """What was inserted to show the constraints, and the possible combinations that were refused."""

    holds: bool
    rows: int
    limited: bool
    clauses: tuple[ClauseRecorded, ...]
    possible: int
    refused: tuple[Mapping[str, Cell], ...]


@dataclass(frozen=True, slots=True)
class MutantRecorded:
    """A condition that was left out, and what missed it: a scenario's id, `walk`, or nothing."""

    action: str
    condition: str
    missed_by: str
    invalid: bool


@dataclass(frozen=True, slots=True)
class Record:
    """All that was recorded of a suite. `versions` are the major versions of PostgreSQL on which all of it was run."""

    form: int
    suite: str
    holds: bool
    scenarios: Mapping[str, ScenarioRecorded] = field(default_factory=dict)
    digest: str = ""
    walk: WalkRecorded | None = None
    constraints: ConstraintsRecorded | None = None
    mutants: tuple[MutantRecorded, ...] = ()
    versions: tuple[str, ...] = ()


def read_record(text: str) -> Record:
    """A record's text as values. Raises `BadRecord`."""
    try:
        written = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadRecord(f"This is no JSON: {error.msg}.", error.lineno, error.colno) from None
    except (RecursionError, ValueError):
        raise BadRecord("This is no JSON that can be read.") from None
    if isinstance(written, dict) and written.get("form") != FORM:
        raise BadRecord(f"The record's form is {written.get('form')!r}; {FORM} is read.")
    record: Record = _made(Record, written, "")
    return record


def _made(wanted: Any, value: object, path: str) -> Any:
    """A value of JSON as a value of a type."""
    if is_dataclass(wanted) and isinstance(wanted, type):
        return wanted(**_arguments(wanted, _of(dict, value, path), path))
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is tuple:
        return tuple(_made(inner[0], each, f"{path}[{n}]") for n, each in enumerate(_of(list, value, path)))
    if origin is Mapping:
        return {name: _made(inner[1], each, f"{path}.{name}") for name, each in _of(dict, value, path).items()}
    if origin is UnionType and is_dataclass(inner[0]) | (get_origin(inner[0]) is tuple):
        return None if value is None else _made(inner[0], value, path)
    return _of(inner or (wanted,), value, path)


def _arguments(wanted: type, value: Mapping[str, object], path: str) -> dict[str, Any]:
    """The arguments that make a value of a dataclass. What the file says beside them is passed over."""
    found = {}
    for name, (each, kind) in _fields(wanted).items():
        if name in value:
            found[each.name] = _made(kind, value[name], f"{path}.{name}".strip("."))
        elif each.default is MISSING and each.default_factory is MISSING:
            raise BadRecord(f"`{path or 'the record'}` has no `{name}`.")
    return found


@cache
def _fields(wanted: type) -> Mapping[str, tuple[Field[Any], Any]]:
    """The fields of a dataclass and their types, by their names in the file."""
    kinds = get_type_hints(wanted)
    return {each.metadata.get("name", each.name): (each, kinds[each.name]) for each in fields(wanted)}


def _of(wanted: type | tuple[type, ...], value: Any, path: str) -> Any:
    """A value that has one of the types as it is. True is no number."""
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    if type(value) in kinds:
        return value
    expected = " or ".join(WORDS[kind] for kind in kinds)
    raise BadRecord(f"`{path or 'the record'}` is {WORDS.get(type(value), 'something else')}; {expected} is expected.")


WORDS: Mapping[type, str] = {
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    NoneType: "null",
    list: "a list",
    dict: "an object",
}
"""What the types of JSON are called in messages."""
