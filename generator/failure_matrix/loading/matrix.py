"""One matrix's file to a matrix, or to what is wrong with it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from failure_matrix import model, source, urls
from failure_matrix.loading.build import Builder
from failure_matrix.loading.intervals import EXPECTED, interval
from failure_matrix.loading.references import References
from failure_matrix.loading.shared import Owners
from failure_matrix.loading.statements import ReadText, quote_all, undeclared
from failure_matrix.loading.unplaced import Unplaced, mapping, parts, text
from failure_matrix.problems import Location, Problem
from failure_matrix.schema import Data, shape, walk

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


@dataclass(frozen=True, slots=True)
class Read:
    """What came of a file: its text, the texts of the files that it quotes, a matrix where nothing was wrong."""

    texts: Mapping[str, str]
    problems: tuple[Problem, ...]
    matrix: model.Matrix | None = None


def load_matrix(path: str, raw: bytes | str, owners: Owners, read: ReadText) -> Read:
    """Reads the file of one matrix. `read` gives the text of a file that a statement is quoted from."""
    id = posixpath.splitext(posixpath.basename(path))[0]
    problems = list(bad_name(path, id))
    document, whole, unreadable = source.read(path, raw)
    if document is None:
        return Read({path: whole}, (*problems, *(replace(problem, matrix=id) for problem in unreadable)))
    data, misfits = walk(document, shape("matrix"), id)
    quoted, unquoted = quote_all(data, path, read)
    names = References(data, owners.names)
    later = (*unquoted, *names.problems(), *undeclared(data, quoted, names.parameters), *bad_values(data))
    problems += (*misfits, *(problem.placed(document, id) for problem in later))
    texts = {path: whole, **{quotation.path: quotation.whole for quotation in quoted.values()}}
    if problems:
        return Read(texts, tuple(problems))
    built: Any = data
    return Read(texts, (), Builder(built, names, owners.owners, quoted).matrix(id, path, document.locate))


def bad_name(path: str, id: str) -> Iterator[Problem]:
    """The problem of a file whose name can't be an id."""
    if not ID.match(id):
        message = f"The file's name is the matrix's id, and `{id}` is none: lower-case words joined by hyphens."
        yield Problem("109", "error", message, Location(path), "Rename the file: `design-export.yml`.", matrix=id)
    elif id in urls.TAKEN:
        message = f"`{id}` can't be a matrix's id: the site has a page of that name."
        yield Problem("109", "error", message, Location(path), "Rename the file.", matrix=id)


def bad_values(data: dict[str, Data]) -> Iterator[Unplaced]:
    """Ranges that can't be read, and days that no calendar has."""
    for path, observation in parts(data, "observations"):
        for value, meaning in mapping(observation.get("ranges")).items():
            if isinstance(meaning, str) and interval(meaning) is None:
                message = f"The range `{meaning}` can't be read, or nothing lies in it."
                yield Unplaced("109", (*path, "ranges", value), message, f"Write it as one of these: {EXPECTED}.")
    accepted = data.get("accept")
    for index, entry in enumerate(accepted if isinstance(accepted, list) else ()):
        until = text(mapping(entry).get("until"))
        if until and not is_day(until):
            yield Unplaced("109", ("accept", str(index), "until"), f"There is no day `{until}`.", "Mend the date.")


def is_day(text: str) -> bool:
    """Whether a calendar has the day."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
