"""The ids of a section and their aliases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from failure_matrix.loading.unplaced import Unplaced, mapping, part, parts, texts
from failure_matrix.model import OUTSIDE, Path
from failure_matrix.schema import Broken, Data


@dataclass(frozen=True, slots=True)
class Names:
    """What can be referred to: each id and each alias, with the id that it stands for.

    `known` is None where the section itself is broken: then nothing that refers to it is called dangling. `kind`
    is what messages call one of them, `place` where they are defined.
    """

    kind: str
    known: Mapping[str, str] | None
    place: str

    def has(self, name: str) -> bool:
        """Whether a name may be used, as far as one can tell."""
        return self.known is None or name in self.known

    def id_of(self, name: str) -> str:
        """The id that a name stands for."""
        return self.known[name] if self.known is not None else name


def names(data: Data, section: str, kind: str) -> Names:
    """The names of a section of a file. `kind` is what messages call one of them."""
    entries = part(data, section)
    if isinstance(entries, Broken):
        return Names(kind, None, f"`{section}`")
    defined = entries if isinstance(entries, dict) else {}
    known: dict[str, str] = {}
    for name, entry in defined.items():
        for _, alias in texts(part(entry, "aliases"), ()):
            known.setdefault(alias, name)
    return Names(kind, known | {name: name for name in defined}, f"`{section}`")


def values(data: Data) -> dict[str, Names]:
    """The values of each observation, by the ids and the aliases of the observations."""
    found: dict[str, Names] = {}
    for name, entry in mapping(part(data, "observations")).items():
        answers = part(entry, "values") or part(entry, "ranges")
        known = {value: value for value in answers} if isinstance(answers, dict) else None
        for key in (name, *(alias for _, alias in texts(part(entry, "aliases"), ()))):
            found.setdefault(key, Names(f"value of `{name}`", known, "its values"))
    return found


def clashes(data: Data, *sections: str) -> Iterator[Unplaced]:
    """Aliases that are ids, or that two entries of a section have."""
    for section in sections:
        taken: dict[str, Path] = {name: (section, name) for name in mapping(part(data, section))}
        for path, entry in parts(data, section):
            for place, alias in texts(entry.get("aliases"), (*path, "aliases")):
                first = taken.setdefault(alias, place)
                if first != place:
                    message = f"`{alias}` is an {'id' if alias == first[-1] else 'alias'} already."
                    yield Unplaced("102", place, message, "Delete the alias.", related=("It stands here first.", first))
                elif section == "states" and alias == OUTSIDE:
                    message = f"`{OUTSIDE}` is reserved: it is a target, and no state of its own."
                    yield Unplaced("109", place, message, "Delete the alias.")
