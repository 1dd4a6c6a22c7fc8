"""Statements as text: parameters filled in, several told apart, values read back.

Statements are sent with literal values in them, so that what the record shows is what ran.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

Scalar = str | int | bool | None
Parameter = Scalar | list[Scalar]

TOKEN = re.compile(
    r"""(?P<skip> '(?:[^']|'')*' | "[^"]*" | --[^\n]* | /\*.*?\*/ | (?P<tag>\$\w*\$).*?(?P=tag) )
      | %\((?P<name>\w+)\)s | (?P<end>;)""",
    re.VERBOSE | re.DOTALL,
)
"""What can't hold a parameter or the end of a statement; a parameter; the end of a statement."""

PATH_PARAMETER = re.compile(r"\{(\w+)\}")

FALSE_CLOCKS = re.compile(r"\b(current_timestamp|current_time|current_date|localtimestamp|localtime)\b", re.IGNORECASE)
"""Keywords that read the real clock, whatever the settable one says: no function can take their place."""


class MissingParameter(Exception):
    """A statement or a path names a parameter that was given no value."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The parameter `{name}` has no value here.")
        self.name = name


def literal(value: Parameter) -> str:
    """A value as a literal of PostgreSQL."""
    if value is None:
        return "null"
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, list):
        return literal("{" + ",".join(_element(each) for each in value) + "}")
    return "'" + value.replace("'", "''") + "'"


def _element(value: Scalar) -> str:
    if value is None or isinstance(value, bool | int):
        return str("null" if value is None else value).lower()
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def bind(sql: str, values: Mapping[str, Parameter]) -> str:
    """A statement with the values in the places of its parameters. Raises `MissingParameter`."""

    def replace(match: re.Match[str]) -> str:
        name = match["name"]
        return match.group() if name is None else literal(_value(values, name))

    return TOKEN.sub(replace, sql).strip()


def fill(path: str, values: Mapping[str, Parameter]) -> str:
    """A path such as `exports/{job}` with the values in it. Raises `MissingParameter`."""
    return PATH_PARAMETER.sub(lambda match: str(_value(values, match[1])), path)


def _value(values: Mapping[str, Parameter], name: str) -> Parameter:
    if name not in values:
        raise MissingParameter(name)
    return values[name]


def parameters_in(sql: str) -> tuple[str, ...]:
    """The names of a statement's parameters, each once, in order."""
    return tuple(dict.fromkeys(match["name"] for match in TOKEN.finditer(sql) if match["name"]))


def split(sql: str) -> tuple[str, ...]:
    """The statements of a text, without their semicolons."""
    return tuple(filter(None, (part.strip() for part in _parts(sql))))


def _parts(sql: str) -> Iterator[str]:
    start = 0
    for match in TOKEN.finditer(sql):
        if match["end"]:
            yield sql[start : match.start()]
            start = match.end()
    yield sql[start:]


def one_line(sql: str) -> str:
    """A statement on one line, as the record and messages show it. Strings keep their blanks."""
    pieces, start = [], 0
    for match in TOKEN.finditer(sql):
        if match["skip"] and match.group()[0] in "'\"$":
            pieces += [re.sub(r"\s+", " ", sql[start : match.start()]), match.group()]
            start = match.end()
    return "".join([*pieces, re.sub(r"\s+", " ", sql[start:])]).strip()
