"""One mistake, one problem: the reference matrix with a mistake in it, and all that is said of it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from rule_examples import laid_over

from failure_matrix import loader
from failure_matrix.checks import Checked, check

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MATRIX = ROOT / "matrix/design-export.yml"
CASES: list[dict[str, Any]] = yaml.safe_load((HERE / "mistakes.yml").read_text(encoding="utf-8"))


def checked(text: str) -> Checked:
    owners = (ROOT / "matrix/owners.yml").read_text(encoding="utf-8")
    loaded = loader.load_texts({"design-export.yml": text, "owners.yml": owners}, str)
    return check(loaded.project, loaded.problems, date(2026, 12, 1))


def with_mistake(case: dict[str, Any]) -> str:
    text = MATRIX.read_text(encoding="utf-8")
    cut = case.get("cut", "")
    assert cut in text
    text = text.replace(cut, case.get("put", ""), 1) if cut else text
    return laid_over(text, yaml.safe_dump(case.get("lay", {}), allow_unicode=True))[0]


def test_the_reference_has_no_error_and_no_warning() -> None:
    assert {problem.level for problem in checked(with_mistake({})).problems} <= {"note"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_one_mistake_is_one_problem(case: dict[str, Any]) -> None:
    known = {(problem.rule, problem.address) for problem in checked(with_mistake({})).problems}
    found = {(problem.rule, problem.address) for problem in checked(with_mistake(case)).problems}
    assert sorted(found - known) == sorted(case["problems"].items())
