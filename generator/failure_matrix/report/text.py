"""Problems for people at a terminal: place, line, mark, remedy, rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from failure_matrix.problems import Location, Problem
from failure_matrix.report.contents import Report
from failure_matrix.report.snippet import lines_of, marked, visible

WIDTH = 120
"""How many cells of a quoted line are shown."""

Paint = Callable[[str, str], str]
"""Gives a text the look of a style."""

STYLES: Mapping[str, str] = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "related": "1;34",
    "frame": "1;34",
    "strong": "1",
}
"""What each style is in the language of terminals (ECMA-48, select graphic rendition)."""


def plain(text: str, _: str) -> str:
    """The text without colour."""
    return text


def coloured(text: str, style: str) -> str:
    """The text in the colour of its style."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if text else ""


def as_text(report: Report, *, colour: bool = False) -> str:
    """The report for a terminal, the last line a summary. `colour` says whether it may have escape sequences."""
    paint = coloured if colour else plain
    lines = quoted_lines(report)
    blocks = ["\n".join(Block(problem, report, paint, lines).text()) + "\n" for problem in report.problems]
    return "\n".join([*blocks, summary_line(report, paint) + "\n"])


def quoted_lines(report: Report) -> dict[str, Sequence[str]]:
    """The lines of each file that a problem is about."""
    locations = [problem.location for problem in report.problems]
    locations += [related.location for problem in report.problems for related in problem.related]
    return {path: lines_of(report.texts[path]) for path in {each.path for each in locations} if path in report.texts}


def summary_line(report: Report, paint: Paint) -> str:
    """The last line, in the colour of the worst level."""
    return paint(report.summary(), report.problems[0].level if report.problems else "strong")


@dataclass(frozen=True, slots=True)
class Block:
    """What is printed for one problem. `lines` holds the lines of the files that may be quoted."""

    problem: Problem
    report: Report
    paint: Paint
    lines: Mapping[str, Sequence[str]]

    def text(self) -> Iterator[str]:
        """What is wrong, where, what other places it has to do with, what to do, and where the rule is explained."""
        problem = self.problem
        title = self.paint(f"{problem.level}[{self.report.rule_title(problem.rule)}]", problem.level)
        yield title + self.paint(f": {visible(problem.sentence)}", "strong")
        if problem.location.path:
            yield from self.place(problem.location, "^", problem.level)
        for related in problem.related:
            yield from self.place(related.location, "-", "related", visible(related.message))
        if problem.remedy:
            yield from self.footer("help", problem.remedy)
        yield from self.footer("rule", self.explanation())

    def place(self, location: Location, mark: str, style: str, label: str = "") -> Iterator[str]:
        """A location and its line, marked and labelled. The label alone where the line isn't known."""
        bar = f"{self.margin} {self.paint('|', 'frame')}"
        yield f"{self.margin}{self.paint('-->', 'frame')} {visible(str(location))}"
        shown = marked(self.lines.get(location.path, ()), location, mark, WIDTH)
        if shown is None and not label:
            return
        yield bar
        if shown is None:
            yield f"{bar} {self.paint(label, style)}"
        else:
            number = self.paint(f"{location.line:>{len(self.margin)}} |", "frame")
            yield f"{number} {shown.line}".rstrip()
            yield f"{bar} {' ' * shown.indent}{self.paint(f'{shown.marks} {label}'.rstrip(), style)}"
        yield bar

    def footer(self, name: str, content: str) -> Iterator[str]:
        """A note at the end. Its further lines stand under its first, within the frame."""
        first, *others = content.rstrip("\n").split("\n")
        yield f"{self.margin} {self.paint('=', 'frame')} {self.paint(name, 'strong')}: {visible(first)}"
        for line in others:
            yield f"{self.margin} {self.paint('|', 'frame')} {' ' * len(name)}  {visible(line)}".rstrip()

    def explanation(self) -> str:
        """Where a reader finds out why the rule exists: its page, or the command that prints it."""
        rule = self.problem.rule
        return self.report.rule_address(rule) or f"failure-matrix check --explain {rule}"

    @property
    def margin(self) -> str:
        """As wide as the widest of the line numbers."""
        locations = (self.problem.location, *(related.location for related in self.problem.related))
        return " " * max(len(str(location.line)) for location in locations)
