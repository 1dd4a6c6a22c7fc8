"""Each rule's page holds an example that fails and one that is mended: both are run.

What is reported for the failing one is kept in `expected/`, so that a reader sees the messages.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rule_examples import BASE, examples

from failure_matrix.checks import RULES, Checked
from failure_matrix.checks.rule import Rule
from failure_matrix.problems import Problem

CheckYaml = Callable[[str], Checked]

EXPECTED = Path(__file__).with_name("expected")

IN_TEST_BUDGET = "207"
"""The rule whose examples need a smaller budget than the real one."""

by_rule = pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.number != IN_TEST_BUDGET], ids=lambda rule: f"{rule.number}-{rule.name}"
)


def told(problem: Problem) -> str:
    """A problem as a reader would be told it, with its address instead of its line."""
    also = "".join(f"  also at line {there.location.line}: {there.message}\n" for there in problem.related)
    place = problem.address or f"line {problem.location.line}"
    return f"{problem.rule} {problem.level} at {place}\n  {problem.message}\n  {problem.remedy}\n{also}"


def of(rule: Rule, checked: Checked) -> list[Problem]:
    return [problem for problem in checked.problems if problem.rule == rule.number]


def test_the_base_is_sound(check_yaml: CheckYaml) -> None:
    assert check_yaml(BASE.read_text(encoding="utf-8").replace("schema: 1\n", "")).problems == ()


@by_rule
def test_the_failing_example_fails(rule: Rule, check_yaml: CheckYaml, golden: Callable[[str, Path], None]) -> None:
    problems = of(rule, check_yaml(examples(rule.page)[0]))
    assert problems
    golden("".join(map(told, problems)), EXPECTED / f"{rule.number}-{rule.name}.txt")


@by_rule
def test_the_mended_example_is_sound(rule: Rule, check_yaml: CheckYaml) -> None:
    mended = examples(rule.page)[1]
    problems = check_yaml(mended).problems
    assert "schema: 1" in mended or problems == (), "a fragment mends everything"
    assert not any(problem.rule == rule.number for problem in problems)
