"""Does everything that a matrix refers to exist? And does a state forbid what it permits?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from failure_matrix.loading.names import Names, clashes, names, values
from failure_matrix.loading.unplaced import Unplaced, mapping, one_or_more, part, parts, texts
from failure_matrix.model import OUTSIDE, Path
from failure_matrix.nearest import SEARCHED, listed, nearest, slip_of
from failure_matrix.schema import Data

SCENARIOS = "scenarios."
"""Before the name of a scenario. Those are in files of their own, which are read with the evidence."""

WITH_ALIASES = ("states", "actions", "observations", "failures")


class References:
    """All that can be referred to in a matrix, and what is referred to in vain.

    `data` is what the walk gave, broken parts included: what stands in one is not looked at, and what refers
    to one is not called dangling.
    """

    def __init__(self, data: dict[str, Data], owners: Names) -> None:
        self.data = data
        self.owners = owners
        self.states = names(data, "states", "state")
        self.actions = names(data, "actions", "action")
        self.observations = names(data, "observations", "observation")
        self.sources = names(data, "sources", "source")
        self.failures = names(data, "failures", "failure")
        self.parameters = names(data, "parameters", "parameter")
        self.values = values(data)
        self.targets = with_outside(self.states)
        self.places = places(self.states, self.actions, self.failures, self.observations)
        self._mends: dict[tuple[str, str], tuple[str, str]] = {}

    def problems(self) -> Iterator[Unplaced]:
        """What refers to nothing, and what is decided twice."""
        yield from clashes(self.data, *WITH_ALIASES)
        yield from self._in_head()
        yield from self._in_observations()
        yield from self._in_states()
        yield from self._in_actions()
        yield from self._in_failures()
        for index, clause in enumerate(_items(self.data.get("impossible"))):
            yield from self._patterns(part(clause, "when"), ("impossible", str(index), "when"))

    def _in_head(self) -> Iterator[Unplaced]:
        for action, state in mapping(self.data.get("start")).items():
            yield from self._key(self.actions, ("start",), action)
            yield from self._ids(self.states, state, ("start", action))
        yield from self._ids(self.actions, self.data.get("path"), ("path",))
        authority, completion = self.data.get("authority"), self.data.get("completion")
        yield from self._ids(self.sources, part(authority, "source"), ("authority", "source"))
        yield from self._ids(self.sources, part(self.data.get("subjects"), "source"), ("subjects", "source"))
        yield from self._ids(self.owners, part(completion, "owner"), ("completion", "owner"))
        for question, fact in mapping(self.data.get("dialect")).items():
            for path, place in texts(part(fact, "see"), ("dialect", question, "see")):
                if not place.startswith(SCENARIOS):
                    yield from self._ids(self.places, place, path)

    def _in_observations(self) -> Iterator[Unplaced]:
        for path, observation in parts(self.data, "observations"):
            yield from self._ids(self.sources, observation.get("source"), (*path, "source"))

    def _in_states(self) -> Iterator[Unplaced]:
        for path, state in parts(self.data, "states"):
            yield from self._patterns(state.get("when"), (*path, "when"))
            yield from self._ids(self.owners, state.get("owner"), (*path, "owner"))
            yield from self._permitted(mapping(state.get("permitted")), (*path, "permitted"))
            yield from self._forbidden(state, path)
            for place, reversal in one_or_more(state.get("reversal"), (*path, "reversal")):
                yield from self._ids(self.actions, reversal.get("do"), (*place, "do"))

    def _permitted(self, permitted: Mapping[str, Data], path: Path) -> Iterator[Unplaced]:
        for action, targets in permitted.items():
            yield from self._key(self.actions, path, action)
            yield from self._ids(self.targets, targets, (*path, action))
        yield from self._twice(self.actions, permitted, path)

    def _forbidden(self, state: Mapping[str, Data], path: Path) -> Iterator[Unplaced]:
        permitted = {self._action(action): action for action in mapping(state.get("permitted"))}
        forbidden = mapping(state.get("forbidden"))
        for action in forbidden:
            yield from self._key(self.actions, (*path, "forbidden"), action)
            if self._action(action) in permitted:
                first = (*path, "permitted", permitted[self._action(action)])
                yield Unplaced(
                    "105",
                    (*path, "forbidden", action),
                    f"`{action}` is forbidden here, and permitted as well.",
                    "Decide, and delete the other one.",
                    of_key=True,
                    related=("It is permitted here.", first),
                )
        yield from self._twice(self.actions, forbidden, (*path, "forbidden"))

    def _action(self, name: str) -> str:
        return (self.actions.known or {}).get(name, name)

    def _in_actions(self) -> Iterator[Unplaced]:
        for path, action in parts(self.data, "actions"):
            yield from self._ids(self.owners, action.get("by"), (*path, "by"))
            yield from self._patterns(action.get("requires"), (*path, "requires"))
            yield from self._changes(action.get("sets"), (*path, "sets"))
            yield from self._ids(self.actions, part(action.get("undo"), "do"), (*path, "undo", "do"))
            for parameter in mapping(action.get("keeps")):
                yield from self._key(self.parameters, (*path, "keeps"), parameter)

    def _in_failures(self) -> Iterator[Unplaced]:
        for path, failure in parts(self.data, "failures"):
            outcomes = mapping(failure.get("outcome"))
            yield from self._twice(self.states, outcomes, (*path, "outcome"))
            for state, outcome in outcomes.items():
                place = (*path, "outcome", state)
                yield from self._key(self.states, place[:-1], state)
                yield from self._ids(self.targets, part(outcome, "to"), (*place, "to"))
                yield from self._patterns(part(outcome, "requires"), (*place, "requires"))
                yield from self._changes(part(outcome, "sets"), (*place, "sets"))

    def _patterns(self, data: Data, path: Path) -> Iterator[Unplaced]:
        for place, pattern in one_or_more(data, path):
            for observation, allowed in pattern.items():
                yield from self._key(self.observations, place, observation)
                if observation in self.values:
                    yield from self._ids(self.values[observation], allowed, (*place, observation))
            yield from self._twice(self.observations, pattern, place)

    def _changes(self, data: Data, path: Path) -> Iterator[Unplaced]:
        for observation, change in mapping(data).items():
            yield from self._key(self.observations, path, observation)
            known = self.values.get(observation)
            if known is None:
                continue
            yield from self._ids(known, change, (*path, observation))
            for old, new in mapping(change).items():
                yield from self._key(known, (*path, observation), old)
                yield from self._ids(known, new, (*path, observation, old))
        yield from self._twice(self.observations, mapping(data), path)

    def _key(self, known: Names, path: Path, name: str) -> Iterator[Unplaced]:
        """A key that has to be one of the names."""
        if not known.has(name):
            yield self._dangling(known, (*path, name), name, of_key=True)

    def _ids(self, known: Names, data: Data, path: Path) -> Iterator[Unplaced]:
        """One id or a list of ids that have to be among the names."""
        for place, name in texts(data, path):
            if not known.has(name):
                yield self._dangling(known, place, name)

    def _dangling(self, known: Names, path: Path, name: str, *, of_key: bool = False) -> Unplaced:
        """The problem of a name that stands for nothing."""
        key = (known.kind, name)
        if key not in self._mends:
            self._mends[key] = mend(known, name, search=len(self._mends) < SEARCHED)
        remedy, meant = self._mends[key]
        return Unplaced("103", path, f"There is no {known.kind} `{name}`.", remedy, of_key=of_key, meant=meant)

    def _twice(self, known: Names, entries: Mapping[str, Data], path: Path) -> Iterator[Unplaced]:
        """Keys of a mapping that stand for the same id, one of them as an alias."""
        first: dict[str, str] = {}
        for name in entries:
            other = first.setdefault((known.known or {}).get(name, name), name)
            if other != name:
                message = f"`{name}` and `{other}` are the same {known.kind}."
                related = ("It stands here first.", (*path, other))
                yield Unplaced("102", (*path, name), message, "Delete one of the two.", of_key=True, related=related)


def places(*sections: Names) -> Names:
    """The places that a fact may point to: each id and alias after the name of its section."""
    known: dict[str, str] | None = {}
    for section in sections:
        if section.known is None:
            known = None
        elif known is not None:
            known |= {f"{section.kind}s.{name}": id for name, id in section.known.items()}
    return Names("place", known, "the matrix")


def with_outside(states: Names) -> Names:
    """The states, and `outside`, which is a target and no state."""
    return states if states.known is None else replace(states, known={**states.known, OUTSIDE: OUTSIDE})


def mend(known: Names, name: str, *, search: bool) -> tuple[str, str]:
    """What to do about a name that stands for nothing, and the word that alone can have been meant."""
    words = known.known or {}
    if not words:
        return f"There is none at all. Define it in {known.place}.", ""
    near = nearest(name, words) if search else ""
    there = f"There is: {listed(words)}."
    return f"Did you mean `{near}`? {there}" if near else there, slip_of(name, words) if search else ""


def _items(data: Data) -> list[Data]:
    return data if isinstance(data, list) else []
