"""`diagnose` by what is told: on the command line, and in answer to its questions at a terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_command import COMMAND, plain, run

ROOT = Path(__file__).parents[2]
EXPECTED = Path(__file__).parent / "expected" / "diagnose"

Golden = Callable[[str, Path], None]

CASES = {
    "one-state": (["job=running", "generation=current", "lease=lapsed"], 0),
    "not-distinguished": (["job=running", "lease=unknown"], 4),
    "cannot-be-told-apart": (["job=complete", "generation=current", "candidate=unknown"], 4),
    "impossible": (["job=ready", "writer=open"], 5),
    "outside": (["job=invisible", "writer=none", "candidate=absent"], 5),
    "maybe-outside": (["job=invisible", "writer=none"], 4),
}


def diagnose(*observed: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    told = [part for each in observed for part in ("--observe", each)]
    return run("diagnose", "design-export", *told, *options, cwd=ROOT)


@pytest.mark.parametrize("case", CASES)
def test_what_is_told_gives_a_verdict_and_an_exit_code(case: str, golden: Golden) -> None:
    observed, code = CASES[case]
    done = diagnose(*observed)
    assert done.stderr == ""
    assert done.returncode == code
    golden(done.stdout, EXPECTED / f"{case}.txt")


def test_programs_get_the_same_as_an_object(golden: Golden) -> None:
    done = diagnose("job=running", "lease=unknown", options=("--json",))
    assert done.returncode == 4
    assert json.loads(done.stdout)["verdict"] == "not distinguished"
    golden(done.stdout, EXPECTED / "not-distinguished.json")
    found = json.loads(diagnose("job=cancelled", "candidate=absent", options=("--json",)).stdout)
    assert found["verdict"] == "not distinguished"
    assert [each["id"] for each in found["states"]] == ["taken-over", "cancelled"]


def test_nothing_told_is_no_state_and_the_first_question() -> None:
    done = diagnose()
    assert done.returncode == 4
    assert "It is one of 10 states, or not in this matrix." in done.stdout
    assert "Ask next:\n  Job row (job)" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["design-exprt"], "no matrix is called 'design-exprt'; did you mean 'design-export'?"),
        (["design-export", "--observe", "jop=ready"], "no observation is called 'jop'; did you mean 'job'?"),
        (["design-export", "--observe", "job=redy"], "no value of job is called 'redy'; did you mean 'ready'?"),
        (["design-export", "--observe", "writer=42"], "no value of writer is called '42'; known: open, none, unknown"),
        (["design-export", "--observe", "job"], "--observe job: write it as NAME=VALUE"),
        (["design-export", "--observe", "job=ready", "--observe", "job=running"], "--observe names 'job' twice"),
        (["design-export", "--dsn", "dbname=x", "--param", "jobs=1"], "no parameter is called 'jobs'; did you mean"),
        (["design-export", "--dsn", "dbname=x", "--dsn", "dbname=y"], "--dsn names a database twice"),
    ],
)
def test_a_wrong_word_ends_with_2_and_the_nearest_one(arguments: list[str], said: str) -> None:
    done = run("diagnose", *arguments, cwd=ROOT)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_a_matrix_with_errors_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / "matrix").mkdir()
    for name in ("design-export.yml", "owners.yml"):
        text = (ROOT / "matrix" / name).read_text(encoding="utf-8")
        (tmp_path / "matrix" / name).write_text(
            text.replace("when: {job: ready, candidate: absent, age: fresh}", "when: {}")
        )
    done = run("diagnose", "design-export", "--observe", "job=running", cwd=tmp_path)
    assert done.returncode == 1
    assert "overlap" in done.stderr
    assert done.stdout == ""


def test_a_former_id_is_understood(tmp_path: Path) -> None:
    (tmp_path / "matrix").mkdir()
    for name in ("design-export.yml", "owners.yml"):
        text = (ROOT / "matrix" / name).read_text(encoding="utf-8")
        renamed = text.replace("  lease:\n    title: Lease\n", "  lease:\n    title: Lease\n    aliases: term\n")
        (tmp_path / "matrix" / name).write_text(renamed, encoding="utf-8")
    told = ("--observe", "job=running", "--observe", "term=lapsed", "--observe", "generation=current")
    done = run("diagnose", "design-export", *told, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "lease: lapsed" in done.stdout


def test_no_matrix_is_could_not_look(tmp_path: Path) -> None:
    assert run("diagnose", "design-export", cwd=tmp_path).returncode == 3


def at_a_terminal(typed: str) -> tuple[str, int]:
    """What the command prints to a terminal where somebody types, and its exit code."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [*COMMAND, "diagnose", "design-export"], cwd=ROOT, env=plain({}), stdin=theirs, stdout=subprocess.PIPE
    )
    os.close(theirs)
    os.write(ours, typed.encode())
    said, _ = running.communicate(timeout=60)
    os.close(ours)
    return said.decode(), running.returncode


def test_questions_are_asked_one_by_one_until_one_state_is_left() -> None:
    said, code = at_a_terminal("sleeping\nrunning\ncurrent\nlapsed\n")
    assert "One of: invisible, ready, running, complete, cancelled, unknown" in said
    assert said.index("(job)") < said.index("(generation)") < said.index("(lease)")
    assert "(candidate)" not in said
    assert "It is: Lapsed lease (lapsed)" in said
    assert code == 0


def test_an_empty_line_is_an_answer_too() -> None:
    said, code = at_a_terminal("complete\n\ncurrent\n")
    assert "It is one of 2 states." in said
    assert "No other observation can tell these apart." in said
    assert code == 4
