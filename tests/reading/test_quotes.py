"""Statements that are quoted from the code that runs them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from test_unreadable import SOUND

from failure_matrix import loader
from failure_matrix.loader import Loaded

CODE = """\
def claim():
    # matrix:claim
    run('''
        select 1
    ''')
    # matrix:claim
    # only one: lonely
    # thrice
    # thrice
    # thrice
    # matrix:empty

    # matrix:empty
    # matrix:asks
    select %(job)s, %(nobody)s
    # matrix:asks
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "matrix").mkdir()
    (root / "src/claim.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "outside.py").write_text(CODE, encoding="utf-8")
    return root


def load(root: Path, file: str, between: str) -> Loaded:
    origin = f"from: {{file: '{file}', between: '{between}'}}"
    text = SOUND.replace("{title: Go}", f"{{title: Go, {origin}}}") + "parameters: {job: The job.}\n"
    (root / "matrix/jobs.yml").write_text(text, encoding="utf-8")
    return loader.load(root / "matrix", root)


def test_a_statement_is_what_stands_between_the_markers(root: Path) -> None:
    loaded = load(root, "../src/claim.py", "matrix:claim")
    action = loaded.project.matrices["jobs"].actions["go"]
    assert action.run == "run('''\n    select 1\n''')"
    assert action.quoted_from == "src/claim.py"
    assert loaded.project.texts["src/claim.py"] == CODE


def test_line_ends_and_marks_of_other_systems(root: Path) -> None:
    (root / "src/claim.py").write_bytes(b"\xef\xbb\xbf" + CODE.replace("\n", "\r\n").encode())
    assert load(root, "../src/claim.py", "matrix:claim").project.matrices["jobs"].actions["go"].run == (
        "run('''\n    select 1\n''')"
    )


@pytest.mark.parametrize(
    ("file", "between", "at", "message"),
    [
        ("../src/claim.py", "gone", "between", "`gone` stands in no line of `src/claim.py`; expected: two lines."),
        ("../src/claim.py", "lonely", "between", "`lonely` stands in one line of `src/claim.py`; expected: two lines."),
        ("../src/claim.py", "thrice", "between", "`thrice` stands in 3 lines of `src/claim.py`; expected: two lines."),
        (
            "../src/claim.py",
            "matrix:empty",
            "between",
            "Nothing stands between the two lines of `src/claim.py` that contain `matrix:empty`.",
        ),
        ("../src/gone.py", "x", "file", "`src/gone.py` can't be read: No such file or directory."),
        ("../src", "x", "file", "`src` can't be read: It is a folder or a device, no file."),
        ("..", "x", "file", "`.` can't be read: It is a folder or a device, no file."),
        ("../src/latin.py", "x", "file", "`src/latin.py` can't be read: it is not written in UTF-8."),
        ("../src/circle.py", "x", "file", "`src/circle.py` can't be read: Too many levels of symbolic links."),
        ("../src/link.py", "matrix:claim", "file", "`src/link.py` can't be read: it does not lie within the project."),
        ("../../outside.py", "matrix:claim", "file", "`../../outside.py` does not lie within the project."),
        ("../..", "matrix:claim", "file", "`../..` does not lie within the project."),
        ("/etc/passwd", "root", "file", "`/etc/passwd` does not lie within the project."),
        ("..\\\\src\\\\claim.py", "x", "file", "`..\\\\src\\\\claim.py` does not lie within the project."),
    ],
)
def test_what_can_not_be_quoted(root: Path, file: str, between: str, at: str, message: str) -> None:
    (root / "src/latin.py").write_bytes("é".encode("latin-1"))
    (root / "src/link.py").symlink_to(root.parent / "outside.py")
    (root / "src/circle.py").symlink_to("circle.py")
    loaded = load(root, file, between)
    (problem,) = loaded.problems
    assert (problem.rule, problem.message, problem.address) == ("103", message, f"actions.go.from.{at}")
    assert problem.remedy
    assert not loaded.project.matrices


def test_parameters_of_a_quoted_statement_have_to_be_declared(root: Path) -> None:
    (problem,) = load(root, "../src/claim.py", "matrix:asks").problems
    assert (problem.rule, problem.message) == ("110", "The parameter `nobody` is not declared.")
    assert problem.address == "actions.go.from.file"


def test_a_pipe_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "src/pipe.py")
    (problem,) = load(root, "../src/pipe.py", "x").problems
    assert "It is a folder or a device" in problem.message
