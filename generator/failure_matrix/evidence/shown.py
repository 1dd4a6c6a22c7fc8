"""What a record says of each cell of a matrix: shown, not shown, contradicted, or stale. Needs no database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from failure_matrix.evidence.complaints import suite_problems
from failure_matrix.evidence.digests import digest_of_observing, digest_of_playbook, digest_of_scenario
from failure_matrix.evidence.loading import Suite, load_suites
from failure_matrix.evidence.record import path_of
from failure_matrix.evidence.recorded import BadRecord, FoundRecorded, Record, ScenarioRecorded, WalkedCell, read_record
from failure_matrix.files import relative
from failure_matrix.model import Matrix, Project
from failure_matrix.problems import Location, Problem

Status = Literal["shown", "not shown", "contradicted", "stale"]
WALK = "walk"


@dataclass(frozen=True, slots=True)
class CellEvidence:
    """The evidence of one cell: its status and what it comes from (`walk`, or ids of scenarios).

    `went_through` says of a forbidden action that its statement did what it does: only discipline stands in the way.
    """

    status: Status
    by: tuple[str, ...] = ()
    went_through: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A suite's record, and which parts of it are stale: ids of scenarios, and `walk` with all that belongs to it.

    `record` is missing where nothing was recorded, `raw` is its text as JSON. `path` is where it is kept.
    """

    suite: Suite
    record: Record | None = None
    stale: tuple[str, ...] = ()
    path: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict)

    @property
    def exists(self) -> bool:
        """Whether there is a record at all."""
        return self.record is not None

    @property
    def walk_is_fresh(self) -> bool:
        """Whether there is a walk in the record, and nothing that it follows from has changed since."""
        return self.record is not None and self.record.walk is not None and WALK not in self.stale

    @property
    def matrix(self) -> Matrix | None:
        """The matrix that the suite belongs to."""
        return self.suite.playbook.matrix if self.suite.playbook is not None else None

    @property
    def scenarios(self) -> Mapping[str, ScenarioRecorded]:
        """What is recorded of the suite's scenarios, by their ids. What no file has any more is left out."""
        recorded = self.record.scenarios if self.record is not None else {}
        return {each.id: recorded[each.id] for each in self.suite.scenarios if each.id in recorded}

    def cells(self) -> dict[tuple[str, str], CellEvidence]:
        """The evidence of each cell, by the state's id and the action's or failure's."""
        if self.matrix is None:
            return {}
        return {(state, event): self._cell(self.matrix, state, event) for state, event in cells_of(self.matrix)}

    def walked(self, state: str, event: str) -> WalkedCell | None:
        """What the walk recorded of a cell."""
        walk = self.record.walk if self.record is not None else None
        return walk.cells.get(state, {}).get(event) if walk is not None else None

    def found(self, state: str, event: str) -> tuple[FoundRecorded, ...]:
        """What the walk found against a cell."""
        walk = self.record.walk if self.record is not None else None
        return tuple(each for each in walk.found if (each.state, each.event) == (state, event)) if walk else ()

    def problems(self) -> Iterator[Problem]:
        """What the part of the record that is not stale says against its suite."""
        if self.record is None:
            return
        kept = {name: value for name, value in self.raw["scenarios"].items() if name in self.scenarios}
        fresh = {name: value for name, value in kept.items() if name not in self.stale}
        walked = {} if WALK in self.stale else self.raw
        yield from suite_problems(self.suite, {**walked, "scenarios": fresh})

    def _cell(self, matrix: Matrix, state: str, event: str) -> CellEvidence:
        walked, forbidden = self.walked(state, event), matrix.states[state].prohibition(event) is not None
        through = forbidden and walked is not None and walked.held > 0 and walked.unchanged != walked.tried
        against = tuple(self._against(state, event))
        if against:
            return CellEvidence("contradicted", against, through)
        by = (*self._by_walk(matrix, state, event), *self._by_scenarios(matrix, state, event))
        fresh = tuple(each for each in by if each not in self.stale)
        if fresh:
            return CellEvidence("shown", fresh, through)
        return CellEvidence("stale", by, through) if by else CellEvidence("not shown")

    def _against(self, state: str, event: str) -> Iterator[str]:
        if WALK not in self.stale and self.found(state, event):
            yield WALK
        for name, scenario in self.scenarios.items():
            tried = any((each.state, each.action) == (state, event) for each in scenario.cells)
            if tried and scenario.breaks and name not in self.stale:
                yield name

    def _by_walk(self, matrix: Matrix, state: str, event: str) -> Iterator[str]:
        """The walk shows a forbidden action by trying it, all others by what they do where they can happen."""
        walked = self.walked(state, event)
        forbidden = matrix.states[state].prohibition(event) is not None
        if walked is not None and (walked.held or (forbidden and walked.tried)) and not self.found(state, event):
            yield WALK

    def _by_scenarios(self, matrix: Matrix, state: str, event: str) -> Iterator[str]:
        """A scenario shows a cell where it led as the matrix says."""
        permission = matrix.states[state].permission(event)
        for name, scenario in self.scenarios.items():
            targets = [each.target for each in scenario.cells if (each.state, each.action) == (state, event)]
            if scenario.holds and any(permission is None or target in permission.targets for target in targets):
                yield name


def cells_of(matrix: Matrix) -> Iterator[tuple[str, str]]:
    """The cells that a matrix decides: each state with its actions, permitted or forbidden, and its failures."""
    for state in matrix.states.values():
        for action in matrix.actions.values():
            if state.decides(action.id):
                yield state.id, action.id
        for failure in matrix.failures.values():
            if failure.outcome(state.id) is not None:
                yield state.id, failure.id


@dataclass(frozen=True, slots=True)
class Known:
    """The evidence of each suite by its id, what is wrong with its files, and the text of each that was read."""

    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)


def known(folder: Path, root: Path, project: Project) -> Known:
    """What is recorded of the matrices in a folder. Paths are relative to `root`."""
    suites = load_suites(folder, root, project)
    problems = list(suites.problems)
    found = {}
    for suite in suites.suites:
        try:
            found[suite.id] = evidence_of(folder, suite, root)
        except BadRecord as bad:
            place = Location(relative(path_of(folder, suite.id), root), bad.line, bad.column, bad.line, bad.column + 1)
            remedy = f"Let `failure-matrix verify --matrix {suite.id}` write it anew."
            problems.append(Problem("100", "error", str(bad), place, remedy, matrix=suite.id))
            found[suite.id] = Evidence(suite)
    return Known(found, tuple(problems), suites.texts)


def evidence_of(folder: Path, suite: Suite, root: Path | None = None) -> Evidence:
    """The evidence of a suite, by the folder of the matrices. Raises `BadRecord` where its file is no record."""
    file = path_of(folder, suite.id)
    path = relative(file, root or folder)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Evidence(suite, path=path)
    except (OSError, ValueError) as error:
        raise BadRecord(f"The record can't be read: {error}.") from None
    record = read_record(text)
    return Evidence(suite, record, tuple(stale_parts(suite, record)), path, json.loads(text))


def stale_parts(suite: Suite, record: Record) -> Iterator[str]:
    """What a record has another digest for than the suite has now, or does not have."""
    observing = digest_of_observing(suite.playbook)
    for scenario in suite.scenarios:
        recorded = record.scenarios.get(scenario.id)
        if recorded is None or recorded.digest != digest_of_scenario(scenario, observing):
            yield scenario.id
    if suite.playbook is not None and record.digest != digest_of_playbook(suite.playbook):
        yield WALK
