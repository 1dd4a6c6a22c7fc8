"""Whether what happened on the walk is what the matrix says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from failure_matrix.evidence.connection import Result
from failure_matrix.evidence.observing import Observed
from failure_matrix.evidence.statements import Parameter
from failure_matrix.model import OUTSIDE, Action, Changes, Failure, Matrix, Path, Pattern, Prohibition

Subject = Mapping[str, Parameter]

FindingKind = Literal["no state", "changed", "landing", "effect", "error", "undecided", "clock"]


@dataclass(frozen=True, slots=True)
class Trial:
    """Something that was tried for one subject: what was seen of it before and after, and what the statement gave.

    `changed` says that a row, a file or a transaction is not as it was. `result` is `None` where it had to wait.
    """

    event: Action | Failure
    subject: Subject
    before: Observed
    after: Observed
    result: Result | None
    changed: bool

    @property
    def state(self) -> str:
        """The id of the subject's state before, or the outside."""
        return self.before.state or ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is otherwise than the matrix says: what, of which subject, and the place in the matrix.

    `state` and `event` name the cell that it contradicts, where it is about one.
    """

    kind: FindingKind
    message: str
    path: Path
    subject: Subject
    state: str = ""
    event: str = ""


def words(subject: Subject) -> str:
    """A subject in words: `job 1, generation 2`."""
    return ", ".join(f"{name} {value}" for name, value in subject.items())


def holds(requires: tuple[Pattern, ...], observed: Observed) -> bool:
    """Whether an event can happen, by what was observed."""
    return not requires or any(pattern.covers(observed.values) for pattern in requires)


def judge_observed(subject: Subject, observed: Observed) -> Finding | None:
    """A subject has to be in exactly one state, or outside."""
    if observed.state is not None and observed.is_complete:
        return None
    seen = ", ".join(f"{name}={value}" for name, value in observed.values.items())
    unknown = "".join(f"; {name} is unknown: {reason}" for name, reason in observed.unknown.items())
    return Finding("no state", f"{words(subject)} is in no state: {seen}{unknown}.", ("states",), subject)


class Judge:
    """Compares trials with a matrix."""

    def __init__(self, matrix: Matrix) -> None:
        """Take the matrix that is played."""
        self._matrix = matrix

    def action(self, trial: Trial, action: Action) -> Iterator[Finding]:
        """What an action did otherwise than the matrix says."""
        if not holds(action.requires, trial.before):
            yield from self._prevented(trial, action)
            return
        if trial.result is None or trial.result.failed:
            yield self._finding("error", trial, _did_not_go(trial), ("actions", action.id, "run"))
            return
        yield from self._effect(trial, action.sets, ("actions", action.id, "sets"))
        yield from self._landing(trial, action)

    def failure(self, trial: Trial, failure: Failure) -> Iterator[Finding]:
        """What a failure led to otherwise than its outcome says."""
        outcome = failure.outcome(trial.state)
        if outcome is None:
            return
        path = ("failures", failure.id, "outcome", trial.state)
        yield from self._effect(trial, outcome.sets, (*path, "sets"))
        if trial.after.state not in outcome.targets:
            yield self._finding("landing", trial, _landed(trial, outcome.targets), (*path, "to"))

    def clock(self, subject: Subject, before: Observed, after: Observed) -> Iterator[Finding]:
        """What the clock led to without a failure that says so."""
        if before.state == after.state or before.state is None or after.state is None:
            return
        outcomes = [failure.outcome(before.state) for failure in self._matrix.failures.values()]
        if not any(outcome is not None and after.state in outcome.targets for outcome in outcomes):
            message = f"Time alone leads {words(subject)} from {before.state} to {after.state}; no failure says so."
            yield Finding("clock", message, ("failures",), subject)

    def _prevented(self, trial: Trial, action: Action) -> Iterator[Finding]:
        rows = trial.result.changed if trial.result is not None else 0
        if trial.changed or rows:
            what = f"changed {rows} row{'' if rows == 1 else 's'}" if rows else "changed something"
            message = f"it {what} although its `requires` does not hold ({_seen(trial.before)})"
            yield self._finding("changed", trial, message, ("actions", action.id, "run"))

    def _landing(self, trial: Trial, action: Action) -> Iterator[Finding]:
        after = trial.after.state
        targets = self._targets(trial.state, action)
        if targets is None:
            if after != trial.state and not self._forbids(trial.state, action):
                message = f"it led to {after}; the state says nothing of it"
                yield self._finding("undecided", trial, message, ("states", trial.state))
        elif after not in targets:
            path: Path = ("start",) if trial.state == OUTSIDE else ("states", trial.state, "permitted", action.id)
            yield self._finding("landing", trial, _landed(trial, targets), path)

    def _targets(self, state: str, action: Action) -> tuple[str, ...] | None:
        """The declared targets of an action, `None` where it is not permitted."""
        if state == OUTSIDE:
            start = self._matrix.start
            return (start.state,) if start is not None and start.action.id == action.id else None
        cell = self._matrix.states[state].permission(action.id)
        return None if cell is None else cell.targets

    def _forbids(self, state: str, action: Action) -> bool:
        cell: Prohibition | None = self._matrix.states[state].prohibition(action.id) if state != OUTSIDE else None
        return cell is not None

    def _effect(self, trial: Trial, sets: Changes, path: Path) -> Iterator[Finding]:
        for name, old in trial.before.values.items():
            new = trial.after.values.get(name)
            expected = sets[name].after(old) if name in sets else (old,)
            if new is not None and new not in expected:
                message = f"it changed {name} from {old} to {new}; `sets` says {' or '.join(expected)}"
                yield self._finding("effect", trial, message, path)

    def _finding(self, kind: FindingKind, trial: Trial, message: str, path: Path) -> Finding:
        text = f"{trial.event.id} in {trial.state} ({words(trial.subject)}): {message}."
        return Finding(kind, text, path, trial.subject, trial.state, trial.event.id)


def _did_not_go(trial: Trial) -> str:
    if trial.result is None:
        return "it waits for another session although its `requires` holds"
    return f"it failed with {trial.result.sqlstate} ({trial.result.message}) although its `requires` holds"


def _landed(trial: Trial, targets: tuple[str, ...]) -> str:
    where = trial.after.state or "no state"
    return f"it led to {where} ({_seen(trial.after)}); declared is {' or '.join(targets)}"


def _seen(observed: Observed) -> str:
    return ", ".join(f"{name}={value}" for name, value in observed.values.items())
