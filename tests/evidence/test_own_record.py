"""The record of this project's own matrices: it is what a run gives now, and what another version gives too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from failure_matrix.evidence import binaries
from failure_matrix.evidence.recorded import read_record
from failure_matrix.evidence.shown import known
from failure_matrix.evidence.verifying import Options, stored, verify
from failure_matrix.loader import load

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "matrix"
EVIDENCE = known(FOLDER, ROOT, load(FOLDER, ROOT).project).evidence
BESIDES = {"mutants", "versions"}
"""What is left out on a second version: the conditions take longest, and what misses them is run there anyway."""


def majors() -> list[str]:
    """One version of each major one, in the order in which they are found."""
    return list(dict.fromkeys(each.version().split(".")[0] for each in binaries.installed()))


def test_the_check_passes() -> None:
    command = [sys.executable, "-m", "failure_matrix", "verify", "--check", "--versions", majors()[0]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(len(majors()) < 2, reason="only one version is installed")
def test_another_version_gives_the_same() -> None:
    verified = verify(FOLDER, ROOT, Options(versions=(majors()[1],), with_mutants=False))
    assert [problem.message for problem in verified.problems if problem.level == "error"] == []
    for suite, record in verified.records.items():
        recorded = stored(FOLDER / "evidence" / f"{suite}.json")
        assert record == {name: value for name, value in recorded.items() if name not in BESIDES}


@pytest.mark.parametrize("suite", EVIDENCE)
def test_nothing_of_it_is_stale_or_failed(suite: str) -> None:
    record = read_record((FOLDER / "evidence" / f"{suite}.json").read_text(encoding="utf-8"))
    assert record.holds
    assert EVIDENCE[suite].stale == ()
