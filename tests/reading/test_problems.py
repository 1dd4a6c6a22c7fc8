"""Each file in `cases/` and every problem in it, in one run. `pytest --rewrite tests/reading` writes them anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from reading_helpers import load_one, told

from failure_matrix.fix import mended

CASES = sorted((Path(__file__).parent / "cases").glob("*.yml"))
Golden = Callable[[str, Path], None]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_every_problem_of_a_file(case: Path, golden: Golden) -> None:
    text = case.read_text(encoding="utf-8")
    loaded = load_one(text)
    assert not loaded.project.matrices
    golden(told(loaded.problems, text), case.with_suffix(".txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_problems_stand_at_places_that_exist(case: Path) -> None:
    text = case.read_text(encoding="utf-8")
    lines = [len(line) for line in text.split("\n")]
    for problem in load_one(text).problems:
        for place in (problem.location, *(related.location for related in problem.related)):
            assert 1 <= place.line <= place.end_line <= len(lines)
            assert 1 <= place.column <= lines[place.line - 1] + 1
            assert (place.end_line, place.end_column) > (place.line, place.column)


def test_a_problem_knows_its_matrix_and_its_file() -> None:
    (problem,) = load_one("- x\n").problems
    assert (problem.location.path, problem.level, problem.matrix) == ("matrix/jobs.yml", "error", "jobs")
    problems = load_one("schema: 1\n").problems
    assert {problem.matrix for problem in problems} == {"jobs"}


def test_mending_a_text_that_a_comma_has_cut_makes_it_whole() -> None:
    text = (Path(__file__).parent / "cases/cut-by-commas.yml").read_text(encoding="utf-8")
    loaded = load_one(text)
    after = mended(loaded.project.texts, loaded.problems)["matrix/jobs.yml"]
    assert re.findall(r"(?:ready|done|title|means): (\".*?\"|'(?:''|[^'])*')[,}]", after) == [
        '"A job, not yet taken, and visible."',
        "'It is \"done\", for good.'",
        '"Go, then, stop"',
        "'Stop'",
        '"Hold, and"',
        '"It isn\'t taken, yet."',
    ]


def test_after_many_wrong_words_no_nearest_one_is_looked_for() -> None:
    """Each takes time, and nobody reads so far before mending. A word that was met before keeps its nearest."""
    sound = "schema: 1\ntitle: T\nobservations: {o: {title: O, values: {v: V}}}\nactions: {go: {title: Go}}\n"
    states = "".join(f"  s{i}: {{title: S, when: {{o: v}}, owner{i:03}: x, ownre: x}}\n" for i in range(1000))
    offered = {
        problem.message: "Did you mean" in problem.remedy for problem in load_one(sound + "states:\n" + states).problems
    }
    assert offered["Unknown key `ownre`."]
    assert (offered["Unknown key `owner000`."], offered["Unknown key `owner900`."]) == (True, False)
    states = "".join(f"  s{i}: {{title: S, when: {{o: v}}, owner: on-cal{i:03}}}\n" for i in range(1000))
    offered = {
        problem.message: "Did you mean" in problem.remedy for problem in load_one(sound + "states:\n" + states).problems
    }
    assert (offered["There is no owner `on-cal000`."], offered["There is no owner `on-cal900`."]) == (True, False)
