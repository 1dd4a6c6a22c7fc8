"""`failure-matrix verify` as a user runs it: what it prints, what it writes, and its exit code."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from test_verify import MATRIX, ORDERS, SCENARIO, change

RECORD = "matrix/evidence/ticket.json"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files = {
        "ticket.yml": MATRIX,
        "schemas/ticket.sql": "create table ticket (id int primary key, state text not null)",
        "scenarios/ticket/take.yml": SCENARIO,
        "scenarios/ticket/orders.yml": ORDERS,
        "scenarios/ticket/walk.yml": "subjects: {ticket: [1]}\n",
    }
    for name, text in files.items():
        path = tmp_path / "matrix" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def verify(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "failure_matrix", "verify", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, encoding="utf-8", check=False)


def test_it_says_what_it_runs_and_what_held_and_records_it(project: Path) -> None:
    done = verify(project)
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == f"Recorded in {RECORD}"
    assert "ticket: take\n" in done.stderr
    assert "ticket: 2 of 2 scenarios hold, 3 orders were run, the walk tried" in done.stdout
    again = verify(project, "--check")
    assert (again.returncode, again.stderr.count("@@")) == (0, 0)


def test_a_failing_scenario_is_quoted_at_its_step_and_nothing_is_recorded(project: Path) -> None:
    change(project, "matrix/scenarios/ticket/take.yml", "    count: 0", "    count: 1")
    done = verify(project, "--scenario", "take", "--junit", "junit.xml")
    assert done.returncode == 1
    assert " --> matrix/scenarios/ticket/take.yml:9:5" in done.stdout
    assert "Step 2 (b): expected 1 row; came 0 rows." in done.stdout
    assert "9 |   - b: {do: take}" in done.stdout
    assert "Nothing was recorded" in done.stderr
    assert not (project / RECORD).exists()
    [suite] = ET.parse(project / "junit.xml").getroot()
    assert (suite.get("name"), suite.get("failures")) == ("ticket", "1")
    [failed] = suite.iter("failure")
    assert failed.get("type") == "602"
    assert failed.text is not None
    assert failed.text.splitlines()[0] == f"matrix/scenarios/ticket/take.yml:9:5: {failed.get('message')}"


def test_failures_are_recorded_only_where_they_are_accepted(project: Path) -> None:
    change(project, "matrix/scenarios/ticket/take.yml", "    count: 0", "    count: 1")
    done = verify(project, "--accept-failures")
    assert done.returncode == 0
    record = json.loads((project / RECORD).read_text(encoding="utf-8"))
    assert (record["holds"], record["scenarios"]["take"]["holds"]) == (False, False)


def test_a_change_since_the_record_fails_the_check_and_shows_the_difference(project: Path) -> None:
    assert verify(project).returncode == 0
    before = (project / RECORD).read_bytes()
    change(project, "matrix/scenarios/ticket/take.yml", "ticket: 1, is: taken", "ticket: 1, is:   taken")
    change(project, "matrix/ticket.yml", "set state = 'waiting' where", "set  state = 'waiting' where")
    done = verify(project, "--check")
    assert done.returncode == 1
    assert '-   "digest": "' in done.stderr
    assert (project / RECORD).read_bytes() == before


def test_parts_of_the_work_add_up(project: Path) -> None:
    assert verify(project).returncode == 0
    for part in ("1", "2"):
        assert verify(project, "--shard", f"{part}/2", "--json", "--output", f"{part}.json").returncode == 0
    assert verify(project, "--join", "2.json", "--join", "1.json", "--check").returncode == 0
    missing = verify(project, "--join", "1.json")
    assert missing.returncode == 2
    assert "not all parts of one run" in missing.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--scenario", "tkae"], 2, "there is no scenario 'tkae'; did you mean 'take'?"),
        (["--matrix", "tickets"], 2, "there is no matrix with tables or scenarios 'tickets'; did you mean 'ticket'?"),
        (["--shard", "3/2"], 2, "--shard is '3/2'; such as 2/3 is expected"),
        (["--versions", "18", "--dsn", "x"], 2, "not allowed with"),
        (["--versions", "9"], 3, "No PostgreSQL 9 was found."),
        (["--dsn", "host=/nowhere/at/all"], 3, "/nowhere/at/all"),
        (["nowhere"], 3, "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(project: Path, arguments: list[str], code: int, said: str) -> None:
    done = verify(project, *arguments)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr
    assert not (project / RECORD).exists()
