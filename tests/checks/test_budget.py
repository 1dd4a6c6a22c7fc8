"""Past its budget a table is not decided. No example on a page is large enough for the real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rule_examples import examples

from failure_matrix.checks import Checked, r207_undecided_table
from failure_matrix.checks.rule import Proof
from failure_matrix.decision_table import decide
from failure_matrix.problems import Problem

CheckYaml = Callable[[str], Checked]


def within(boxes: int, proof: Proof) -> Iterator[Problem]:
    proof.table = decide(proof.matrix, boxes)
    return r207_undecided_table.check(proof)


def test_the_failing_example_fails_within_thirteen_boxes(check_yaml: CheckYaml) -> None:
    failing, _ = examples(r207_undecided_table.__doc__)
    [problem] = within(13, check_yaml(failing).proofs["example"])
    assert problem.rule == "207"
    assert problem.message.startswith("it is not decided whether each of the 12 combinations is in exactly one state")


def test_the_mended_example_does_not(check_yaml: CheckYaml) -> None:
    _, mended = examples(r207_undecided_table.__doc__)
    assert list(within(13, check_yaml(mended).proofs["example"])) == []


def test_where_actions_lead_may_be_undecided_too(check_yaml: CheckYaml) -> None:
    proof = check_yaml("{}").proofs["example"]
    proof.effects = replace(proof.effects, decided=False)
    [problem] = r207_undecided_table.check(proof)
    assert problem.message.startswith("it is not decided where all actions lead")
