"""Files that are no matrix at all: each gets its sentence, none a traceback, none takes long."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reading_helpers import load_one, span

from failure_matrix import source

EXPECTED = Path(__file__).parent / "expected"
Golden = Callable[[str, Path], None]

SOUND = """\
schema: 1
title: T
observations:
  job: {title: J, values: {ready: r, done: d}}
actions:
  go: {title: Go}
states:
  ready: {title: R, when: {job: ready}}
"""

UNREADABLE: dict[str, str | bytes] = {
    "empty": "",
    "nothing but a comment": "# later\n",
    "nothing but document marks": "---\n...\n",
    "a list": "- a\n",
    "a text": "hello\n",
    "UTF-16 with its mark": SOUND.encode("utf-16"),
    "UTF-16 without its mark": SOUND.encode("utf-16-be"),
    "UTF-32": SOUND.encode("utf-32"),
    "Latin-1": SOUND.replace("title: T", "title: Tür").encode("latin-1"),
    "half a character at the end": SOUND.encode() + "ü".encode()[:1],
    "a character NUL": SOUND.replace("title: T", "title: T\0T"),
    "an escape sequence and a bell": SOUND + "summary: \x1b[31mred\x07\x07\n",
    "a byte order mark in the middle": SOUND + "summary: a\ufeffb\n",
    "a tab before a key": SOUND.replace("  ready: {title", "\tready: {title"),
    "a tab in a list": SOUND + "path:\n  - go\n\t- go\n",
    "two documents": SOUND + "---\n" + SOUND,
    "text after the end": SOUND + "...\nmore\n",
    "an anchor": SOUND.replace("title: Go", "title: &go Go"),
    "an alias": SOUND + "summary: &s x\nsubject: *s\n",
    "a text that begins with an asterisk": SOUND + "summary: *not* this\n",
    "aliases that explode": "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdef", "bcdefg", strict=True)),
    "an alias of itself": "a: &a [*a]\n",
    "brackets without end": "a: " + "[" * 100_000,
    "braces without end": "a: " + "{a: " * 100_000,
    "lists in lists": "- " * 50_000 + "x\n",
    "mappings in mappings": "".join(" " * depth + "a:\n" for depth in range(500)),
    "quotes not closed": SOUND + "summary: 'never\n",
    "a list not closed": SOUND + "path: [go, go\n",
    "a mapping not closed": SOUND + "start: {go: ready\nsummary: x\n",
    "a bracket too much": SOUND + "start: {go: ready}}\n",
    "a second colon": SOUND + "summary: first: second\n",
    "a line between two indentations": SOUND + "clock:\n    source: x\n  because: y\n",
    "a key without colon": SOUND + "summary\n",
    "a text without quotes that needs them": SOUND + "summary: @home\n",
    "a percent sign": SOUND + "summary: %done\n",
    "an unknown escape": SOUND + 'summary: "\\q"\n',
    "a directive": "%FUTURE x\n---\n" + SOUND,
}


def told(text: str | bytes) -> str:
    loaded = load_one(text)
    assert not loaded.project.matrices
    assert loaded.problems
    return "".join(f"  {span(p.location)} {p.rule} {p.message} {p.remedy}\n" for p in loaded.problems)


def test_each_gets_its_sentence(golden: Golden) -> None:
    golden("\n".join(f"{name}\n{told(text)}" for name, text in UNREADABLE.items()), EXPECTED / "unreadable.txt")


DIFFERENT = {
    "brackets without end": "libyaml itself stops, after looking ahead",
    "braces without end": "libyaml itself stops, after looking ahead",
    "an unknown escape": "libyaml points to the backslash, PyYAML to the letter",
    "a directive": "PyYAML's own parser reads over it",
    "a list not closed": "PyYAML says what follows, libyaml what is missing",
}
"""Where the parser in Python says it at another place, or not at all."""


@pytest.mark.parametrize("name", sorted(UNREADABLE.keys() - DIFFERENT.keys()))
def test_it_is_the_same_without_libyaml(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_libyaml = told(UNREADABLE[name])
    monkeypatch.setattr(source, "LOADER", source.PureLoader)
    assert told(UNREADABLE[name]) == with_libyaml


@pytest.mark.parametrize(
    "text",
    [
        SOUND,
        "\ufeff" + SOUND,
        b"\xef\xbb\xbf" + SOUND.encode(),
        SOUND.replace("\n", "\r\n"),
        SOUND.replace("\n", "\r"),
        "---\n" + SOUND + "...\n",
        SOUND.replace("title: T", "title: !!str T"),
        SOUND.replace("title: T", "'title': \"T\""),
        SOUND.replace("title: T", "title: |\n  T & *T* are & *fine here"),
        SOUND + "summary: " + "x" * 1_000_000 + "\n",
    ],
    ids=["plain", "mark", "marked bytes", "CRLF", "CR", "document", "tag", "quotes", "asterisks", "long line"],
)
def test_what_is_fine(text: str | bytes) -> None:
    loaded = load_one(text)
    assert loaded.problems == ()
    assert loaded.project.matrices["jobs"].title[0] == "T"


def test_a_file_past_the_limit_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "SIZE_LIMIT", 100)
    (problem,) = load_one(SOUND + "#" * 100).problems
    assert problem.message == f"The file has {len(SOUND) + 100} bytes; at most 100 are read."


def test_columns_do_not_count_the_byte_order_mark() -> None:
    (problem,) = load_one("\ufefftitel: x\n" + SOUND.replace("title: T\n", "")).problems
    assert span(problem.location) == "1:1-6"
