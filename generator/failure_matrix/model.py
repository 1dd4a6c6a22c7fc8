"""A failure matrix as values: frozen, resolved, without files and without syntax.

References are resolved: an action holds its owner, a state its permitted actions. Only targets are ids, since
states lead to each other in circles. Questions about a matrix are methods, named after the question. What needs
the decision table to be answered (which combinations a state covers, where an action lands) is in
`decision_table` and `effects`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from failure_matrix.problems import Location

OUTSIDE = "outside"
"""The target that means: not, or no longer, in this matrix."""

Path = tuple[str, ...]
"""A place in a matrix's file: the keys from the top, such as `("states", "leased", "permitted", "publish")`."""


def nowhere(_: Path) -> Location:
    """The location of everything in a matrix that no file was read for."""
    return Location("")


SourceKind = Literal["postgresql", "files", "http", "ask"]


@dataclass(frozen=True, slots=True)
class Owner:
    """A person, team or program that acts and decides."""

    id: str
    title: str
    contact: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where evidence is found, and how one gets at it."""

    id: str
    title: str
    kind: SourceKind
    access: str = ""


@dataclass(frozen=True, slots=True)
class Interval:
    """A range of a number or of a time in seconds, from `low` to `high`.

    Bounds are `(number, side)`: side 0 lies just before the number, side 1 just after it, so that two ranges
    meet without overlap exactly where one's `high` equals the other's `low`. `None` is no bound.
    """

    low: tuple[Fraction, int] | None
    high: tuple[Fraction, int] | None


@dataclass(frozen=True, slots=True)
class Value:
    """One of the closed set of answers to an observation's question.

    `interval` is set where the observation is of a number or a time; `meaning` is then the range as written.
    """

    id: str
    meaning: str
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """A question about a subject, its possible answers, and where to get the answer."""

    id: str
    title: str
    values: tuple[Value, ...]
    question: str = ""
    source: Source | None = None
    sql: str = ""
    file: str = ""
    digest: str = ""
    url: str = ""
    unknown: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def value_ids(self) -> tuple[str, ...]:
        """The ids of the values, in the author's order."""
        return tuple(value.id for value in self.values)

    @property
    def is_ranged(self) -> bool:
        """Whether the values are ranges of a number or of a time."""
        return any(value.interval is not None for value in self.values)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Combinations of observations: a mapping of an observation's id to the values that it may have.

    An observation that is left out may have any value. The empty pattern is every combination.
    """

    values: Mapping[str, tuple[str, ...]]

    def covers(self, combination: Mapping[str, str]) -> bool:
        """Whether a combination (a value for each observation) is one of the pattern's."""
        return all(combination[observation] in allowed for observation, allowed in self.values.items())


@dataclass(frozen=True, slots=True)
class Change:
    """What `sets` does to one observation.

    `to` are the values any of which may result, whatever the old one was; `by` gives the results for single
    old values and leaves all others alone. One of the two is empty.
    """

    to: tuple[str, ...] = ()
    by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def after(self, old: str) -> tuple[str, ...]:
        """The values that may result where the observation had the value `old`."""
        return self.to or self.by.get(old, (old,))


Changes = Mapping[str, Change]
"""What is changed, by the observation's id. Observations left out stay as they are."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """Combinations that the system rules out: because of a rule, shown by a constraint."""

    when: tuple[Pattern, ...]
    because: str
    constraint: str = ""


@dataclass(frozen=True, slots=True)
class Undo:
    """How an action is taken back: the action that does it, and up to when."""

    when: str
    do: str


@dataclass(frozen=True, slots=True)
class Action:
    """What a person or a program does.

    `requires` says when it can happen, as its statement has it; empty means always. `prevented` in the pages
    follows from it. `quoted_from` names the file that the statement is quoted from, where it is not written in
    the matrix.
    """

    id: str
    title: str
    by: Owner | None = None
    requires: tuple[Pattern, ...] = ()
    sets: Changes = field(default_factory=dict)
    keeps: Mapping[str, str] = field(default_factory=dict)
    run: str = ""
    quoted_from: str = ""
    zero_rows: str = ""
    unfenced: str = ""
    outside: str = ""
    duplicates: str = ""
    irreversible: str = ""
    undo: Undo | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Permission:
    """An action that a state permits, and the ids of the states that it may lead to."""

    action: Action
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prohibition:
    """An action that a state forbids, and why."""

    action: Action
    because: str


@dataclass(frozen=True, slots=True)
class Reversal:
    """When a step can be taken back, the action that does it, and until when."""

    when: str
    do: Action
    until: str = ""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long what belongs to a state is kept, what that costs, and why."""

    keep: str
    cost: str = ""
    because: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """A set of combinations of observations in which the same things are permitted.

    `irreversible` is the reason given by `reversal: {none: …}`; it is empty where `reversals` are named.
    """

    id: str
    title: str
    when: tuple[Pattern, ...]
    short: str = ""
    means: str = ""
    owner: Owner | None = None
    permitted: tuple[Permission, ...] = ()
    forbidden: tuple[Prohibition, ...] = ()
    reversals: tuple[Reversal, ...] = ()
    irreversible: str = ""
    retention: Retention | None = None
    terminal: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The short name for diagrams and table headings."""
        return self.short or self.title

    def permission(self, action: str) -> Permission | None:
        """The permission of an action, by the action's id."""
        return next((cell for cell in self.permitted if cell.action.id == action), None)

    def prohibition(self, action: str) -> Prohibition | None:
        """The prohibition of an action, by the action's id."""
        return next((cell for cell in self.forbidden if cell.action.id == action), None)

    def decides(self, action: str) -> bool:
        """Whether the state says anything of an action, by the action's id."""
        return self.permission(action) is not None or self.prohibition(action) is not None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a failure does in one state: where it leads, what it changes, and what to do then."""

    state: str
    targets: tuple[str, ...]
    then: str = ""
    requires: tuple[Pattern, ...] = ()
    sets: Changes = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that goes wrong: how it is noticed, and its outcome in each state it can hit.

    `otherwise` is the reason why it has no outcome in the states that `outcomes` leaves out.
    """

    id: str
    title: str
    notice: str = ""
    outcomes: tuple[Outcome, ...] = ()
    otherwise: str = ""
    aliases: tuple[str, ...] = ()

    def outcome(self, state: str) -> Outcome | None:
        """The outcome in a state, by the state's id."""
        return next((outcome for outcome in self.outcomes if outcome.state == state), None)


@dataclass(frozen=True, slots=True)
class Clock:
    """Which clock decides, and why that one."""

    source: str
    because: str = ""


@dataclass(frozen=True, slots=True)
class Authority:
    """The table and columns that a writer's authority is checked by."""

    source: Source
    table: str
    generation: str
    holder: str = ""
    expires: str = ""


@dataclass(frozen=True, slots=True)
class Subjects:
    """The query that lists a database's subjects: a column for each parameter and, where it can be told, `since`."""

    source: Source
    sql: str


@dataclass(frozen=True, slots=True)
class Completion:
    """When the business calls it done, and who says so."""

    owner: Owner | None
    criteria: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """What a matrix says of one question about its dialect, and the places where it says or shows it.

    A place is a section and an id: `states.held`, `scenarios.hold-until-marked`.
    """

    says: str = ""
    see: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialect:
    """How work is claimed: by a lock or for a time, and the facts that tell dialects apart."""

    title: str
    by: Literal["lock", "time"]
    claim: Fact = Fact()
    held: Fact = Fact()
    crash: Fact = Fact()
    cleanup: Fact = Fact()
    delivery: Fact = Fact()
    fence: Fact = Fact()
    network: Fact = Fact()
    visible: Fact = Fact()
    evidence: Fact = Fact()


@dataclass(frozen=True, slots=True)
class Start:
    """The action that brings a subject in, and the id of its first state."""

    action: Action
    state: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """What has not been shown yet, where it would be, and how far it is: planned, done or dropped."""

    id: str
    title: str
    target: str = ""
    status: str = "planned"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A problem that is known and accepted: its rule and place, why, by whom and until when (ISO 8601)."""

    index: int
    rule: str
    at: str
    because: str = ""
    by: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """One arrow: an action or a failure leads from a state to a target. `source` and `target` are ids."""

    source: str
    event: Action | Failure
    target: str

    @property
    def is_failure(self) -> bool:
        """Whether it happens to somebody rather than being done by somebody."""
        return isinstance(self.event, Failure)


@dataclass(frozen=True, slots=True)
class Matrix:
    """The failure matrix of one subject.

    All mappings are in the author's order. `locate` gives the location of a path in the matrix's file, of its
    nearest existing ancestor where the path does not exist, and of the key rather than the value unless it is
    told otherwise.
    """

    id: str
    title: str
    path: str
    states: Mapping[str, State]
    observations: Mapping[str, Observation]
    actions: Mapping[str, Action]
    summary: str = ""
    subject: str = ""
    start: Start | None = None
    spine: tuple[Action, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    clock: Clock | None = None
    authority: Authority | None = None
    completion: Completion | None = None
    dialect: Dialect | None = None
    tables: str = ""
    subjects: Subjects | None = None
    sources: Mapping[str, Source] = field(default_factory=dict)
    owners: Mapping[str, Owner] = field(default_factory=dict)
    impossible: tuple[Impossible, ...] = ()
    failures: Mapping[str, Failure] = field(default_factory=dict)
    exercises: Mapping[str, Exercise] = field(default_factory=dict)
    accepted: tuple[Acceptance, ...] = ()
    locate: Callable[[Path], Location] = field(default=nowhere, compare=False, repr=False)

    def transitions(self) -> Iterator[Transition]:
        """All arrows, actions before failures, in the author's order. Those that stay in their state too."""
        for state in self.states.values():
            for cell in state.permitted:
                for target in cell.targets:
                    yield Transition(state.id, cell.action, target)
        for failure in self.failures.values():
            for outcome in failure.outcomes:
                for target in outcome.targets:
                    yield Transition(outcome.state, failure, target)

    def spine_states(self) -> tuple[str, ...]:
        """The ids of the states on the way it goes when nothing goes wrong, from the first one on.

        It ends where an action of the path is not permitted; where an action may lead to several states, the
        first target that is not on the way yet counts.
        """
        if self.start is None:
            return ()
        way = [self.start.state]
        for action in self.spine[1:]:
            cell = self.states[way[-1]].permission(action.id) if way[-1] in self.states else None
            if cell is None:
                break
            ahead = next((target for target in cell.targets if target not in way), None)
            if ahead is not None:
                way.append(ahead)
        return tuple(way)

    def states_owned_by(self, owner: str) -> Iterator[State]:
        """The states that an owner decides about, by the owner's id."""
        return (state for state in self.states.values() if state.owner is not None and state.owner.id == owner)

    def actions_done_by(self, owner: str) -> Iterator[Action]:
        """The actions that an owner does, by the owner's id."""
        return (action for action in self.actions.values() if action.by is not None and action.by.id == owner)

    def states_using(self, observation: str) -> Iterator[State]:
        """The states that an observation helps to recognise."""
        return (state for state in self.states.values() if any(observation in pattern.values for pattern in state.when))


@dataclass(frozen=True, slots=True)
class LevelSetting:
    """A rule whose level was changed in the settings, and why. The level `off` silences the rule."""

    rule: str
    level: Literal["error", "warning", "note", "off"]
    because: str
    location: Location = field(default=nowhere(()), compare=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the settings say beside levels: the folder of one's own templates, and the Graphviz program.

    `templates` is relative to the project's folder; `engine` is a program's name or its path.
    """

    templates: str = ""
    engine: str = ""


@dataclass(frozen=True, slots=True)
class Project:
    """All matrices of a folder, what they share, and the text that they were read from.

    `texts` maps the path of each file that was read to its text, so that messages can quote it.
    """

    matrices: Mapping[str, Matrix]
    owners: Mapping[str, Owner] = field(default_factory=dict)
    levels: Mapping[str, LevelSetting] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    locate_owner: Callable[[Path], Location] = field(default=nowhere, compare=False, repr=False)
    settings: Settings = field(default_factory=Settings)
