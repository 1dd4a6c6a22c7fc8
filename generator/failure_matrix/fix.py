"""Mends texts by the edits that problems carry. Only the span of an edit changes; comments and layout stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from failure_matrix.problems import Edit, Problem
from failure_matrix.report.snippet import line_starts


def mended(texts: Mapping[str, str], problems: Iterable[Problem]) -> dict[str, str]:
    """The texts that the problems' fixes change, by their paths, as they are afterwards."""
    edits = {problem.fix for problem in problems if problem.fix is not None}
    paths = sorted({edit.location.path for edit in edits} & texts.keys())
    return {path: edited(texts[path], (edit for edit in edits if edit.location.path == path)) for path in paths}


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text after edits of it. Of two that overlap, the one that begins earlier is made."""
    starts = line_starts(text)
    pieces: list[str] = []
    done = 0
    for edit in apart(edits):
        place = edit.location
        pieces += [text[done : starts[place.line - 1] + place.column - 1], edit.replacement]
        done = starts[place.end_line - 1] + place.end_column - 1
    return "".join([*pieces, text[done:]])


def apart(edits: Iterable[Edit]) -> Iterator[Edit]:
    """The edits from the top, without those that begin within another."""
    end = (0, 0)
    for edit in sorted(edits, key=lambda edit: (edit.location, edit.replacement)):
        place = edit.location
        if (place.line, place.column) >= end:
            yield edit
            end = (place.end_line, place.end_column)
