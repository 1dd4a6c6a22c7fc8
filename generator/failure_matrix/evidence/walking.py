"""The walk: from the empty database, everything that the matrix knows is tried at each place, in any order.

Each place (rows, files, the clock's distance from recorded times, open transactions) is visited once. All workers
bear the same name, since a name is no identity; what tells them apart is the generation that each holds.
"""

from __future__ import annotations

import contextlib
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from failure_matrix.evidence.connection import Result
from failure_matrix.evidence.judging import Finding, Judge, Subject, Trial, holds, judge_observed, words
from failure_matrix.evidence.observing import Observed
from failure_matrix.evidence.places import Issued, Place, Places, key_of
from failure_matrix.evidence.playbook import Playbook
from failure_matrix.evidence.playing import do_to_file, with_derived
from failure_matrix.evidence.scenario import Derived
from failure_matrix.evidence.server import Server
from failure_matrix.evidence.settings import FileEffect, file_effects
from failure_matrix.evidence.snapshot import Snapshot
from failure_matrix.evidence.stage import Stage, stage
from failure_matrix.evidence.statements import MissingParameter, Parameter, bind, fill, one_line, split
from failure_matrix.evidence.walked import CellWalked, Found, Walked
from failure_matrix.model import Action, Failure, Outcome, Pattern

OPENS = re.compile(r"(begin|start\s+transaction)\b", re.IGNORECASE)
CLOSES = re.compile(r"(commit|rollback|end|abort)\b", re.IGNORECASE)
WRITES = re.compile(r"\b(insert|update|delete|merge|truncate)\b", re.IGNORECASE)
READS = re.compile(r"select\b[^;]*$", re.IGNORECASE)
LOCKS = re.compile(r"\bfor\s+(no\s+key\s+|key\s+)?(update|share)\b", re.IGNORECASE)
ENDS = re.compile(r"\bpg_terminate_backend\b", re.IGNORECASE)
SOMEBODY = "somebody"
ENOUGH = 20

Progress = Callable[[int], None]
"""Called with how many places have been visited."""


def walk(server: Server, playbook: Playbook, *, enough: int = ENOUGH, progress: Progress = lambda _: None) -> Walked:
    """Walk a matrix on a schema of its own. The walk ends at the settings' limit, or with `enough` findings."""
    with walker(server, playbook) as walking:
        walking.walk(enough, progress)
        return walking.walked


@contextlib.contextmanager
def walker(server: Server, playbook: Playbook) -> Iterator[Walker]:
    """A walker on a schema of its own."""
    with stage(server, playbook.tables) as played_on:
        yield Walker(played_on, playbook)


class Walker:
    """Walks on a stage."""

    def __init__(self, played_on: Stage, playbook: Playbook) -> None:
        """Begin at the empty tables."""
        self._stage = played_on
        self.playbook = playbook
        self._matrix = playbook.matrix
        self.subjects = list(playbook.subjects())
        self._judge = Judge(playbook.matrix)
        self._observer = playbook.observer(played_on.store)
        self._places = Places(played_on)
        self._issued = Issued(playbook.matrix, self._places.tables, playbook.settings.walk.subjects)
        self._by_key: dict[str, Place] = {}
        self._ahead: deque[Place] = deque()
        self._journal: dict[str, tuple[str, ...]] = {}
        self._known: set[tuple[str, tuple[str, ...]]] = set()
        self.walked = Walked(self._places.tables)

    def walk(self, enough: int = ENOUGH, progress: Progress = lambda _: None) -> None:
        """Visit places until none is left, or the limit is reached."""
        self._arrive(("the empty tables",))
        while self._ahead and len(self.walked.found) < enough:
            place = self._ahead.popleft()
            self._go_back(place)
            for subject, observed in self._existing(place):
                if observed.state is not None:
                    self._try_everything(place, subject, observed)
            self._move_clock(place)
            progress(place.number)

    def retry(self, action: Action) -> Found | None:
        """Try another form of an action at each place that was visited: the first finding. Nothing is noted of it."""
        walked, known, by_key = self.walked, self._known, dict(self._by_key)
        self.walked, self._known = Walked(walked.tables), set()
        try:
            return next((found for place in walked.places for found in self._retry_at(place, action)), None)
        finally:
            self.walked, self._known, self._by_key = walked, known, by_key
            self._ahead.clear()

    def _retry_at(self, place: Place, action: Action) -> list[Found]:
        self._go_back(place)
        for subject, observed in self._existing(place):
            if observed.state is not None and self._could_run(place, observed, action):
                self._try_action(place, subject, observed, action)
        return self.walked.found

    def _try_everything(self, place: Place, subject: Subject, observed: Observed) -> None:
        for action in self._matrix.actions.values():
            if self._could_run(place, observed, action):
                self._try_action(place, subject, observed, action)
        for failure in self._matrix.failures.values():
            outcome = failure.outcome(observed.state or "")
            if outcome is not None and holds(outcome.requires, observed) and self._only_touches_files(outcome):
                self._try_failure(place, subject, observed, failure, outcome)

    def _could_run(self, place: Place, observed: Observed, action: Action) -> bool:
        """Whether there is something to run that somebody would run. Nobody ends a transaction that isn't open."""
        if self._only_lacks_file(action, observed):
            return False
        if not action.run:
            return action.id in self.playbook.settings.files and holds(action.requires, observed)
        return not CLOSES.match(split(action.run)[0]) or _owner(action) in place.open

    def _only_touches_files(self, outcome: Outcome) -> bool:
        """Whether there is nothing in what a failure changes that the walk can't do."""
        return all(self._matrix.observations[name].file for name in outcome.sets)

    def _only_lacks_file(self, action: Action, observed: Observed) -> bool:
        """Whether nothing but a file is missing for an action. No statement checks that, but nobody would do it."""
        files = {each.id for each in self._matrix.observations.values() if each.file}
        loose = tuple(
            Pattern({name: values for name, values in each.values.items() if name not in files})
            for each in action.requires
        )
        return not holds(action.requires, observed) and holds(loose, observed)

    def _try_action(self, place: Place, subject: Subject, observed: Observed, action: Action) -> None:
        effects = self.playbook.settings.files.get(action.id, ())
        values = self._values(subject)
        try:
            text, result, touched = self._do(place, action, effects, values)
        except MissingParameter:
            return
        arrived = self._arrive((*place.way, f"{action.id} ({words(subject)}): {text}")) if touched else place
        trial = Trial(action, subject, observed, self._of(arrived, subject), result, arrived is not place)
        self._note(trial, holds(action.requires, observed))
        self._report(self._judge.action(trial, action), (*place.way, f"{action.id} ({words(subject)}): {text}"))
        if touched:
            self._go_back(place)

    def _do(
        self, place: Place, action: Action, effects: tuple[FileEffect, ...], values: Mapping[str, Parameter]
    ) -> tuple[str, Result | None, bool]:
        """Run an action: what ran, what it gave, and whether anything may have changed."""
        text, result, touched = "", Result(), False
        if action.run:
            session = self._session_for(place, action)
            sql = bind(action.run, values)
            text = one_line(sql)
            answer = self._stage.step(session, sql)
            if answer is None:
                self._stage.kill(session)
                return text, None, True
            result = answer
            touched = self._keep_journal(session, sql, result)
        for effect in effects[:1]:
            if not effect.if_no_rows or (result.rows == () and not result.failed):
                path = fill(effect.path, values)
                do_to_file(self._stage.store, effect, path, path)
                text, touched = f"{text}; {effect.deed} {path}".removeprefix("; "), True
        return text, result, touched

    def _session_for(self, place: Place, action: Action) -> str:
        """The session of the action's owner; a second one for another transaction while the first's is open."""
        owner = _owner(action)
        return f"{owner}-again" if OPENS.match(split(action.run)[0]) and owner in place.open else owner

    def _keep_journal(self, session: str, sql: str, result: Result) -> bool:
        """Note what an open transaction has done. Whether anything may have changed.

        A transaction that an error has ended is rolled back, as its client would.
        """
        was_open = session in self._journal
        if result.failed:
            self._stage.step(session, "rollback")
        if self._stage.has_begun_something(session):
            if was_open and READS.match(sql) and not LOCKS.search(sql):
                return False  # it has only looked
            self._journal[session] = (*self._journal.get(session, ()), sql)
            return True
        self._journal.pop(session, None)
        was_open |= self._forget_ended(sql)
        writes = WRITES.search(sql) is not None and not result.failed
        commits = CLOSES.match(split(sql)[-1]) is not None  # and then its count is not the writing statement's
        return was_open or (writes and (result.changed > 0 or result.is_select or commits))

    def _forget_ended(self, sql: str) -> bool:
        """Forget the open transactions of sessions that a statement has ended. Whether there were any."""
        ended = [name for name in self._journal if self._stage.has_ended(name)] if ENDS.search(sql) else []
        for name in ended:
            self._stage.kill(name)
            del self._journal[name]
        return bool(ended)

    def _try_failure(
        self, place: Place, subject: Subject, observed: Observed, failure: Failure, outcome: Outcome
    ) -> None:
        for effect in file_effects(self._matrix, outcome.sets):
            path = fill(effect.path, self._values(subject))
            do_to_file(self._stage.store, effect, path, path)
            step = f"{failure.id} ({words(subject)}): {effect.deed} {path}"
            arrived = self._arrive((*place.way, step))
            trial = Trial(failure, subject, observed, self._of(arrived, subject), Result(), arrived is not place)
            self._note(trial, held=True)
            self._report(self._judge.failure(trial, failure), (*place.way, step))
            self._go_back(place)

    def _move_clock(self, place: Place) -> None:
        for seconds in self.playbook.settings.walk.clock:
            self._stage.set_microseconds(place.snapshot.time + int(seconds * 1_000_000))
            way = (*place.way, f"{seconds} s pass")
            arrived = self._arrive(way)
            for subject, before in self._existing(place):
                self._report(self._judge.clock(subject, before, self._of(arrived, subject)), way)
            self._go_back(place)

    def _arrive(self, way: tuple[str, ...]) -> Place:
        """The place where we are: one that is known, or a new one, which is looked at."""
        snapshot = self._places.save()
        key = key_of(snapshot, self._journal)
        if key not in self._by_key:
            self._by_key[key] = self._discover(snapshot, way)
        return self._by_key[key]

    def _discover(self, snapshot: Snapshot, way: tuple[str, ...]) -> Place:
        observed = self._observer.observe_all(self._stage.ask, self.subjects)
        exists = tuple(self._issued.exists(subject, snapshot) for subject in self.subjects)
        place = Place(len(self._by_key), snapshot, dict(self._journal), way, tuple(observed), exists)
        for subject, seen in self._existing(place):
            if (finding := judge_observed(subject, seen)) is not None:
                self._report([finding], way)
            self.walked.states[seen.state or ""] = self.walked.states.get(seen.state or "", 0) + 1
        if self._issued.is_beyond(snapshot):
            self.walked.beyond += 1
        elif len(self.walked.places) >= self.playbook.settings.walk.limit:
            self.walked.limited = True
        else:
            self.walked.places.append(place)
            self._ahead.append(place)
        return place

    def _existing(self, place: Place) -> Iterator[tuple[Subject, Observed]]:
        """The subjects that exist at a place, and what is seen of them."""
        for subject, observed, exists in zip(self.subjects, place.observed, place.exists, strict=True):
            if exists:
                yield subject, observed

    def _of(self, place: Place, subject: Subject) -> Observed:
        return place.observed[self.subjects.index(dict(subject))]

    def _go_back(self, place: Place) -> None:
        self._places.go_back(place)
        self._journal = dict(place.open)

    def _values(self, subject: Subject) -> dict[str, Parameter]:
        """The values for one subject. A worker may remember the digest of a file that is gone."""
        given = self.playbook.settings.values
        derived = {name: value for name, value in given.items() if isinstance(value, Derived)}
        plain = {name: value for name, value in given.items() if not isinstance(value, Derived)}
        return with_derived({**plain, **subject}, derived, self._stage.store, remembers=True)

    def _note(self, trial: Trial, held: bool) -> None:
        cell = self.walked.cells.setdefault((trial.state, trial.event.id), CellWalked())
        cell.tried += 1
        cell.held += held
        cell.unchanged += not trial.changed
        cell.targets.add(trial.after.state or "")
        self.walked.tried += 1

    def _report(self, findings: Iterable[Finding], way: tuple[str, ...]) -> None:
        """Note findings, the first of each kind at each place of the matrix."""
        for finding in findings:
            if (finding.kind, finding.path) not in self._known:
                self._known.add((finding.kind, finding.path))
                self.walked.found.append(Found(finding, way))


def _owner(action: Action) -> str:
    return action.by.id if action.by is not None else SOMEBODY
