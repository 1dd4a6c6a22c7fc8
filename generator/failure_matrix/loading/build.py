"""A matrix from data without problems. Nothing is checked here any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from failure_matrix import model
from failure_matrix.loading.intervals import interval
from failure_matrix.loading.references import References
from failure_matrix.loading.statements import Quoted

Entry = Mapping[str, Any]


class Builder:
    """Builds the parts of one matrix, references resolved. `names` knows what the aliases stand for."""

    def __init__(
        self, data: Entry, names: References, owners: Mapping[str, model.Owner], quoted: Mapping[str, Quoted]
    ) -> None:
        self.data = data
        self.names = names
        self.owners = owners
        self.quoted = quoted
        self.sources = {id: source(id, entry) for id, entry in data.get("sources", {}).items()}
        self.actions = {id: self._action(id, entry) for id, entry in data["actions"].items()}

    def matrix(self, id: str, path: str, locate: Any) -> model.Matrix:
        """The matrix of an id, from the file at a path."""
        data = self.data
        return model.Matrix(
            id=id,
            title=data["title"],
            path=path,
            states={id: self._state(id, entry) for id, entry in data["states"].items()},
            observations={id: self._observation(id, entry) for id, entry in data["observations"].items()},
            actions=self.actions,
            summary=data.get("summary", ""),
            subject=data.get("subject", ""),
            start=self._start(),
            spine=tuple(self._action_of(name) for name in many(data.get("path"))),
            parameters=data.get("parameters", {}),
            clock=model.Clock(**data["clock"]) if "clock" in data else None,
            authority=self._authority(),
            tables=data.get("tables", ""),
            subjects=self._subjects(),
            completion=self._completion(),
            dialect=dialect(data["dialect"]) if "dialect" in data else None,
            sources=self.sources,
            owners=self.owners,
            impossible=tuple(self._impossible(clause) for clause in data.get("impossible", ())),
            failures={id: self._failure(id, entry) for id, entry in data.get("failures", {}).items()},
            exercises={id: model.Exercise(id, **entry) for id, entry in data.get("exercises", {}).items()},
            accepted=tuple(model.Acceptance(index, **entry) for index, entry in enumerate(data.get("accept", ()))),
            locate=locate,
        )

    def _start(self) -> model.Start | None:
        return next(
            (
                model.Start(self._action_of(action), self.names.states.id_of(state))
                for action, state in self.data.get("start", {}).items()
            ),
            None,
        )

    def _authority(self) -> model.Authority | None:
        entry = self.data.get("authority")
        return model.Authority(**{**entry, "source": self.sources[entry["source"]]}) if entry else None

    def _subjects(self) -> model.Subjects | None:
        entry = self.data.get("subjects")
        return model.Subjects(self.sources[entry["source"]], entry["sql"]) if entry else None

    def _completion(self) -> model.Completion | None:
        entry = self.data.get("completion")
        return None if entry is None else model.Completion(self._owner(entry.get("owner")), many(entry.get("criteria")))

    def _observation(self, id: str, entry: Entry) -> model.Observation:
        rest = {key: value for key, value in entry.items() if key not in ("values", "ranges", "source", "aliases")}
        values = [model.Value(value, meaning) for value, meaning in entry.get("values", {}).items()]
        values += [model.Value(value, text, interval(text)) for value, text in entry.get("ranges", {}).items()]
        origin = self.sources[entry["source"]] if "source" in entry else None
        return model.Observation(id, values=tuple(values), source=origin, aliases=many(entry.get("aliases")), **rest)

    def _impossible(self, clause: Entry) -> model.Impossible:
        constraint = clause.get("by", {}).get("constraint", "")
        return model.Impossible(self._patterns(clause["when"]), clause["because"], constraint)

    def _action(self, id: str, entry: Entry) -> model.Action:
        undo = entry.get("undo")
        quoted = self.quoted.get(id)
        return model.Action(
            id=id,
            title=entry["title"],
            by=self._owner(entry.get("by")),
            requires=self._patterns(entry.get("requires")),
            sets=self._changes(entry.get("sets", {})),
            keeps=entry.get("keeps", {}),
            run=quoted.statement if quoted else entry.get("run", ""),
            quoted_from=quoted.path if quoted else "",
            zero_rows=entry.get("zero-rows", ""),
            unfenced=entry.get("unfenced", ""),
            outside=entry.get("outside", ""),
            duplicates=entry.get("duplicates", ""),
            irreversible=entry.get("irreversible", ""),
            undo=model.Undo(undo["when"], self.names.actions.id_of(undo["do"])) if undo else None,
            aliases=many(entry.get("aliases")),
        )

    def _state(self, id: str, entry: Entry) -> model.State:
        reversal = entry.get("reversal", [])
        retention = entry.get("retention")
        return model.State(
            id=id,
            title=entry["title"],
            when=self._patterns(entry["when"]),
            short=entry.get("short", ""),
            means=entry.get("means", ""),
            owner=self._owner(entry.get("owner")),
            permitted=tuple(self._permissions(entry.get("permitted", {}))),
            forbidden=tuple(
                model.Prohibition(self._action_of(action), because or "")
                for action, because in entry.get("forbidden", {}).items()
            ),
            reversals=() if isinstance(reversal, dict) else tuple(self._reversal(way) for way in reversal),
            irreversible=reversal["none"] if isinstance(reversal, dict) else "",
            retention=model.Retention(**retention) if retention else None,
            terminal=entry.get("terminal", False),
            aliases=many(entry.get("aliases")),
        )

    def _permissions(self, entries: Entry) -> Iterator[model.Permission]:
        for action, targets in entries.items():
            yield model.Permission(self._action_of(action), self._targets(targets))

    def _reversal(self, entry: Entry) -> model.Reversal:
        return model.Reversal(entry.get("when", ""), self._action_of(entry["do"]), entry.get("until", ""))

    def _failure(self, id: str, entry: Entry) -> model.Failure:
        outcomes = entry.get("outcome", {}).items()
        return model.Failure(
            id=id,
            title=entry["title"],
            notice=entry.get("notice", ""),
            outcomes=tuple(self._outcome(self.names.states.id_of(state), outcome) for state, outcome in outcomes),
            otherwise=entry.get("otherwise", ""),
            aliases=many(entry.get("aliases")),
        )

    def _outcome(self, state: str, entry: Entry) -> model.Outcome:
        return model.Outcome(
            state,
            self._targets(entry["to"]),
            entry.get("then", ""),
            self._patterns(entry.get("requires")),
            self._changes(entry.get("sets", {})),
        )

    def _patterns(self, data: Any) -> tuple[model.Pattern, ...]:
        if data is None:
            return ()
        return tuple(self._pattern(one) for one in (data if isinstance(data, list) else [data]))

    def _pattern(self, entry: Entry) -> model.Pattern:
        observation = self.names.observations.id_of
        return model.Pattern({observation(name): many(allowed) for name, allowed in entry.items()})

    def _changes(self, entries: Entry) -> dict[str, model.Change]:
        return {self.names.observations.id_of(name): change(data) for name, data in entries.items()}

    def _targets(self, data: Any) -> tuple[str, ...]:
        return tuple(map(self.names.targets.id_of, many(data)))

    def _action_of(self, name: str) -> model.Action:
        return self.actions[self.names.actions.id_of(name)]

    def _owner(self, name: str | None) -> model.Owner | None:
        """The owner of a name. One that is broken where it is defined goes by its id alone."""
        if name is None:
            return None
        id = self.names.owners.id_of(name)
        return self.owners.get(id) or model.Owner(id, id)


def dialect(entry: Entry) -> model.Dialect:
    """The dialect that a matrix says it is of."""
    facts = {name: data for name, data in entry.items() if name not in ("title", "by")}
    return model.Dialect(entry["title"], entry["by"], **{name: fact(data) for name, data in facts.items()})


def fact(entry: Entry) -> model.Fact:
    """What is said of one question about a dialect."""
    return model.Fact(entry["says"], many(entry.get("see")))


def source(id: str, entry: Entry) -> model.Source:
    """A source of evidence."""
    return model.Source(id, **entry)


def owner(id: str, entry: Entry) -> model.Owner:
    """An owner, from `owners.yml`."""
    return model.Owner(id, entry["title"], entry.get("contact", ""), many(entry.get("aliases")))


def change(data: Any) -> model.Change:
    """What `sets` does to one observation."""
    if isinstance(data, dict):
        return model.Change(by={old: many(new) for old, new in data.items()})
    return model.Change(to=many(data))


def many(data: Any) -> tuple[str, ...]:
    """One text, a list of texts, or nothing, as a tuple."""
    if data is None:
        return ()
    return (data,) if isinstance(data, str) else tuple(data)
