"""Runs the examples of the rules' pages through the real reader and the real checks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import yaml
from rule_examples import BASE, laid_over
from rule_records import laid_on, record_of

from failure_matrix import loader
from failure_matrix.checking import read_and_check
from failure_matrix.checks import Checked
from failure_matrix.evidence.loading import load_suites

RECORD = "matrix/evidence/example.json"
TABLES = "tables: schemas/example.sql\n"

TODAY = date(2026, 12, 1)
"""The day on which the examples are checked."""


@pytest.fixture
def check_yaml(tmp_path: Path) -> Callable[[str], Checked]:
    """Checks a matrix: a whole file where the text has `schema: 1`, else a fragment laid over `base.yml`.

    Where a line such as `# matrix/scenarios/example/race.yml` begins the text, it is another file of the example.
    That of the record is a fragment too, laid over a record in which everything holds.
    """

    def checked(text: str) -> Checked:
        base = BASE.read_text(encoding="utf-8")
        text, files = parted(text)
        whole = re.search(r"^schema: 1$", text, re.MULTILINE)
        matrix, owners = (text, laid_over(base, "")[1]) if whole else laid_over(base, text)
        write(tmp_path, {"matrix/example.yml": matrix, "matrix/owners.yml": owners})
        if files:
            write(tmp_path, {"matrix/schemas/example.sql": BASE.with_suffix(".sql").read_text(encoding="utf-8")})
            write(tmp_path, files)
            record(tmp_path, files.get(RECORD, ""))
        return read_and_check(tmp_path / "matrix", tmp_path, TODAY)[1]

    return checked


def parted(text: str) -> tuple[str, dict[str, str]]:
    """The fragment of the matrix, and the texts of the example's other files by their paths."""
    first, *rest = re.split(r"^# (matrix/.*)\n", text, flags=re.MULTILINE)
    files = dict(zip(rest[::2], rest[1::2], strict=True))
    return (first + TABLES if files else first), files


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def record(root: Path, fragment: str) -> None:
    """Writes the record of the example."""
    [suite] = load_suites(root / "matrix", root, loader.load(root / "matrix", root).project).suites
    whole = laid_on(record_of(suite), yaml.safe_load(fragment) or {})
    write(root, {RECORD: json.dumps(whole)})
