"""Problems before they have a place, and what the modules of this package ask of data that may be broken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from failure_matrix.addresses import address
from failure_matrix.model import Path
from failure_matrix.problems import Edit, Problem, Related
from failure_matrix.schema import GUESSED, Data
from failure_matrix.source import Document


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A problem at a path of a file; at the last key of the path where `of_key` is set.

    `related` is a second path, whose last key is meant, and what it has to do with the problem. `meant` is the
    word that mends it, where no other can have been meant. `word` is a part of the value's text that is shown
    instead of the whole.
    """

    rule: str
    path: Path
    message: str
    remedy: str
    of_key: bool = False
    related: tuple[str, Path] | None = None
    meant: str = ""
    word: str = ""

    def placed(self, document: Document, matrix: str) -> Problem:
        """The problem at its place in a document."""
        place = document.locate_key(self.path) if self.of_key else document.locate_word(self.path, self.word)
        related: tuple[Related, ...] = ()
        if self.related is not None:
            message, path = self.related
            related = (Related(message, document.locate_key(path)),)
        taken = self.of_key and document.has((*self.path[:-1], self.meant))
        fix = Edit(place, self.meant) if self.meant and not taken else None
        return Problem(self.rule, "error", self.message, place, self.remedy, related, matrix, address(self.path), fix)


def mapping(data: Data) -> Mapping[str, Data]:
    """The entries of a mapping that the author wrote; none where there is no mapping, or a broken one."""
    if not isinstance(data, dict):
        return {}
    if GUESSED in data.values():
        return {key: value for key, value in data.items() if value is not GUESSED}
    return data


def part(data: Data, key: str) -> Data:
    """A mapping's value, None where there is none."""
    return data.get(key) if isinstance(data, dict) else None


def text(data: Data) -> str:
    """A text, empty where there is none."""
    return data if isinstance(data, str) else ""


def parts(data: Data, *sections: str) -> Iterator[tuple[Path, Mapping[str, Data]]]:
    """The entries below a section that are mappings, each with its path."""
    for section in sections:
        for name, entry in mapping(part(data, section)).items():
            if isinstance(entry, dict):
                yield (section, name), entry


def texts(data: Data, path: Path) -> Iterator[tuple[Path, str]]:
    """One text, or the texts of a list, each with its path."""
    if isinstance(data, str):
        yield path, data
    elif isinstance(data, list):
        for index, item in enumerate(data):
            if isinstance(item, str):
                yield (*path, str(index)), item


def one_or_more(data: Data, path: Path) -> Iterator[tuple[Path, Mapping[str, Data]]]:
    """One mapping, or the mappings of a list, each with its path."""
    if isinstance(data, dict):
        yield path, mapping(data)
    elif isinstance(data, list):
        for index, item in enumerate(data):
            if isinstance(item, dict):
                yield (*path, str(index)), mapping(item)
