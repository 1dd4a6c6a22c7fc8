"""What the pages of evidence show, and the mark that a cell of a matrix bears on all other pages.

Only what is recorded and not stale counts as shown. All else is said in words beside the mark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from failure_matrix import urls
from failure_matrix.checks.mechanism import listed
from failure_matrix.evidence.recorded import (
    CellRecorded,
    ControlRecorded,
    MutantRecorded,
    Record,
    ScenarioRecorded,
)
from failure_matrix.evidence.shown import WALK, CellEvidence, Evidence, Status
from failure_matrix.lanes import Lanes, lanes, row_text
from failure_matrix.marks import SIGNS, STATUSES, Mark, Source, WalkCell, forbidden_cell, times
from failure_matrix.model import Action, Failure, Matrix, State

BROKEN_STEP = re.compile(r"Step (then )?(\d+)")


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A scenario of the suite: what is recorded of it, if anything, and whether that still counts."""

    id: str
    title: str
    summary: str
    status: Status
    record: ScenarioRecorded | None = None

    @property
    def is_orders(self) -> bool:
        """Whether all orders of its steps were run."""
        return self.record is not None and self.record.orders is not None

    @property
    def sign(self) -> str:
        """The sign of the status."""
        return SIGNS[self.status]

    @property
    def words(self) -> str:
        """What the status is called of a scenario."""
        return {"shown": "holds", "not shown": "not run", "contradicted": "does not hold", "stale": "stale"}[
            self.status
        ]

    @property
    def controls(self) -> tuple[ControlRecorded, ...]:
        """The controls that were run."""
        return self.record.controls if self.record else ()

    @property
    def cells(self) -> tuple[CellRecorded, ...]:
        """The cells of the matrix that it tried, each once."""
        return tuple(dict.fromkeys(self.record.cells)) if self.record else ()

    def lanes(self) -> Lanes:
        """The steps, each in the lane of its session."""
        if self.record is None:
            return Lanes((), ())
        return lanes(self.record.sessions, self.record.steps, self._broken(then=False))

    def then(self) -> Lanes:
        """What was looked at after the last step."""
        return lanes((), self.record.then, self._broken(then=True)) if self.record else Lanes((), ())

    def counterexample(self) -> Lanes:
        """The first order that broke the invariant."""
        found = self.record.counterexample if self.record else None
        return lanes(self.record.sessions, found.steps) if found and self.record else Lanes((), ())

    def forbidden_rows(self) -> tuple[str, ...]:
        """The rows that the invariant returned."""
        found = self.record.counterexample if self.record else None
        return tuple(row_text(row) for row in found.rows) if found else ()

    def _broken(self, *, then: bool) -> frozenset[int]:
        found = [BROKEN_STEP.match(each) for each in self.record.breaks] if self.record else []
        return frozenset(int(one[2]) for one in found if one and bool(one[1]) is then)


class EvidenceView:
    """What is recorded of one suite, and the questions that several pages ask."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.id = evidence.suite.id
        self.matrix: Matrix | None = evidence.matrix
        self.record: Record | None = evidence.record

    @property
    def title(self) -> str:
        """What the suite is about."""
        return self.matrix.title if self.matrix else self.id.replace("-", " ").capitalize()

    @property
    def versions(self) -> str:
        """The versions of PostgreSQL on which everything was run."""
        return f"PostgreSQL {listed(self.record.versions)}" if self.record and self.record.versions else "PostgreSQL"

    @property
    def failed(self) -> bool:
        """Whether it was recorded although not everything held."""
        return self.record is not None and not self.record.holds

    @property
    def walk_is_stale(self) -> bool:
        """Whether the walk, the constraints and the conditions were run before something was changed."""
        return WALK in self.evidence.stale

    @cached_property
    def cells(self) -> Mapping[tuple[str, str], CellEvidence]:
        """The evidence of each cell."""
        return self.evidence.cells()

    @cached_property
    def counts(self) -> Mapping[Status, int]:
        """How many cells have each status."""
        found = Counter(cell.status for cell in self.cells.values())
        return {status: found[status] for status in STATUSES}

    @cached_property
    def counts_by_kind(self) -> Mapping[str, Mapping[Status, int]]:
        """The same for permitted and forbidden actions and for failures."""
        found: dict[str, Counter[Status]] = {"Permitted": Counter(), "Forbidden": Counter(), "Failures": Counter()}
        for (state, event), cell in self.cells.items():
            found[self._kind(state, event)][cell.status] += 1
        return {kind: {status: each[status] for status in STATUSES} for kind, each in found.items()}

    @cached_property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """The scenarios, in the order of their files."""
        return tuple(self._exhibits())

    def exhibit(self, scenario: str) -> Exhibit:
        """One scenario, by its id."""
        return next(each for each in self.exhibits if each.id == scenario)

    @property
    def shown_by_scenarios(self) -> int:
        """How many cells scenarios alone show."""
        return sum(cell.status == "shown" and WALK not in cell.by for cell in self.cells.values())

    @property
    def shown_by_walk(self) -> int:
        """How many cells the walk shows."""
        return sum(cell.status == "shown" and WALK in cell.by for cell in self.cells.values())

    def unshown(self) -> Iterator[tuple[State, Action | Failure, Mark]]:
        """Each cell that nothing shows, and why."""
        for state, event in self.cells:
            mark = self.mark(state, event)
            if self.matrix and mark and mark.status != "shown":
                event_there = self.matrix.actions.get(event) or self.matrix.failures[event]
                yield self.matrix.states[state], event_there, mark

    def mark(self, state: str, event: str) -> Mark | None:
        """The mark of a cell, by the ids of the state and of the action or the failure; none without a record."""
        cell = self.cells.get((state, event)) if self.evidence.exists else None
        if cell is None:
            return None
        sources = tuple(self._source(part, event) for part in cell.by)
        return Mark(cell.status, sources, self._said(state, event, cell), urls.evidence(self.id))

    @property
    def idle_conditions(self) -> tuple[MutantRecorded, ...]:
        """The conditions that nothing misses, or that could not be left out."""
        return tuple(each for each in self.record.mutants if not each.missed_by) if self.record else ()

    @property
    def needed_conditions(self) -> tuple[MutantRecorded, ...]:
        """The conditions that something misses."""
        return tuple(each for each in self.record.mutants if each.missed_by) if self.record else ()

    def what_missed(self, mutant: MutantRecorded) -> Source | None:
        """What missed a condition that was left out."""
        return self._source(mutant.missed_by, mutant.action) if mutant.missed_by else None

    @property
    def events(self) -> tuple[Action | Failure, ...]:
        """The rows of the walk's grid: the actions, then the failures."""
        return (*self.matrix.actions.values(), *self.matrix.failures.values()) if self.matrix else ()

    def because(self, clause: int) -> str:
        """Why a clause of `impossible` is there, by its place."""
        known = self.matrix.impossible if self.matrix else ()
        return known[clause].because if clause < len(known) else ""

    def sample(self, status: Status) -> Mark:
        """A mark as it looks for a status."""
        return Mark(status)

    def walked(self, state: State, event: Action | Failure) -> WalkCell:
        """A cell of the walk's grid."""
        walked = self.evidence.walked(state.id, event.id)
        if self.evidence.found(state.id, event.id):
            return WalkCell("contradicted", "≠", "It contradicts the matrix.")
        if walked is None:
            return self._unvisited(state, event)
        if state.prohibition(event.id):
            return forbidden_cell(walked)
        if not walked.held:
            return WalkCell("idle", f"· {walked.tried}", f"Tried {times(walked.tried)}; its condition held nowhere.")
        if (state.id, event.id) not in self.cells:
            return WalkCell("idle", f"· {walked.held}", f"It happened {times(walked.held)}; the state stayed.")
        targets = listed([self.label(target) for target in walked.targets])
        return WalkCell("yes", f"✓ {walked.held}", f"It happened {times(walked.held)}, and led to {targets}.")

    def label(self, state: str) -> str:
        """The short name of a state."""
        known = self.matrix.states.get(state) if self.matrix else None
        return known.label if known else state

    def _unvisited(self, state: State, event: Action | Failure) -> WalkCell:
        if (state.id, event.id) in self.cells:
            return WalkCell("not-shown", "○", "The walk did not try it. " + self._why_not(state.id, event.id))
        return WalkCell("none", "", "The matrix says nothing of it here.")

    def _exhibits(self) -> Iterator[Exhibit]:
        for scenario in self.evidence.suite.scenarios:
            record = self.evidence.scenarios.get(scenario.id)
            status: Status = "not shown"
            if record is not None:
                status = "shown" if record.holds else "contradicted"
                status = "stale" if scenario.id in self.evidence.stale else status
            yield Exhibit(scenario.id, scenario.title, scenario.summary, status, record)

    def _kind(self, state: str, event: str) -> str:
        assert self.matrix is not None
        if event in self.matrix.failures:
            return "Failures"
        return "Permitted" if self.matrix.states[state].permission(event) else "Forbidden"

    def _source(self, part: str, event: str) -> Source:
        if part == WALK:
            return Source("the walk", urls.walk(self.id), f"walk-{event}" if event else "")
        known = {each.id: each.title for each in self.exhibits}
        if part not in known:
            return Source(f"the former scenario {part}", urls.evidence(self.id))
        return Source(f"“{known[part]}”", urls.scenario(self.id, part))

    def _said(self, state: str, event: str, cell: CellEvidence) -> str:
        if cell.status == "not shown":
            return self._why_not(state, event)
        if cell.status == "stale":
            return "What was run has changed since."
        if cell.status == "contradicted":
            return " ".join(each.message for each in self.evidence.found(state, event))
        return "It went through: nothing but discipline stands in the way." if cell.went_through else ""

    def _why_not(self, state: str, event: str) -> str:
        assert self.matrix is not None
        action = self.matrix.actions.get(event)
        if action is None:
            outcome = self.matrix.failures[event].outcome(state)
            changes = outcome is not None and outcome.sets
            return "No scenario makes it happen." if changes else "It leaves no trace in the database to be seen."
        return "Nothing that was run does it here." if action.run else "It has no statement that could be run."
