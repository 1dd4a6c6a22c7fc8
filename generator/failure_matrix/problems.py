"""What the checks report: a problem at a location."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "note"]

LEVELS: tuple[Level, ...] = ("error", "warning", "note")
"""All levels, the worst first."""


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A span of text in a file.

    `path` is relative to the project, with forward slashes. Lines and columns count from 1, columns in
    characters; the end is the first character after the span.
    """

    path: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that a problem speaks of, and what it has to do with it."""

    message: str
    location: Location


@dataclass(frozen=True, slots=True)
class Edit:
    """A safe mend: the text of a span is replaced, and nothing around it is touched."""

    location: Location
    replacement: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong, or likely to be, at one place of a file.

    `message` says what was found and what was expected, `remedy` what to do. `address` is the place in the
    matrix (`leased.permitted.publish`), empty where there is none; `matrix` is the matrix's id, empty for a
    file that belongs to all of them. `fix` is set only where one mend alone can be meant.
    """

    rule: str
    level: Level
    message: str
    location: Location
    remedy: str = ""
    related: tuple[Related, ...] = ()
    matrix: str = ""
    address: str = ""
    fix: Edit | None = None

    @property
    def sentence(self) -> str:
        """The message as a sentence of its own, however it begins and ends."""
        end = "" if self.message.endswith((".", "?", "!")) else "."
        return self.message[:1].upper() + self.message[1:] + end

    @property
    def order(self) -> tuple[int, Location, str, str]:
        """The worst first, then by place: a total order, so that output is the same at every run."""
        return LEVELS.index(self.level), self.location, self.rule, self.message


def worst_first(problems: list[Problem] | tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The problems without duplicates, errors first, each level in the order of the files."""
    return tuple(sorted(dict.fromkeys(problems), key=lambda problem: problem.order))


def errors(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The problems that stop a build."""
    return tuple(problem for problem in problems if problem.level == "error")
