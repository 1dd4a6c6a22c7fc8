"""`check --fix` mends what can have been meant in one way only, and touches nothing else."""

from __future__ import annotations

import difflib
import shutil
from pathlib import Path

import pytest
from cli_command import FOLDERS, run

from failure_matrix.fix import edited
from failure_matrix.problems import Edit, Location

EXPECTED = Path(__file__).parent / "expected"


@pytest.fixture
def typos(tmp_path: Path) -> Path:
    shutil.copytree(FOLDERS / "typos", tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_typing_errors_are_mended_and_comments_stay(typos: Path) -> None:
    file = typos / "matrix/job.yml"
    before = file.read_text(encoding="utf-8").splitlines()
    done = run("check", "--fix", cwd=typos)
    after = file.read_text(encoding="utf-8").splitlines()
    changed = [line for line in difflib.unified_diff(before, after, n=0, lineterm="") if line[:2] in {"- ", "+ "}]
    assert changed == [
        "-    titel: Leased  # the label",
        "+    title: Leased  # the label",
        "-    permitted: {finihs: done}  # by the holder alone",
        "+    permitted: {finish: done}  # by the holder alone",
        "-    owner: workes",
        "+    owner: workers",
    ]
    assert (done.returncode, done.stdout, done.stderr) == (0, "No problems in 1 matrix.\n", "Mended 3 problems.\n")


def test_one_rule_alone_is_mended(typos: Path) -> None:
    run("check", "--fix", "--rule", "101", cwd=typos)
    text = (typos / "matrix/job.yml").read_text(encoding="utf-8")
    assert "title: Leased  # the label" in text
    assert "owner: workes\n" in text


@pytest.mark.parametrize("written", ["'true'", '"true"', "True", "TRUE"])
def test_what_stands_for_true_becomes_true(written: str, typos: Path) -> None:
    file = typos / "matrix/job.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("terminal: true", f"terminal: {written}  # the end"), encoding="utf-8")
    run("check", "--fix", "--rule", "109", cwd=typos)
    assert file.read_text(encoding="utf-8") == text.replace("terminal: true", "terminal: true  # the end")


def test_line_ends_and_mode_stay(typos: Path) -> None:
    file = typos / "matrix/job.yml"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    file.chmod(0o640)
    run("check", "--fix", cwd=typos)
    content = file.read_bytes()
    assert b"    title: Leased  # the label\r\n" in content
    assert content.startswith(b"\xef\xbb\xbf#")
    assert content.count(b"\n") == content.count(b"\r\n")
    assert file.stat().st_mode & 0o777 == 0o640


def test_nothing_is_written_where_nothing_can_be_mended(tmp_path: Path) -> None:
    shutil.copytree(FOLDERS / "broken", tmp_path, dirs_exist_ok=True)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    done = run("check", "--fix", cwd=tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == times
    assert (done.returncode, done.stderr) == (1, "")


def test_edits_are_made_by_place_whatever_their_order() -> None:
    text = "a: x\r\n中: yy\n\tc: zzz\n"
    edits = [
        Edit(Location("f", 3, 5, 3, 8), "3"),
        Edit(Location("f", 1, 1, 1, 2), "alpha"),
        Edit(Location("f", 2, 4, 2, 6), "2"),
    ]
    assert edited(text, edits) == edited(text, edits[::-1]) == "alpha: x\r\n中: 2\n\tc: 3\n"


def test_of_two_edits_that_overlap_one_is_made() -> None:
    edits = [Edit(Location("f", 1, 1, 1, 5), "whole"), Edit(Location("f", 1, 3, 1, 4), "part")]
    assert edited("abcdef", edits) == "wholeef"


def test_a_mend_that_makes_things_worse_is_not_made(typos: Path) -> None:
    """`finihs` could only mean `finish`. But that stands beside it already."""
    file = typos / "matrix/job.yml"
    text = file.read_text(encoding="utf-8").replace(
        "permitted: {finihs: done}", "permitted: {finish: done, finihs: done}"
    )
    file.write_text(text, encoding="utf-8")
    run("check", "--fix", cwd=typos)
    assert "permitted: {finish: done, finihs: done}" in file.read_text(encoding="utf-8")
