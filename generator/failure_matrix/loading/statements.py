"""The statements of a matrix: quoted from the code that runs them, and the parameters that they name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from failure_matrix.loading.names import Names
from failure_matrix.loading.unplaced import Unplaced, parts, text
from failure_matrix.model import Path
from failure_matrix.nearest import listed, nearest
from failure_matrix.schema import Data

ReadText = Callable[[str], str]
"""Gives the text of a file by its path from the project's folder. Raises OSError or ValueError where it can't."""

IN_SQL = re.compile(r"%%|%\((?P<name>[^()\s]*)\)s")
IN_PATH = re.compile(r"\{\{|\}\}|\{(?P<name>[^{}\s]*)\}")

PLACES = (
    ("observations", "sql", IN_SQL),
    ("observations", "digest", IN_SQL),
    ("observations", "file", IN_PATH),
    ("observations", "url", IN_PATH),
    ("actions", "run", IN_SQL),
)
"""Where parameters are named, and how."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A statement that stands in another file: its text, that file's path, and the whole text of the file."""

    statement: str
    path: str
    whole: str


class CannotQuote(Exception):
    """Why a statement can't be quoted: the key to mend (`file` or `between`), a message and a remedy."""

    def __init__(self, key: str, message: str, remedy: str) -> None:
        super().__init__(key, message, remedy)
        self.key, self.message, self.remedy = key, message, remedy


def quote_all(
    data: dict[str, Data], matrix_path: str, read: ReadText
) -> tuple[dict[str, Quoted], tuple[Unplaced, ...]]:
    """The statements that are quoted, by the action's id, and what can't be quoted."""
    quoted: dict[str, Quoted] = {}
    problems: list[Unplaced] = []
    for path, action in parts(data, "actions"):
        origin = action.get("from")
        if not isinstance(origin, dict) or not text(origin.get("file")) or not text(origin.get("between")):
            continue
        try:
            quoted[path[1]] = quote(matrix_path, text(origin["file"]), text(origin["between"]), read)
        except CannotQuote as error:
            problems.append(Unplaced("103", (*path, "from", error.key), error.message, error.remedy))
    return quoted, tuple(problems)


def quote(matrix_path: str, file: str, marker: str, read: ReadText) -> Quoted:
    """The text between the two lines of a file that contain a marker. Raises `CannotQuote`."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(matrix_path), file))
    if posixpath.isabs(file) or path.split("/")[0] == ".." or "\\" in file:
        message = f"`{file}` does not lie within the project."
        raise CannotQuote("file", message, "Name a file of the project, relative to the matrix's folder, with `/`.")
    try:
        whole = read(path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        message = f"`{path}` can't be read: {reason}."
        raise CannotQuote("file", message, "Mend the path; it is relative to the matrix's folder.") from None
    return Quoted(between(path, whole, marker), path, whole)


def between(path: str, whole: str, marker: str) -> str:
    """What stands between the two lines of a text that contain a marker. Raises `CannotQuote`."""
    lines = whole.splitlines()
    marked = [index for index, line in enumerate(lines) if marker in line]
    if len(marked) != 2:
        count = "no line" if not marked else "one line" if len(marked) == 1 else f"{len(marked)} lines"
        message = f"`{marker}` stands in {count} of `{path}`; expected: two lines."
        raise CannotQuote("between", message, "Put the marker into a comment before the statement and one after it.")
    statement = dedented(lines[marked[0] + 1 : marked[1]])
    if not statement:
        message = f"Nothing stands between the two lines of `{path}` that contain `{marker}`."
        raise CannotQuote("between", message, "Put the markers around the statement.")
    return statement


def dedented(lines: list[str]) -> str:
    """The lines without the indentation that they share, and without blank lines around them."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    common = min(indents, default=0)
    return "\n".join(line[common:].rstrip() for line in lines).strip("\n")


def undeclared(data: dict[str, Data], quoted: Mapping[str, Quoted], parameters: Names) -> Iterator[Unplaced]:
    """The parameters that statements and paths name although the matrix doesn't declare them."""
    for section, key, form in PLACES:
        for path, entry in parts(data, section):
            yield from undeclared_in(text(entry.get(key)), form, (*path, key), parameters)
    for action, quotation in quoted.items():
        yield from undeclared_in(quotation.statement, IN_SQL, ("actions", action, "from", "file"), parameters)


def undeclared_in(statement: str, form: re.Pattern[str], path: Path, parameters: Names) -> Iterator[Unplaced]:
    """The parameters of one statement that are not declared, each once."""
    if parameters.known is None:
        return
    named = {match["name"]: match.group() for match in form.finditer(statement) if match["name"] is not None}
    for name, word in named.items():
        if name not in parameters.known:
            message = f"The parameter `{name}` is not declared." if name else f"`{word}` names no parameter."
            yield Unplaced("110", path, message, declaring(name, parameters.known), word=word)


def declaring(name: str, known: Mapping[str, str]) -> str:
    """How an undeclared parameter is mended."""
    near = nearest(name, known)
    declared = f"Declared: {listed(known)}." if known else "No parameter is declared."
    declare = f"Declare it: `parameters: {{{name}: what it is}}`." if name else "Write its name."
    return f"Did you mean `{near}`? {declared}" if near else f"{declare} {declared}"
