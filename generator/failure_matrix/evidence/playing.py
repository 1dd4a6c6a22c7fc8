"""Steps played on a stage: what each one ran, what it gave, whom it waited for and whom it woke."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from failure_matrix.evidence.connection import Result
from failure_matrix.evidence.observing import digest_of, path_in
from failure_matrix.evidence.playbook import Playbook
from failure_matrix.evidence.scenario import (
    Derived,
    Drop,
    Kill,
    Look,
    RemoveFile,
    Run,
    Scenario,
    Send,
    SetClock,
    Step,
    WriteFile,
)
from failure_matrix.evidence.settings import FileEffect, Settings
from failure_matrix.evidence.stage import Stage
from failure_matrix.evidence.statements import MissingParameter, Parameter, bind, fill, one_line

DONE = Result()
CLIENT_DIES = "the client dies"
NO_VALUE = "no value"
"""Stands where the SQLSTATE would: the step could not be run, since a parameter of it has no value."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a step ran and gave. `result` is `None` while it waits for the sessions in `waits`.

    `woke` are the sessions that no longer wait after the step, with what their waiting steps gave.
    """

    text: str
    result: Result | None
    waits: tuple[str, ...] = ()
    woke: tuple[tuple[str, Result], ...] = ()


class Player:
    """Plays a scenario's steps. What sessions remember is kept here."""

    def __init__(self, stage: Stage, scenario: Scenario, playbook: Playbook | None) -> None:
        self._stage = stage
        self._scenario = scenario
        self._settings = playbook.settings if playbook is not None else Settings()
        self._matrix = playbook.matrix if playbook is not None else None
        self._kept: dict[str, dict[str, Parameter]] = {}
        self._waiting: dict[str, Step] = {}

    def play(self, step: Step) -> Seen:
        """Play one step, and see who wakes by it."""
        try:
            text, result = self._do(step)
        except MissingParameter as missing:
            return Seen(_name_of(step), Result(sqlstate=NO_VALUE, message=str(missing)))
        if result is None:
            self._waiting[step.session] = step
            return Seen(text, None, waits=self._stage.blockers(step.session))
        self._remember(step, result)
        return Seen(text, result, woke=self._woken())

    def forget(self, session: str) -> Seen:
        """What is seen when a session's client has died, and see who wakes by it."""
        self._kept.pop(session, None)
        self._waiting.pop(session, None)
        return Seen(CLIENT_DIES, DONE, woke=self._woken())

    def waits(self, session: str) -> bool:
        """Whether a session's last step still waits."""
        return session in self._waiting

    def values(self, session: str, own: Mapping[str, Parameter] | None = None) -> dict[str, Parameter]:
        """All values that a step of a session has: its own, what was kept, the session's, everybody's, derived ones."""
        given = {**self._settings.values, **self._scenario.values}
        plain = {name: value for name, value in given.items() if not isinstance(value, Derived)}
        values = {**plain, **self._scenario.sessions.get(session, {}), **self._kept.get(session, {}), **(own or {})}
        derived = {name: value for name, value in given.items() if isinstance(value, Derived) and name not in values}
        return with_derived(values, derived, self._stage.store)

    def _woken(self) -> tuple[tuple[str, Result], ...]:
        woke = tuple(self._stage.woken())
        for name, its in woke:
            self._remember(self._waiting.pop(name), its)
        return woke

    def _do(self, step: Step) -> tuple[str, Result | None]:
        act = step.act
        if isinstance(act, Run):
            return self._run(step, act)
        if isinstance(act, Send):
            return self._send(step, act)
        if isinstance(act, Look):
            return self._look(act)
        return self._happen(step, act)

    def _happen(self, step: Step, act: WriteFile | RemoveFile | Kill | Drop | SetClock) -> tuple[str, Result]:
        match act:
            case WriteFile():
                return f"write {act.path}", write(self._stage.store, act.path, act.content)
            case RemoveFile():
                return f"remove {act.path}", remove(self._stage.store, act.path)
            case Kill():
                self._stage.kill(step.session)
                self._kept.pop(step.session, None)
                self._waiting.pop(step.session, None)
                return CLIENT_DIES, DONE
            case Drop():
                self._stage.drop(step.session)
                return "the server ends the session", DONE
            case SetClock():
                self._stage.set_time(act.seconds)
                return f"the clock shows {act.seconds} s", DONE

    def _run(self, step: Step, act: Run) -> tuple[str, Result | None]:
        values = self.values(step.session, act.values)
        effects = self._settings.files.get(act.name, ()) if act.is_action else ()
        text, result = act.name, DONE
        if act.sql:
            sql = bind(act.sql, values)
            answer = self._stage.step(step.session, sql)
            text = one_line(sql)
            if answer is None:
                return text, None
            result = answer
        for effect in effects[:1]:
            if not effect.if_no_rows or (result.rows == () and not result.failed):
                path = fill(effect.path, values)
                text = f"{text}; {effect.deed} {path}" if act.sql else f"{effect.deed} {path}"
                done = do_to_file(self._stage.store, effect, path, str(values.get("content", path)))
                result = result if act.sql else done
        return text, result

    def _send(self, step: Step, act: Send) -> tuple[str, Result]:
        messages: list[str] = [act.message]
        if act.each:
            kept = self.values(step.session).get(act.each, [])
            messages = [str(value) for value in (kept if isinstance(kept, list) else [kept])][: act.first]
        for message in messages:
            self._stage.send(act.receiver, message)
            for effect in self._settings.files.get(act.action, ())[:1]:
                path = fill(effect.path, {**self.values(step.session), act.under: message})
                do_to_file(self._stage.store, effect, path, path)
        return f"send {', '.join(messages) or 'nothing'} to {act.receiver}", Result(count=len(messages))

    def _look(self, act: Look) -> tuple[str, Result]:
        if act.sql:
            return one_line(act.sql), self._stage.look(act.sql)
        if act.file:
            there = path_in(self._stage.store, act.file).is_file()
            return f"look for {act.file}", Result(count=int(there))
        return "", DONE

    def _remember(self, step: Step, result: Result) -> None:
        keep = {**self._keeps_of(step), **step.keep}
        if not keep or result.rows is None or not set(keep.values()) <= set(result.columns):
            return
        memory = self._kept.setdefault(step.session, {})
        for name, column in keep.items():
            cells: list[Parameter] = [row[result.columns.index(column)] for row in result.rows]
            if name in step.keeps_all:
                memory[name] = cells  # type: ignore[assignment]  # cells are scalars
            elif len(cells) == 1:
                memory[name] = cells[0]

    def _keeps_of(self, step: Step) -> Mapping[str, str]:
        """What whoever does an action of the matrix remembers of it."""
        if self._matrix is None or not isinstance(step.act, Run) or not step.act.is_action:
            return {}
        return self._matrix.actions[step.act.name].keeps


def _name_of(step: Step) -> str:
    return step.act.name or one_line(step.act.sql) if isinstance(step.act, Run) else type(step.act).__name__


def with_derived(
    values: Mapping[str, Parameter], derived: Mapping[str, Derived], store: Path, *, remembers: bool = False
) -> dict[str, Parameter]:
    """Values completed by those derived ones that can be had.

    The digest of a file that isn't there can only be had where somebody `remembers` it.
    """
    complete = dict(values)
    for name, how in derived.items():
        try:
            text = fill(how.text, complete)
        except MissingParameter:
            continue
        file = path_in(store, text) if how.is_digest else None
        if file is None:
            complete[name] = text
        elif file.is_file():
            complete[name] = digest_of(file)
        elif remembers:
            complete[name] = hashlib.sha256(text.encode()).hexdigest()
    return complete


def write(store: Path, name: str, content: str) -> Result:
    """Write a file into the store: one row with its path and its digest."""
    file = path_in(store, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    return Result(columns=("path", "digest"), rows=((name, digest_of(file)),), count=1)


def remove(store: Path, name: str) -> Result:
    """Remove a file from the store. `count` says whether it was there."""
    file = path_in(store, name)
    there = file.is_file()
    file.unlink(missing_ok=True)
    return Result(count=int(there))


def do_to_file(store: Path, effect: FileEffect, name: str, content: str) -> Result:
    """Write, remove or damage a file. Only one that is there can be damaged."""
    if effect.deed == "remove":
        return remove(store, name)
    if effect.deed == "write":
        return write(store, name, content)
    there = path_in(store, name).is_file()
    return replace(write(store, name, content + " (damaged)"), count=1) if there else Result(count=0)
