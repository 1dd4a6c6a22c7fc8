"""What a record says of each cell of a matrix: shown, not shown, contradicted, or stale. Needs no database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from failure_matrix.evidence.digests import digest_of_playbook, digest_of_scenario
from failure_matrix.evidence.loading import Suite
from failure_matrix.evidence.record import path_of
from failure_matrix.model import Matrix

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
    """A suite's record, and which parts of it are stale: ids of scenarios, and `walk`."""

    suite: Suite
    record: Mapping[str, Any]
    stale: tuple[str, ...]

    @property
    def exists(self) -> bool:
        """Whether there is a record at all."""
        return bool(self.record)

    def cells(self) -> dict[tuple[str, str], CellEvidence]:
        """The evidence of each cell, by the state's id and the action's or failure's."""
        if self.suite.playbook is None:
            return {}
        matrix = self.suite.playbook.matrix
        return {cell: self._cell(*cell) for cell in _cells(matrix)}

    def _cell(self, state: str, event: str) -> CellEvidence:
        by = [*self._by_walk(state, event), *self._by_scenarios(state, event)]
        walked = self._walked(state, event)
        found = self.record.get("walk", {}).get("found", ())
        if WALK not in self.stale and any((each["state"], each["event"]) == (state, event) for each in found):
            return CellEvidence("contradicted", (WALK,))
        fresh = tuple(each for each in by if each not in self.stale)
        through = bool(walked.get("held")) and walked.get("unchanged") != walked.get("tried")
        if fresh:
            return CellEvidence("shown", fresh, through)
        return CellEvidence("stale", tuple(by), through) if by else CellEvidence("not shown")

    def _walked(self, state: str, event: str) -> Mapping[str, Any]:
        cell: Mapping[str, Any] = self.record.get("walk", {}).get("cells", {}).get(state, {}).get(event, {})
        return cell

    def _by_walk(self, state: str, event: str) -> Iterator[str]:
        """The walk shows a forbidden action by trying it, all others by what they do where they can happen."""
        cell = self._walked(state, event)
        assert self.suite.playbook is not None
        forbidden = self.suite.playbook.matrix.states[state].prohibition(event) is not None
        if cell.get("held") or (forbidden and cell.get("tried")):
            yield WALK

    def _by_scenarios(self, state: str, event: str) -> Iterator[str]:
        for name, scenario in self.record.get("scenarios", {}).items():
            if scenario["holds"] and any(
                (each["state"], each["action"]) == (state, event) for each in scenario.get("cells", ())
            ):
                yield name


def _cells(matrix: Matrix) -> Iterator[tuple[str, str]]:
    for state in matrix.states.values():
        for action in matrix.actions.values():
            if state.decides(action.id):
                yield state.id, action.id
        for failure in matrix.failures.values():
            if failure.outcome(state.id) is not None:
                yield state.id, failure.id


def evidence_of(folder: Path, suite: Suite) -> Evidence:
    """The evidence of a suite, by the folder of the matrices. A file that is no record counts as none."""
    try:
        record = json.loads(path_of(folder, suite.id).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        record = {}
    return Evidence(suite, record, tuple(stale_parts(suite, record)))


def stale_parts(suite: Suite, record: Mapping[str, Any]) -> Iterator[str]:
    """What a record has another digest for than the suite has now, or does not have."""
    recorded = record.get("scenarios", {})
    for scenario in suite.scenarios:
        if recorded.get(scenario.id, {}).get("digest") != digest_of_scenario(scenario, suite.playbook):
            yield scenario.id
    if suite.playbook is not None and record.get("digest") != digest_of_playbook(suite.playbook):
        yield WALK
