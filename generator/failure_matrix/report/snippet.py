"""Lines of source as a terminal shows them: every character visible, marks under the right cells.

A terminal shows some characters two cells wide and some not at all, a tab as far as the next stop, and obeys
escape sequences. So a line is first turned into glyphs, one for each character: what is printed, and its width.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from failure_matrix.problems import Location
from failure_matrix.report.contents import end_of
from failure_matrix.syntax import LINE_BREAK

TAB = 4
"""How many cells apart the tab stops are. The line number before it moves them, so tabs are printed as spaces."""

JOINERS = "\u200c\u200d"
"""Invisible, and part of correct text: between letters of Persian, and within emoji."""

IDEOGRAPHIC_SPACE = "\u3000"


class Glyph(NamedTuple):
    """What is printed for a character, and how many cells of the terminal it takes."""

    text: str
    width: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A line to print, and the marks to print under it, after `indent` cells."""

    line: str
    indent: int
    marks: str


def lines_of(text: str) -> list[str]:
    """The lines of a YAML file, without their ends."""
    return LINE_BREAK.split(text)


def line_starts(text: str) -> list[int]:
    """Where in a text each of its lines begins."""
    return [0, *(end.end() for end in LINE_BREAK.finditer(text))]


def visible(text: str) -> str:
    """The text in one line, its control characters as escapes that a reader sees and no terminal obeys."""
    if text.isprintable():
        return text
    return "".join(glyph.text for glyph in glyphs(text.replace("\n", " ").replace("\t", " ")))


def glyphs(text: str) -> list[Glyph]:
    """A glyph for each character of a line."""
    if text.isascii() and text.isprintable():
        return [Glyph(character, 1) for character in text]  # as most lines are, and much faster
    shown: list[Glyph] = []
    column = 0
    for character in text:
        shown.append(glyph(character, column))
        column += shown[-1].width
    return shown


def glyph(character: str, column: int) -> Glyph:
    """What a character looks like when it is printed at a column (counted from 0)."""
    if character == "\t":
        width = TAB - column % TAB
        return Glyph(" " * width, width)
    if character in JOINERS or unicodedata.category(character) in {"Mn", "Me"}:
        return Glyph(character, 0)
    if not character.isprintable() and character != IDEOGRAPHIC_SPACE:
        escape = ascii(character)[1:-1]
        return Glyph(escape, len(escape))
    return Glyph(character, 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1)


def marked(lines: Sequence[str], location: Location, mark: str, width: int) -> Marked | None:
    """The first line of a span with a mark under each of its cells, or None where there is no such line.

    At most `width` cells of the line are shown; a longer one is cut around the span.
    """
    if not 1 <= location.line <= len(lines):
        return None
    shown = glyphs(lines[location.line - 1])
    start = min(location.column - 1, len(shown))
    end_line, end_column = end_of(location)
    end = min(end_column - 1 if end_line == location.line else len(shown), len(shown))
    first, last = window([glyph.width for glyph in shown], start, end, width)
    before = "…" if first else ""
    after = "…" if last < len(shown) else ""
    return Marked(
        before + "".join(glyph.text for glyph in shown[first:last]) + after,
        len(before) + cells(shown[first:start]),
        mark * max(1, cells(shown[start : min(end, last)])),
    )


def cells(shown: Iterable[Glyph]) -> int:
    """How many cells glyphs take."""
    return sum(glyph.width for glyph in shown)


def window(widths: Sequence[int], start: int, end: int, limit: int) -> tuple[int, int]:
    """The part of a line, as two indexes, that has a span in it and takes at most `limit` cells.

    What the span leaves is shared between what stands before it and what follows it.
    """
    upto = [0, *accumulate(widths)]
    if upto[-1] <= limit:
        return 0, len(widths)
    room = max(0, limit - (upto[end] - upto[start]))
    before = min(upto[start], max(room // 2, room - (upto[-1] - upto[end])))
    first = next(index for index in range(start + 1) if upto[start] - upto[index] <= before)
    last = max(index for index in range(start, len(upto)) if upto[index] - upto[first] <= limit)
    return first, last
