"""The rules of group 5 on spellings and mistakes beyond the examples of their pages: the table in `mechanism.yml`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from failure_matrix.checks import Checked
from failure_matrix.problems import Problem

CheckYaml = Callable[[str], Checked]

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = yaml.safe_load((HERE / "mechanism.yml").read_text(encoding="utf-8"))
SOUND = sorted((HERE / "sound").glob("*.yml"))


def of_group_5(checked: Checked) -> list[Problem]:
    return [problem for problem in checked.problems if problem.rule.startswith("5")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_the_rules_say(case: dict[str, Any], check_yaml: CheckYaml) -> None:
    checked = check_yaml(yaml.safe_dump(case["lay"], allow_unicode=True, sort_keys=False))
    unread = [problem for problem in checked.problems if problem.rule.startswith("1") and problem.level == "error"]
    found = sorted((problem.rule, problem.address) for problem in of_group_5(checked))
    expected = case.get("problems", [])
    assert unread == []
    assert found == sorted((problem["rule"], problem["at"]) for problem in expected)
    for problem in expected:
        told = [one.message for one in of_group_5(checked) if one.rule == problem["rule"]]
        assert any(problem.get("says", "") in message for message in told)


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_sound_matrices_are_left_alone(path: Path, check_yaml: CheckYaml) -> None:
    checked = check_yaml(path.read_text(encoding="utf-8"))
    assert of_group_5(checked) == []
    assert [problem for problem in checked.problems if problem.level == "error"] == []
