"""What `accept` and the levels of `settings.yml` do to problems."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from rule_examples import BASE, laid_over

from failure_matrix import loader
from failure_matrix.checks import Checked, check

CheckYaml = Callable[[str], Checked]

TWO_EXERCISES = """
exercises:
  clock-skew: {title: Move a worker's clock by ten minutes}
  storage: {title: Lose a file}
accept:
  - {rule: "413", at: PLACE, because: Staging is being moved., by: Ada, until: 2026-12-01}
"""


def numbers(checked: Checked) -> list[str]:
    return [problem.rule for problem in checked.problems]


@pytest.mark.parametrize(
    ("place", "accepted", "standing"),
    [
        ("exercises", ["exercises.clock-skew", "exercises.storage"], []),
        ("exercises.storage", ["exercises.storage"], ["413"]),
        ("exercises.stor", [], ["413", "413", "902"]),
        ("exercises.storage.target", [], ["413", "413", "902"]),
    ],
)
def test_an_acceptance_covers_its_place_and_what_lies_under_it(
    place: str, accepted: list[str], standing: list[str], check_yaml: CheckYaml
) -> None:
    checked = check_yaml(TWO_EXERCISES.replace("PLACE", place))
    assert [each.problem.address for each in checked.accepted] == accepted
    assert sorted(numbers(checked)) == standing


def test_an_acceptance_says_by_whom_and_why(check_yaml: CheckYaml) -> None:
    [accepted] = check_yaml(TWO_EXERCISES.replace("PLACE", "exercises.storage")).accepted
    assert (accepted.acceptance.by, accepted.acceptance.because) == ("Ada", "Staging is being moved.")


def test_the_last_day_still_counts(check_yaml: CheckYaml) -> None:
    text = TWO_EXERCISES.replace("PLACE", "exercises")
    assert numbers(check_yaml(text)) == []
    assert numbers(check_yaml(text.replace("2026-12-01", "2026-11-30"))) == ["903"]


def test_another_rule_is_not_accepted(check_yaml: CheckYaml) -> None:
    text = TWO_EXERCISES.replace("PLACE", "exercises").replace('"413"', '"411"')
    assert sorted(numbers(check_yaml(text))) == ["413", "413", "902"]


def test_without_evidence_an_acceptance_of_its_rules_is_not_called_unused(check_yaml: CheckYaml) -> None:
    found = check_yaml("""
accept:
  - {rule: "606", at: actions.finish.run, because: It is said for the reader., by: Ada, until: 2026-12-01}
  - {rule: "413", at: exercises, because: It is said for the reader., by: Ada, until: 2026-12-01}
""")
    assert [(problem.rule, problem.address) for problem in found.problems] == [("902", "accept.1")]


def test_an_error_may_hide_what_was_accepted(check_yaml: CheckYaml) -> None:
    text = TWO_EXERCISES.replace("PLACE", "exercises.gone") + "states: {lapsed: {owner: null}}\n"
    assert "902" not in numbers(check_yaml(text))


def with_levels(levels: str, fragment: str) -> Checked:
    matrix, owners = laid_over(BASE.read_text(encoding="utf-8"), fragment)
    texts = {"matrix/job.yml": matrix, "matrix/owners.yml": owners, "matrix/settings.yml": levels}
    loaded = loader.load_texts(texts, str)
    return check(loaded.project, loaded.problems, date(2026, 12, 1))


EXERCISE = "exercises: {storage: {title: Lose a file}}"


@pytest.mark.parametrize("level", ["error", "warning", "note"])
def test_a_level_can_be_changed(level: str) -> None:
    checked = with_levels(f"levels: {{413: {{level: {level}, because: We agree on targets each quarter.}}}}", EXERCISE)
    assert [(problem.rule, problem.level) for problem in checked.problems] == [("413", level)]


def test_a_rule_can_be_silenced() -> None:
    checked = with_levels("levels: {413: {level: off, because: We agree on targets each quarter.}}", EXERCISE)
    assert checked.problems == ()


@pytest.mark.parametrize("rule", ["102", "103", "105", "201", "202"])
def test_what_makes_a_page_wrong_stays_an_error(rule: str) -> None:
    checked = with_levels(f"levels: {{{rule}: {{level: off, because: It is in the way.}}}}", "")
    assert [(each.rule, each.address, each.location.path) for each in checked.problems] == [
        ("904", f"levels.{rule}", "matrix/settings.yml")
    ]


def test_a_gap_cannot_be_silenced() -> None:
    fragment = "impossible: [{when: {job: absent}, because: Nothing was requested.}]"
    checked = with_levels("levels: {201: {level: off, because: It is in the way.}}", fragment)
    assert {"201", "904"} <= set(numbers(checked))


def test_a_level_of_a_rule_that_does_not_exist() -> None:
    [problem] = with_levels("levels: {999: {level: note, because: It is in the way.}}", "").problems
    assert (problem.rule, problem.message) == ("103", "there is no rule 999")


def test_a_matrix_that_cannot_be_read_does_not_keep_others_from_being_checked() -> None:
    matrix, owners = laid_over(BASE.read_text(encoding="utf-8"), EXERCISE)
    texts = {"broken.yml": "schema: 1\n", "job.yml": matrix, "owners.yml": owners}
    loaded = loader.load_texts(texts, str)
    checked = check(loaded.project, loaded.problems, date(2026, 12, 1))
    assert {problem.matrix: problem.rule for problem in checked.problems} == {"broken": "111", "job": "413"}
    assert list(checked.proofs) == ["job"]
