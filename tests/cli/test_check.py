"""`failure-matrix check`: what it prints, where, in which colours, and how it ends."""

from __future__ import annotations

import io
import json
import os
import pty
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_command import COMMAND, FOLDERS, plain, run

from failure_matrix.commands.output import wants_colour

EXPECTED = Path(__file__).parent / "expected"

Golden = Callable[[str, Path], None]


def test_problems_are_printed_and_the_exit_code_says_so(golden: Golden) -> None:
    done = run("check", cwd=FOLDERS / "broken")
    golden(done.stdout, EXPECTED / "broken.txt")
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    ("form", "beginning"),
    [
        ("json", '{\n  "version": 1,\n'),
        ("github", "::error title=202 overlap,file=matrix/job.yml,line="),
        ("gitlab", '[\n  {\n    "check_name": "202 overlap",\n'),
    ],
)
def test_programs_get_a_form_of_their_own(form: str, beginning: str) -> None:
    done = run("check", "--format", form, cwd=FOLDERS / "broken")
    assert done.stdout.startswith(beginning)
    assert (done.returncode, done.stderr) == (1, "")


def test_sarif_has_all_problems_and_all_rules() -> None:
    done = run("check", "--format", "sarif", cwd=FOLDERS / "broken")
    only_run = json.loads(done.stdout)["runs"][0]
    assert {result["ruleId"] for result in only_run["results"]} == {"202", "506"}
    assert len(only_run["tool"]["driver"]["rules"]) > 50
    assert done.returncode == 1


def test_a_sound_matrix_has_no_problem(tmp_path: Path) -> None:
    shutil.copytree(FOLDERS / "warned", tmp_path, dirs_exist_ok=True)
    with (tmp_path / "matrix/job.yml").open("a", encoding="utf-8") as matrix:
        matrix.write("completion: {owner: workers, criteria: [The row is done.]}\n")
    done = run("check", "--strict", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "No problems in 1 matrix.\n", "")


def test_warnings_fail_when_they_are_meant_to() -> None:
    assert run("check", cwd=FOLDERS / "warned").returncode == 0
    done = run("check", "--strict", cwd=FOLDERS / "warned")
    assert done.stdout.endswith("\n1 warning in 1 file.\n")
    assert done.returncode == 1


def test_one_rule_alone_by_number_or_name() -> None:
    by_number = run("check", "--rule", "202", cwd=FOLDERS / "broken")
    by_name = run("check", "--rule", "overlap", cwd=FOLDERS / "broken")
    assert by_number.stdout == by_name.stdout
    assert by_number.stdout.endswith("\n1 error in 1 file.\n")
    assert run("check", "--rule", "401", cwd=FOLDERS / "broken").returncode == 0


def test_a_rule_that_does_not_exist_gets_the_nearest_name() -> None:
    done = run("check", "--rule", "overlop", cwd=FOLDERS / "broken")
    assert done.returncode == 2
    assert "no rule is called 'overlop'; did you mean 'overlap'?" in done.stderr


def test_a_rule_is_explained_by_number_or_name(tmp_path: Path) -> None:
    done = run("check", "--explain", "202", cwd=tmp_path)
    assert done.stdout.startswith("# 202 overlap (error)\n\n")
    assert done.stdout == run("check", "--explain", "overlap", cwd=tmp_path).stdout
    assert done.returncode == 0


def test_the_report_goes_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "reports" / "check.txt"
    done = run("check", "--output", str(file), cwd=FOLDERS / "broken", FORCE_COLOR="1")
    assert file.read_text(encoding="utf-8") == (EXPECTED / "broken.txt").read_text(encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "2 errors in 1 file.\n")


def test_a_terminal_that_knows_few_characters_gets_escapes() -> None:
    done = run("check", cwd=FOLDERS / "broken", PYTHONIOENCODING="ascii")
    assert "The states \\u201cleased\\u201d and" in done.stdout
    assert (done.returncode, done.stderr) == (1, "")


def test_what_stops_it_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for arguments in (["nowhere"], [str(FOLDERS / "broken/matrix"), "--output", "file/report.txt"]):
        done = run("check", *arguments, cwd=tmp_path)
        assert done.returncode == 3
        assert done.stdout == ""
        assert done.stderr.startswith("failure-matrix: ")
        assert done.stderr.count("\n") == 1


def test_the_day_can_be_set_so_that_a_run_can_be_repeated(tmp_path: Path) -> None:
    shutil.copytree(FOLDERS / "warned", tmp_path, dirs_exist_ok=True)
    with (tmp_path / "matrix/job.yml").open("a", encoding="utf-8") as matrix:
        matrix.write("accept: [{rule: '410', at: completion, because: It is being agreed on., until: 2001-09-09}]\n")
    until, after, never = (
        run("check", cwd=tmp_path, SOURCE_DATE_EPOCH=epoch) for epoch in ("1000000000", "1000080000", "x")
    )
    assert until.stdout == "No problems in 1 matrix, 1 accepted.\n"
    assert "error[903 " in after.stdout
    assert never.stderr == "failure-matrix: SOURCE_DATE_EPOCH is `x`; seconds since 1970 are expected.\n"


def test_paths_are_relative_to_where_one_stands_or_to_the_project(tmp_path: Path) -> None:
    assert " --> broken/matrix/job.yml:" in run("check", "broken/matrix", cwd=FOLDERS).stdout
    assert " --> matrix/job.yml:" in run("check", str(FOLDERS / "broken/matrix"), cwd=tmp_path).stdout


def test_colour_where_it_is_wanted() -> None:
    coloured = run("check", cwd=FOLDERS / "broken", FORCE_COLOR="1")
    assert coloured.stdout.startswith("\x1b[1;31merror[202 overlap]\x1b[0m")
    assert "\x1b" not in run("check", "--color", "never", cwd=FOLDERS / "broken", FORCE_COLOR="1").stdout


@pytest.mark.parametrize(
    ("choice", "environment", "coloured"),
    [
        ("auto", {}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": ""}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_who_decides_about_colour(choice: str, environment: dict[str, str], coloured: bool) -> None:
    assert wants_colour(choice, io.StringIO(), environment) is coloured


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_on_a_terminal(environment: dict[str, str], coloured: bool) -> None:
    ours, theirs = pty.openpty()
    environment = plain({"TERM": "xterm", **environment})
    with subprocess.Popen([*COMMAND, "check"], cwd=FOLDERS / "broken", env=environment, stdout=theirs) as process:
        os.close(theirs)
        assert (b"\x1b[" in all_of(ours)) is coloured
    assert process.returncode == 1


def all_of(terminal: int) -> bytes:
    """Everything that is printed to a terminal until nobody prints any more."""
    read = b""
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # Linux says so, rather than that it is empty
            chunk = b""
        if not chunk:
            return read
        read += chunk


def test_a_reader_that_stops_reading_is_no_problem() -> None:
    with writing_much() as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        assert (process.wait(), said(process)) == (141, b"")


def test_an_interruption_is_quiet() -> None:
    with writing_much() as process:
        assert process.stdout is not None
        process.stdout.read(1)  # it is writing now, and waits for somebody to read on
        process.send_signal(signal.SIGINT)
        assert (process.wait(), said(process)) == (130, b"")


def writing_much() -> subprocess.Popen[bytes]:
    """A command that prints more than a pipe holds, and hears of interruptions even in a shell's background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    command = [*COMMAND, "check", "--format", "sarif"]
    return subprocess.Popen(
        command,
        cwd=FOLDERS / "broken",
        env=plain({}),
        bufsize=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def said(process: subprocess.Popen[bytes]) -> bytes:
    """What a process that has ended said on standard error."""
    assert process.stderr is not None
    return process.stderr.read()


@pytest.mark.parametrize(
    ("configuration", "address"),
    [
        ("site_url: https://example.org/matrices", "https://example.org/matrices/rules/506/"),
        ("site_url: !ENV SITE", "failure-matrix check --explain 506"),
        ("? [site_url]\n: https://example.org", "failure-matrix check --explain 506"),
        ("site_url: [", "failure-matrix check --explain 506"),
        ("site_url: https://example.org\nuse_directory_urls: false", "failure-matrix check --explain 506"),
    ],
)
def test_a_rule_s_page_is_on_the_published_site(configuration: str, address: str, tmp_path: Path) -> None:
    shutil.copytree(FOLDERS / "broken", tmp_path, dirs_exist_ok=True)
    (tmp_path / "mkdocs.yml").write_text(configuration, encoding="utf-8")
    assert run("check", "--rule", "506", cwd=tmp_path).stdout.splitlines()[-3].endswith(f" = rule: {address}")
