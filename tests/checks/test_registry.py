"""The registry is a visible tuple, in order, and each rule's page reads alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from failure_matrix import checks
from failure_matrix.checks import RULES
from failure_matrix.checks.rule import Rule

FOLDER = Path(checks.__file__).parent

each = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.number)


def test_rules_stand_in_the_order_of_their_numbers() -> None:
    numbers = [rule.number for rule in RULES]
    assert numbers == sorted(set(numbers))


def test_no_two_rules_have_a_name() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_no_module_is_forgotten() -> None:
    modules = {path.stem for path in FOLDER.glob("r[0-9]*.py")}
    assert modules == {f"r{rule.number}_{rule.name.replace('-', '_')}" for rule in RULES}


@each
def test_a_page_begins_with_a_sentence(rule: Rule) -> None:
    first, blank, *_ = rule.page.splitlines()
    assert first.endswith(".")
    assert blank == ""


def test_what_cannot_be_accepted_is_what_makes_a_page_wrong() -> None:
    fixed = {rule.number for rule in RULES if not rule.acceptable}
    assert (
        {"102", "103", "105", "201", "202"}
        <= fixed
        <= {"102", "103", "105", "201", "202", "602", "603"}
        | {
            "901",
            "902",
            "903",
            "904",
        }
    )
