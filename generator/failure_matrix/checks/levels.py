"""The levels that the settings give to rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from failure_matrix.checks import r103_dangling_reference, r904_unacceptable_rule
from failure_matrix.checks.rule import Rule
from failure_matrix.model import LevelSetting
from failure_matrix.problems import Problem


def at_level(
    problems: Iterable[Problem], levels: Mapping[str, LevelSetting], fixed: frozenset[str]
) -> Iterator[Problem]:
    """The problems at the levels that their rules have by the settings, without the rules that are off.

    `fixed` are the numbers of the rules whose level can't be changed.
    """
    for problem in problems:
        setting = levels.get(problem.rule)
        if setting is None or problem.rule in fixed:
            yield problem
        elif setting.level != "off":
            yield replace(problem, level=setting.level)


def misplaced(settings: Iterable[LevelSetting], rules: Iterable[Rule]) -> Iterator[Problem]:
    """The settings for rules that don't exist, or whose level can't be changed."""
    acceptable = {rule.number: rule.acceptable for rule in rules}
    for setting in settings:
        if setting.rule not in acceptable:
            yield _unknown(setting)
        elif not acceptable[setting.rule]:
            yield r904_unacceptable_rule.problem_of_level(setting)


def _unknown(setting: LevelSetting) -> Problem:
    rule = r103_dangling_reference.RULE
    message = f"there is no rule {setting.rule}"
    remedy = "Mend the number, or delete the entry; the page of the rules lists them all."
    return Problem(rule.number, rule.level, message, setting.location, remedy, address=f"levels.{setting.rule}")
