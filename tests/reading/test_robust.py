"""Whatever is done to a file, it is read to the end: no traceback, and problems at places that exist.

Lines of whole matrices are deleted, doubled, swapped, moved in and out, cut, retyped, and words exchanged. The
nightly run does it ten thousand times.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reading_helpers import load_one

from failure_matrix.fix import mended
from failure_matrix.problems import Location

HERE = Path(__file__).parent
SOURCES = [
    (HERE / "whole/matrix/whole.yml").read_text(encoding="utf-8"),
    (HERE.parent.parent / "matrix/design-export.yml").read_text(encoding="utf-8"),
    *(path.read_text(encoding="utf-8") for path in sorted((HERE / "cases").glob("*.yml"))),
]
SCRAPS = [
    "",
    "x",
    "[",
    "]",
    "{",
    "}",
    ": ",
    "- ",
    "? ",
    "#",
    "'",
    '"',
    "|",
    ">",
    "&a ",
    "*a",
    "!x ",
    "<<: ",
    "\t",
    "\0",
]
SCRAPS += [
    "---",
    "\u2028",
    "\ufeff",
    "中",
    "🏃",
    "~",
    "null",
    "true",
    "1",
    "%(x)s",
    "{x}",
    "\\",
    ",",
    "\r",
    "@",
    "\ud800",
]


def cut(lines: list[str], rng: random.Random) -> None:
    del lines[rng.randrange(len(lines)) :]


def delete(lines: list[str], rng: random.Random) -> None:
    del lines[rng.randrange(len(lines))]


def double(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    lines.insert(rng.choice([at, rng.randrange(len(lines))]), lines[at])


def swap(lines: list[str], rng: random.Random) -> None:
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def indent(lines: list[str], rng: random.Random) -> None:
    start = rng.randrange(len(lines))
    for at in range(start, min(len(lines), start + rng.randrange(1, 12))):
        lines[at] = rng.choice(["  ", " ", "\t"]) + lines[at] if rng.random() < 0.8 else lines[at].removeprefix("  ")


def retype(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    start = rng.randrange(len(lines[at]) + 1)
    lines[at] = lines[at][:start] + rng.choice(SCRAPS) + lines[at][start + rng.randrange(3) :]


def revalue(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    key, colon, _ = lines[at].partition(":")
    lines[at] = key + colon + " " + rng.choice(SCRAPS) + rng.choice(["", *SCRAPS])


def exchange(lines: list[str], rng: random.Random) -> None:
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    words = lines[one].split(), lines[other].split()
    if all(words):
        lines[one] = lines[one].replace(rng.choice(words[0]), rng.choice(words[1]), 1)


MUTATIONS = (cut, delete, double, swap, indent, retype, revalue, exchange)


def mutant(source: str, seed: int) -> str:
    """A text after one to four mutations."""
    rng = random.Random(seed)
    lines = source.split("\n")
    for _ in range(rng.randint(1, 4)):
        rng.choice(MUTATIONS)(lines, rng)
        lines = lines or [""]
    return "\n".join(lines)


def check(text: str | bytes) -> None:
    """Reads a text, looks at every place, and mends what can be mended."""
    loaded = load_one(text)
    assert bool(loaded.problems) != bool(loaded.project.matrices)
    read = loaded.project.texts["matrix/jobs.yml"]
    ends = [len(line) + 1 for line in split(read)]
    for problem in loaded.problems:
        assert problem.message
        assert problem.remedy
        related = [each.location for each in problem.related]
        for place in (problem.location, *related, *([problem.fix.location] if problem.fix else [])):
            exists(place, ends)
    mended(loaded.project.texts, loaded.problems)
    for matrix in loaded.project.matrices.values():
        exists(matrix.locate(("states", *matrix.states, "nowhere")), ends)


def split(text: str) -> list[str]:
    for mark in ("\r\n", "\r", "\x85", "\u2028", "\u2029"):
        text = text.replace(mark, "\n")
    return text.split("\n")


def exists(place: Location, ends: list[int]) -> None:
    assert place.path == "matrix/jobs.yml"
    assert (1, 1) <= (place.line, place.column) <= (place.end_line, place.end_column)
    assert place.end_line <= len(ends)
    assert place.column <= ends[place.line - 1]
    assert place.end_column <= ends[place.end_line - 1] + 1


@given(seed=st.integers(0, 2**64), index=st.integers(0, len(SOURCES) - 1))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_mutant_is_read_to_the_end(seed: int, index: int) -> None:
    check(mutant(SOURCES[index], seed))


@given(text=st.one_of(st.text(), st.binary(), st.text(alphabet="ab:-?[]{}#&*!|>'\"%@`, \n\t\\0")))
@settings(deadline=None)
def test_any_text_is_read_to_the_end(text: str | bytes) -> None:
    check(text)


@pytest.mark.parametrize("seed", range(150))
def test_fixed_mutants(seed: int) -> None:
    """The same ones at every run, so that a failure is easy to see again."""
    check(mutant(SOURCES[seed % len(SOURCES)], seed))
