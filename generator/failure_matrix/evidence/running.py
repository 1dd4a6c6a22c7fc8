"""A scenario run from its first step to its last, and compared with what it expects."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from failure_matrix.evidence.differences import observed_words, of_result, of_wakes
from failure_matrix.evidence.observing import one_by_one
from failure_matrix.evidence.playbook import Playbook
from failure_matrix.evidence.playing import Player, Seen
from failure_matrix.evidence.scenario import Control, Kill, Run, Scenario, Step
from failure_matrix.evidence.server import Server
from failure_matrix.evidence.snapshot import Shelf
from failure_matrix.evidence.stage import Stage, stage
from failure_matrix.evidence.statements import Parameter

AFTERWARDS = "then"


@dataclass(frozen=True, slots=True)
class Break:
    """Something that came otherwise than a step expected. `part` is empty for a step, `then` for what follows them."""

    step: Step
    expected: str
    came: str
    part: str = ""

    def __str__(self) -> str:
        which = f"{self.part} {self.step.number}".strip()
        who = f" ({self.step.session})" if self.step.session else ""
        return f"Step {which}{who}: expected {self.expected}; came {self.came}."


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of the matrix that a step showed: a state, an action that was tried there, and where it led."""

    state: str
    action: str
    target: str


@dataclass(frozen=True, slots=True)
class Played:
    """What running a scenario gave: what each step saw, what broke, and which cells of the matrix were shown."""

    scenario: Scenario
    steps: tuple[Seen, ...]
    then: tuple[Seen, ...]
    breaks: tuple[Break, ...]
    cells: tuple[ShownCell, ...] = ()

    @property
    def broken_steps(self) -> tuple[int, ...]:
        """The numbers of the steps that broke, what follows the steps left aside."""
        return tuple(sorted({each.step.number for each in self.breaks if not each.part}))


@dataclass(frozen=True, slots=True)
class ControlPlayed:
    """What cutting a condition broke, and whether that is what the control says."""

    control: Control
    broke: tuple[int, ...]
    was_cut: bool

    @property
    def holds(self) -> bool:
        """Whether the text was there to be cut, and just those steps broke."""
        return self.was_cut and self.broke == tuple(sorted(self.control.breaks))


class Runner:
    """Runs scenarios on a server, those with the same tables on the same stage, which is cleared after each.

    Close it after use, or use it in a `with` block.
    """

    def __init__(self, server: Server, playbook: Playbook | None = None) -> None:
        """`playbook` belongs to the scenarios of a matrix."""
        self._server = server
        self._playbook = playbook
        self._stages: dict[str, _Reusable] = {}
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Drop all stages."""
        self._stages.clear()
        self._closing.close()

    def run(self, scenario: Scenario) -> Played:
        """Run a scenario. Raises `BadSchema` where its tables or rows can't be made."""
        with self._stage(scenario.tables) as played_on:
            prepare(played_on, scenario)
            return _Run(played_on, scenario, self._playbook).played()

    @contextlib.contextmanager
    def _stage(self, tables: str) -> Iterator[Stage]:
        if tables not in self._stages:
            self._stages[tables] = _Reusable(self._closing.enter_context(stage(self._server, tables)))
        reusable = self._stages[tables]
        try:
            yield reusable.stage
        finally:
            reusable.clear()

    def control(self, scenario: Scenario, control: Control) -> ControlPlayed:
        """Run a scenario with a control's text cut out."""
        cut = scenario.without(control)
        return ControlPlayed(control, self.run(cut).broken_steps, cut != scenario)


class _Reusable:
    """A stage that can be put back to where it began."""

    def __init__(self, played_on: Stage) -> None:
        self.stage = played_on
        self._shelf = Shelf(played_on)
        self._beginning = self._shelf.save()

    def clear(self) -> None:
        """Let all clients die, and put the rows and the files back."""
        self.stage.retire_all()
        self._shelf.restore(self._beginning)


def prepare(played_on: Stage, scenario: Scenario) -> None:
    """Set the clock and put in the rows that a scenario begins with."""
    played_on.set_time(scenario.start)
    if scenario.given:
        played_on.must(scenario.given)


class _Run:
    """One run of one scenario."""

    def __init__(self, played_on: Stage, scenario: Scenario, playbook: Playbook | None) -> None:
        self._stage = played_on
        self._scenario = scenario
        self._playbook = playbook
        self._player = Player(played_on, scenario, playbook)
        self._observer = playbook.observer(played_on.store) if playbook is not None else None
        self._breaks: list[Break] = []
        self._cells: list[ShownCell] = []

    def played(self) -> Played:
        steps = tuple(self._step(step) for step in self._scenario.steps)
        then = tuple(self._step(step, AFTERWARDS) for step in self._scenario.then)
        return Played(self._scenario, steps, then, tuple(self._breaks), tuple(dict.fromkeys(self._cells)))

    def _step(self, step: Step, part: str = "") -> Seen:
        if self._player.waits(step.session) and not isinstance(step.act, Kill):
            self._breaks.append(Break(step, f"{step.session} to go on", "nothing, it still waits", part))
            return Seen("", None, waits=self._stage.blockers(step.session))
        before = self._state_of_acting(step)
        struck = self._state(step.state.subject) if step.failure and step.state else None
        seen = self._player.play(step)
        self._breaks += [Break(step, *difference, part) for difference in self._differences(step, seen)]
        self._breaks += [Break(step, *difference, part) for difference in self._by_failure(step, struck)]
        if before is not None and isinstance(step.act, Run) and seen.result is not None:
            subject, state = before
            if (target := self._state(subject)) is not None:
                self._cells.append(ShownCell(state, step.act.name, target))
        return seen

    def _differences(self, step: Step, seen: Seen) -> Iterator[tuple[str, str]]:
        yield from of_result(step, seen)
        yield from of_wakes(step, seen)
        if step.state is not None and self._observer is not None:
            came = self._observer.observe(one_by_one(self._stage.look), step.state.subject)
            if came.state != step.state.state:
                yield f"state {step.state.state}", observed_words(came)

    def _by_failure(self, step: Step, before: str | None) -> Iterator[tuple[str, str]]:
        """Note the cell of a failure that the step is, and tell where it led otherwise than its outcome says."""
        if not step.failure or step.state is None or self._playbook is None:
            return
        outcome = self._playbook.matrix.failures[step.failure].outcome(before or "")
        target = self._state(step.state.subject)
        if outcome is None:
            yield f"{step.failure} in a state in which it has an outcome", before or "no state"
        elif target not in outcome.targets:
            yield f"{step.failure} in {before} to lead to {' or '.join(outcome.targets)}", target or "no state"
        else:
            self._cells.append(ShownCell(outcome.state, step.failure, target))

    def _state_of_acting(self, step: Step) -> tuple[Mapping[str, Parameter], str] | None:
        """The subject that an action is about, and its state before."""
        if self._playbook is None or not isinstance(step.act, Run) or not step.act.is_action:
            return None
        values = self._player.values(step.session, step.act.values)
        subject = {name: values[name] for name in self._playbook.subject_parameters if name in values}
        state = self._state(subject)
        return None if state is None else (subject, state)

    def _state(self, subject: Mapping[str, Parameter]) -> str | None:
        if self._observer is None:
            return None
        seen = self._observer.observe(one_by_one(self._stage.look), subject)
        return seen.state if seen.is_complete else None
