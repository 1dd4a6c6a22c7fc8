"""Reports to print, each with what makes it awkward. Their outputs are in `expected/`."""

from __future__ import annotations

from pathlib import Path

from failure_matrix.checks.acceptance import Accepted
from failure_matrix.checks.rule import Rule
from failure_matrix.model import Acceptance
from failure_matrix.problems import Edit, Level, Location, Problem, Related
from failure_matrix.report import Report

SOURCES = Path(__file__).parent / "sources"

RULES = {
    rule.number: rule
    for rule in (
        Rule("103", "dangling-reference", "error", "A name that nothing has.\n\nWhy: a typing error is silent.\n"),
        Rule("202", "overlap", "error", "Two states cover one combination.\n\nWhy: what may be done is undecided.\n"),
        Rule("401", "no-owner", "error", "A state without an owner.\n"),
        Rule("506", "no-zero-rows", "error", "A conditional write that doesn't say what zero rows mean.\n"),
        Rule("107", "unused-observation", "note", "An observation that no state uses.\n"),
        Rule("410", "no-completion", "warning", "No completion criteria.\n"),
    )
}


def source(name: str) -> str:
    return (SOURCES / name).read_bytes().decode()


def span(path: str, text: str, words: str, occurrence: int = 1) -> Location:
    """The location of words in a text, so that the examples need no counted columns."""
    start = -1
    for _ in range(occurrence):
        start = text.index(words, start + 1)
    before, within = text[:start], text[: start + len(words)]
    return Location(path, *line_and_column(before), *line_and_column(within))


def line_and_column(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def lease() -> Report:
    """An overlap of two places, a typing error with its mend, a warning for a whole file, an accepted problem."""
    text = source("lease.yml")
    path = "matrix/lease.yml"
    typo = span(path, text, "publsh")
    problems = (
        Problem(
            "202",
            "error",
            "Two states cover job=running, lease=lapsed: leased and lapsed.",
            span(path, text, "when: {job: running, lease: [live, lapsed]}"),
            "Take lapsed out of one of the two `when`, such as:\n  when: {job: running, lease: live}",
            (Related("lapsed covers it too", span(path, text, "when: {job: running, lease: lapsed}")),),
            "lease",
            "leased.when",
        ),
        Problem(
            "103",
            "error",
            "No action is called 'publsh'.",
            typo,
            "Did you mean 'publish'?",
            matrix="lease",
            address="leased.permitted.publsh",
            fix=Edit(typo, "publish"),
        ),
        Problem("410", "warning", "Nothing says when it is done.", Location(path), "Add `completion`.", (), "lease"),
    )
    owner = Problem("401", "error", "Nobody owns leased.", span(path, text, "leased"), "", (), "lease", "leased.owner")
    acceptance = Acceptance(0, "401", "leased", "The team is being formed.", "Ada", "2026-12-31")
    return Report(problems, (Accepted(owner, acceptance),), {path: text}, RULES, 1, "https://example.org/matrices/")


def scripts() -> Report:
    """Marks under the right cells after tabs, wide characters, emoji and combining accents."""
    text = source("scripts.yml")
    path = "matrix/中文, 50%.yml"
    places = [span(path, text, "nobody", occurrence) for occurrence in range(1, 6)]
    places.append(span(path, text, "待命人員"))
    problems = tuple(Problem("103", "error", "No such owner.", place) for place in sorted(places))
    return Report(problems, texts={path: text}, rules=RULES, matrices=1)


def hostile() -> Report:
    """Text that would take over a terminal or a build's log, were it printed as it is."""
    text = "a: \x1b[2J\x1b]0;title\x07 \u202egnp.exe\u202c \x00\ufeff\xa0\x9b31m end\r\nb: \ud800 \x85"
    path = "matrix/\x1b[31m::error::x.yml"
    message = "Found '\x1b[31m\n::stop-commands::x\n' and 'a, b: 100%'."
    related = (Related("\x1b[1mhere\n::error::too", span(path, text, "b: \ud800")),)
    problems = (
        Problem("103", "error", message, span(path, text, "end"), "Remove it.\n::warning::\x1b[0m\r\nEnd.", related),
    )
    return Report(problems, texts={path: text}, rules={}, matrices=1)


def long_lines() -> Report:
    """Lines too long to print: the span stays in view, at the start, in the middle, at the end, and when it is long."""
    far = "word " * 60
    text = f"first {far}\n{far}middle {far}\n{far}last\n{far}{{{far}}} {far}\n" + "宽" * 100 + "處" + "宽" * 100
    path = "matrix/long.yml"
    words = ("first", "middle", "last", f"{{{far}}}", "處")
    problems = tuple(Problem("107", "note", f"About {each[:6]}.", span(path, text, each)) for each in words)
    past = Problem("107", "note", "After the end.", Location(path, 5, 900, 5, 901))
    return Report((*problems, past), texts={path: text}, rules=RULES, matrices=1)


def odd_places() -> Report:
    """Spans of several lines, of nothing, past the end of a line and of the file; files without text, and no file."""
    text = "one:\n  - two\n  - three\n"
    path = "matrix/odd.yml"
    places = (
        span(path, text, "two\n  - three"),
        Location(path, 1, 2, 1, 2),
        Location(path, 2, 40, 2, 44),
        Location(path, 4, 1, 4, 1),
        Location(path, 900, 1, 900, 5),
        Location("matrix/binary.yml", 3, 1, 3, 1),
        Location(""),
    )
    related = (Related("the rest is here", Location("matrix/unread.yml", 1000, 1)),)
    problems = tuple(Problem("107", "note", f"Place {n}.", place) for n, place in enumerate(places))
    unread = Problem("107", "note", "Place elsewhere.", span(path, text, "one"), related=related)
    return Report((*problems, unread), texts={path: text}, rules=RULES, matrices=1)


def no_problems() -> Report:
    """Nothing to report."""
    return Report((), rules=RULES, matrices=2)


def one_of_each_level() -> Report:
    """The least of problems, and a rule that is not known."""
    levels: tuple[Level, ...] = ("error", "warning", "note")
    problems = tuple(Problem("999", level, f"This is one: {level}.", Location("matrix/x.yml")) for level in levels)
    return Report(problems, texts={"matrix/x.yml": "schema: 1"}, rules=RULES, matrices=1)


CASES = (lease, scripts, hostile, long_lines, odd_places, no_problems, one_of_each_level)
