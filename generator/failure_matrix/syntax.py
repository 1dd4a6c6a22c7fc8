"""What is wrong with a text before it is a form: its encoding, its characters, its YAML. All of it is rule 100."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml
from yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, NodeEvent

from failure_matrix.problems import Location, Problem

RULE = "100"

BYTE_ORDER_MARK = "\ufeff"

REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that YAML does not allow, and those that nobody sees."""

LINE_BREAK = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")

MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
"""What files in other encodings begin with."""


def unreadable_at(location: Location, message: str, remedy: str) -> Problem:
    """A problem of rule 100."""
    return Problem(RULE, "error", message, location, remedy)


def decode(path: str, raw: bytes | str, limit: int) -> tuple[str, tuple[Problem, ...]]:
    """The text of a file without its byte order mark, and what is wrong with its size or its encoding."""
    if len(raw) > limit:
        message = f"The file has {len(raw):,} bytes; at most {limit:,} are read."
        return "", (unreadable_at(Location(path), message, "Split the matrix into several."),)
    if isinstance(raw, str):
        return raw.removeprefix(BYTE_ORDER_MARK), ()
    encoding = foreign_encoding(raw)
    if encoding:
        message = f"The file is written in {encoding}; UTF-8 is expected."
        return "", (unreadable_at(Location(path), message, "Save the file as UTF-8."),)
    try:
        return raw.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        return raw.decode("utf-8", "replace"), (not_utf8(path, raw, error),)


def foreign_encoding(raw: bytes) -> str:
    """The name of the encoding that a file's first bytes give away, empty for UTF-8 and what looks like it."""
    for mark, name in MARKS:
        if raw.startswith(mark):
            return name
    head = raw[:64]
    return "UTF-16" if len(head) >= 4 and (not any(head[0::2]) or not any(head[1::2])) else ""


def not_utf8(path: str, raw: bytes, error: UnicodeDecodeError) -> Problem:
    """The first byte that is not UTF-8."""
    before = raw[: error.start].decode("utf-8-sig", "replace")
    message = f"The byte 0x{raw[error.start]:02x} is not UTF-8. The file may be written in Latin-1 or Windows-1252."
    return unreadable_at(place_after(path, before), message, "Save the file as UTF-8.")


def place_after(path: str, before: str) -> Location:
    """The place of the character that follows a text from the file's start."""
    lines = LINE_BREAK.split(before)
    line, column = len(lines), len(lines[-1]) + 1
    return Location(path, line, column, line, column + 1)


def refused_characters(path: str, text: str) -> tuple[Problem, ...]:
    """The first character of each kind that may not stand in a file."""
    found: dict[str, int] = {}
    for match in REFUSED.finditer(text):
        found.setdefault(match.group(), match.start())
    return tuple(
        unreadable_at(
            place_after(path, text[:start]),
            f"The character U+{ord(character):04X} may not stand in the file: nobody sees it.",
            "Delete it.",
        )
        for character, start in found.items()
    )


def refused_events(path: str, events: Iterable[Any], depth_limit: int) -> Iterator[Problem]:
    """Anchors and aliases, and the first place that lies too deep. It ends where the YAML is broken."""
    depth = 0
    try:
        for event in events:
            depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
            if depth > depth_limit:
                yield unreadable_at(mark_place(path, event.start_mark), *TOO_DEEP)
                return
            if isinstance(event, NodeEvent) and event.anchor:
                yield anchor_or_alias(path, event)
    except yaml.YAMLError:
        return


def anchor_or_alias(path: str, event: Any) -> Problem:
    """The problem of a value that is named, or that stands for another place's."""
    alias = isinstance(event, AliasEvent)
    word = f"The alias `*{event.anchor}`" if alias else f"The anchor `&{event.anchor}`"
    start = event.start_mark
    line, column, width = start.line + 1, start.column + 1, len(str(event.anchor)) + 1
    message = f"{word} is not read: each value is written where it is meant."
    thing = "Write the value out" if alias else "Delete the anchor"
    remedy = f"{thing}, or put a text that begins with `{'*' if alias else '&'}` into quotes."
    return unreadable_at(Location(path, line, column, line, column + width), message, remedy)


def mark_place(path: str, mark: Any) -> Location:
    """The place of one character."""
    return Location(path, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2)


def not_a_mapping(path: str, root: Any) -> Problem:
    """The problem of a file whose top is no mapping."""
    remedy = "Begin with `schema: 1`, `title:` and the other parts of the form."
    if root is None or not root.value:
        return unreadable_at(Location(path), "The file is empty.", remedy)
    kind = "a list" if isinstance(root.value, list) else "a single text"
    message = f"The file holds {kind}; keys with values (`key: value`) are expected."
    return unreadable_at(mark_place(path, root.start_mark), message, remedy)


Said = tuple[str, str]
"""A message and a remedy."""

TOO_DEEP: Said = ("Lists and mappings lie too deep in each other.", "No part of the form is that deep.")
TAB: Said = ("A tab stands in the indentation; YAML allows spaces only.", "Indent with spaces.")
SECOND_COLON: Said = (
    "A second `: ` stands in this line, or the line is indented further than the one it belongs to.",
    "Put a text that has `: ` in it into quotes, or mend the indentation.",
)
NO_KEY: Said = (
    "The line is neither a key of what stands above nor a part of it.",
    "Mend the indentation, or the quotes of the text before.",
)
NO_ITEM: Said = (
    "The line is neither an item of the list above nor a part of one.",
    "Mend the indentation, or begin the line with `- `.",
)
OPEN_QUOTES: Said = ("The quotes that begin here are not closed.", "Close the quotes.")
OPEN_LIST: Said = ("The list in brackets is not closed.", "Add the comma or the `]`.")
OPEN_MAPPING: Said = ("The mapping in braces is not closed.", "Add the comma or the `}`.")
NO_VALUE: Said = ("A value is missing here.", "Write the value, or close the bracket.")
NO_NAME: Said = ("No text without quotes may begin with `*` or `&`.", "Put the text into quotes.")
TOO_MUCH: Said = ("What stands above is complete, and this belongs to nothing.", "Mend the indentation, or delete it.")
ESCAPE: Said = ("This escape is unknown in double quotes.", "Write `\\\\` for a backslash, or use single quotes.")
DIRECTIVE: Said = ("Lines that begin with `%` are not read.", "Delete the line.")

EXPLAINED: dict[str, Said] = {
    "mapping values are not allowed": SECOND_COLON,
    "did not find expected key": NO_KEY,
    "expected <block end>": NO_KEY,
    "did not find expected '-' indicator": NO_ITEM,
    "could not find expected ':'": ("A key without `: ` behind it.", "Write `key: value`."),
    "found unexpected end of stream": OPEN_QUOTES,
    "found unexpected document": OPEN_QUOTES,
    "did not find expected ',' or ']'": OPEN_LIST,
    "expected ',' or ']'": OPEN_LIST,
    "did not find expected ',' or '}'": OPEN_MAPPING,
    "expected ',' or '}'": OPEN_MAPPING,
    "did not find expected node content": NO_VALUE,
    "expected the node content": NO_VALUE,
    "but found another document": ("A second document begins here.", "Make it a file of its own."),
    "did not find expected alphabetic": NO_NAME,
    "expected alphabetic": NO_NAME,
    "did not find expected <document start>": TOO_MUCH,
    "expected '<document start>'": TOO_MUCH,
    "found unknown escape character": ESCAPE,
    "found invalid Unicode character escape": ESCAPE,
    "found unknown directive": DIRECTIVE,
    "found incompatible YAML document": DIRECTIVE,
    "found a tab character": TAB,
    "exceeded maximum nesting depth": TOO_DEEP,
}
"""How the parsers' messages begin, libyaml's and PyYAML's own, and what is said instead."""


def unreadable(path: str, text: str, error: yaml.YAMLError) -> Problem:
    """What the parser stumbled over, in words that say what to do."""
    mark = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or error)
    if mark is None:
        return unreadable_at(Location(path), f"The file is not YAML: {problem}.", "Mend the YAML.")
    if problem.startswith(AT_BEGINNING) and error.context_mark is not None:  # type: ignore[attr-defined]
        mark = error.context_mark  # type: ignore[attr-defined]
    lines = LINE_BREAK.split(text)
    if mark.line >= len(lines):
        return unreadable_at(place_after(path, text), *explained(problem, ""))
    character = lines[mark.line][mark.column : mark.column + 1]
    return unreadable_at(mark_place(path, mark), *explained(problem, character))


AT_BEGINNING = (
    "found unexpected end of stream",
    "found unexpected document",
    "did not find expected alphabetic",
    "expected alphabetic",
)
"""Messages about something that began earlier, where the mend has to be made."""


def explained(problem: str, character: str) -> Said:
    """A parser's message in words that say what to do. `character` is where it stumbled."""
    if re.match("found character .*that cannot start any token", problem):
        if character == "\t":
            return TAB
        return f"No value may begin with `{character}`.", "Put the text into quotes."
    for beginning, said in EXPLAINED.items():
        if problem.startswith(beginning):
            return said
    return f"The file is not YAML from here on: {problem}.", "Mend the YAML."
