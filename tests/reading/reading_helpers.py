"""What a file reads as, written so that a reader of the tests sees it at a glance."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from failure_matrix.loader import Loaded, load_texts
from failure_matrix.problems import Location, Problem

OWNERS = """\
owners:
  worker: {title: Worker, contact: "#jobs"}
  on-call: {title: On call}
"""


def no_file(path: str) -> str:
    raise FileNotFoundError(2, "No such file or directory", path)


def load_one(text: str | bytes, read: Callable[[str], str] = no_file) -> Loaded:
    """Loads `matrix/jobs.yml` with this text, beside two owners."""
    return load_texts({"matrix/jobs.yml": text, "matrix/owners.yml": OWNERS}, read)


def span(place: Location) -> str:
    start, end = f"{place.line}:{place.column}", f"{place.end_line}:{place.end_column}"
    return f"{start}-{end if place.end_line != place.line else place.end_column}"


def told(problems: Iterable[Problem], text: str = "") -> str:
    """Problems with their spans, and the text of each span where it lies within a line."""
    return "\n".join("\n".join(lines(problem, text)) + "\n" for problem in problems)


def lines(problem: Problem, text: str) -> Iterator[str]:
    place = problem.location
    yield f"{problem.rule} {span(place)} {problem.address}".rstrip()
    if text and place.line == place.end_line:
        yield f"  at:  {text.splitlines()[place.line - 1][place.column - 1 : place.end_column - 1]}"
    yield f"  {problem.message}"
    yield f"  {problem.remedy}"
    for related in problem.related:
        yield f"  see {span(related.location)}: {related.message}"
    if problem.fix:
        yield f"  mend {span(problem.fix.location)}: {problem.fix.replacement}"


def dump(value: Any, indent: str = "") -> Iterator[str]:
    """A value of the model, a line a field, without what is empty; what is referred to goes by its id alone."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.compare}
        yield from dump_entries(fields, indent)
    elif isinstance(value, Mapping):
        yield from dump_entries(value, indent)
    else:
        for item in value:
            if is_leaf(item):
                yield f"{indent}- {leaf(item)}"
            else:
                yield f"{indent}-"
                yield from dump(item, f"{indent}  ")


REFERENCES = ("by", "owner", "action", "do", "source")
"""The fields that hold something that is shown elsewhere."""


def dump_entries(entries: Mapping[str, Any], indent: str) -> Iterator[str]:
    name: str
    value: Any
    for name, value in entries.items():
        if value is None or value is False or (not value and not isinstance(value, int)):
            continue
        if name in REFERENCES and hasattr(value, "id"):
            yield f"{indent}{name}: -> {value.id}"
        elif is_leaf(value):
            yield f"{indent}{name}: {leaf(value)}"
        else:
            yield f"{indent}{name}:"
            yield from dump(value, f"{indent}  ")


def is_leaf(value: Any) -> bool:
    return isinstance(value, str | int | Fraction) or (
        isinstance(value, tuple) and all(isinstance(item, str | int | Fraction) for item in value)
    )


def leaf(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(leaf, value))})"
    return repr(value) if isinstance(value, str) else str(value)
