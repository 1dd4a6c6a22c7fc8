"""Runs the examples of the rules' pages through the real reader and the real checks."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from rule_examples import BASE, laid_over

from failure_matrix import loader
from failure_matrix.checks import Checked, check

TODAY = date(2026, 12, 1)
"""The day on which the examples are checked."""


@pytest.fixture
def check_yaml(tmp_path: Path) -> Callable[[str], Checked]:
    """Checks a matrix: a whole file where the text has `schema: 1`, else a fragment laid over `base.yml`."""

    def checked(text: str) -> Checked:
        base = BASE.read_text(encoding="utf-8")
        whole = re.search(r"^schema: 1$", text, re.MULTILINE)
        matrix, owners = (text, laid_over(base, "")[1]) if whole else laid_over(base, text)
        folder = tmp_path / "matrix"
        folder.mkdir(exist_ok=True)
        (folder / "example.yml").write_text(matrix, encoding="utf-8")
        (folder / "owners.yml").write_text(owners, encoding="utf-8")
        loaded = loader.load(folder, tmp_path)
        return check(loaded.project, loaded.problems, TODAY)

    return checked
