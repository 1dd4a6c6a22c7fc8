"""A scenario as values: sessions, their steps in order, and what each step is expected to give."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from failure_matrix.evidence.statements import Parameter
from failure_matrix.problems import Location

NOWHERE = Location("")


@dataclass(frozen=True, slots=True)
class Derived:
    """A value that follows from others: a text such as `exports/{job}`, or the digest of a file of that name."""

    text: str
    is_digest: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Run SQL: an action of the matrix, a statement under `let`, or SQL of the step's own.

    `name` is the action's or statement's id, empty for SQL of the step's own. `values` are those of this step.
    """

    sql: str
    name: str = ""
    is_action: bool = False
    values: Mapping[str, Parameter] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Send:
    """Send to something outside: one message, or each value of a list that the session keeps (the `first` ones).

    Where it is how an `action` of the matrix is done, what that does to files is done too, for each message: it is the
    value of the parameter `under`.
    """

    receiver: str
    message: str = ""
    each: str = ""
    first: int | None = None
    action: str = ""
    under: str = ""


@dataclass(frozen=True, slots=True)
class WriteFile:
    """Write a file into the store. Gives one row with its `path` and its `digest`."""

    path: str
    content: str


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """Remove a file from the store."""

    path: str


@dataclass(frozen=True, slots=True)
class Kill:
    """The session's client dies."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The server ends the session; its client lives on and doesn't know."""


@dataclass(frozen=True, slots=True)
class SetClock:
    """The clock is set, in seconds."""

    seconds: Decimal


@dataclass(frozen=True, slots=True)
class Look:
    """Nothing is done; something is only looked at: a query, a file, or what `state` says."""

    sql: str = ""
    file: str = ""


Act = Run | Send | WriteFile | RemoveFile | Kill | Drop | SetClock | Look


@dataclass(frozen=True, slots=True)
class Expected:
    """What a step is expected to give. What is `None` or empty is not looked at.

    `rows` are texts, `None` for null. `waits` names the session that it waits for. `exists` is of a file.
    """

    rows: tuple[tuple[str | None, ...], ...] | None = None
    count: int | None = None
    error: str = ""
    waits: str = ""
    exists: bool | None = None


@dataclass(frozen=True, slots=True)
class StateIs:
    """A subject, given by its parameters, and the id of the state that it is expected to be in (or `outside`)."""

    subject: Mapping[str, Parameter]
    state: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `number` counts from 1. `keep` maps a name to the column whose value the session remembers under it.

    `keeps_all` has those names of `keep` under which the values of all rows are kept, as a list. `failure` is the id of
    the failure that happens by the step to the subject of `state`.
    """

    number: int
    session: str
    act: Act
    expected: Expected = Expected()
    wakes: Mapping[str, Expected] = field(default_factory=dict)
    keep: Mapping[str, str] = field(default_factory=dict)
    keeps_all: frozenset[str] = frozenset()
    state: StateIs | None = None
    failure: str = ""
    note: str = ""
    location: Location = NOWHERE


@dataclass(frozen=True, slots=True)
class Control:
    """A text that is cut out of a statement, and the numbers of the steps that have to break then.

    Where the text has a blank, the statement may have a line break.
    `source` is the action or the statement under `let` that it is cut from; empty, from every statement.
    """

    cut: str
    source: str
    breaks: tuple[int, ...]
    shows: str = ""
    location: Location = NOWHERE


@dataclass(frozen=True, slots=True)
class Orders:
    """That all orders of the sessions' steps are run.

    `never` is SQL that has to return no row after any step, `finally_never` after the last one. `crash` names the
    sessions whose clients may die between their steps. `count` and `broken` are how many orders there are, and how
    many of them break the invariant.
    """

    never: str = ""
    finally_never: str = ""
    crash: tuple[str, ...] = ()
    count: int | None = None
    broken: int | None = None
    location: Location = NOWHERE


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario. `tables` is the SQL that creates the tables, `given` what is in them before the first step.

    `values` are those of all sessions, `sessions` maps each session's name to its own values. `then` is looked at
    after the last step.
    """

    id: str
    title: str
    tables: str = ""
    given: str = ""
    start: Decimal = Decimal(0)
    values: Mapping[str, Parameter | Derived] = field(default_factory=dict)
    sessions: Mapping[str, Mapping[str, Parameter]] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    then: tuple[Step, ...] = ()
    controls: tuple[Control, ...] = ()
    orders: Orders | None = None
    summary: str = ""
    matrix: str = ""
    location: Location = NOWHERE

    def without(self, control: Control) -> Scenario:
        """The scenario with the control's text cut out of the statements that it names."""
        return replace(self, steps=tuple(_cut(step, control) for step in self.steps))

    def runs(self, action: str) -> bool:
        """Whether a step runs an action, by its id."""
        return any(isinstance(step.act, Run) and step.act.is_action and step.act.name == action for step in self.steps)

    def with_statement(self, action: str, sql: str) -> Scenario:
        """The scenario with another statement in the place of an action's."""
        return replace(self, steps=tuple(_exchanged(step, action, sql) for step in self.steps))

    def steps_of(self, session: str) -> tuple[Step, ...]:
        """The steps of one session, in order."""
        return tuple(step for step in self.steps if step.session == session)


def _cut(step: Step, control: Control) -> Step:
    act = step.act
    if not isinstance(act, Run) or (control.source and act.name != control.source):
        return step
    text = r"\s+".join(re.escape(word) for word in control.cut.split())
    return replace(step, act=replace(act, sql=re.sub(text, "", act.sql)))


def _exchanged(step: Step, action: str, sql: str) -> Step:
    act = step.act
    if not isinstance(act, Run) or not act.is_action or act.name != action:
        return step
    return replace(step, act=replace(act, sql=sql))
