"""`failure-matrix schema` prints what the reader reads by."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest
from cli_command import run

from failure_matrix.commands.schema import FORMS


@pytest.mark.parametrize("name", FORMS)
def test_a_schema_is_printed_and_is_one(name: str, tmp_path: Path) -> None:
    done = run("schema", name, cwd=tmp_path)
    assert done.returncode == 0
    jsonschema_rs.meta.validate(json.loads(done.stdout))
    assert run("schema", name, "--output", "schema.json", cwd=tmp_path).stdout == ""
    assert (tmp_path / "schema.json").read_text(encoding="utf-8") == done.stdout


def test_the_matrix_s_schema_comes_first(tmp_path: Path) -> None:
    assert run("schema", cwd=tmp_path).stdout == run("schema", "matrix", cwd=tmp_path).stdout


def test_another_schema_is_refused(tmp_path: Path) -> None:
    assert run("schema", "state", cwd=tmp_path).returncode == 2
