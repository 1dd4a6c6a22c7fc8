"""PostgreSQL's own isolation tester sees the same rows, the same errors and the same waiting."""

import re
import subprocess
from pathlib import Path

import pytest

from failure_matrix.evidence import binaries
from failure_matrix.evidence.isolation import can_be_exported, specification, step_name
from failure_matrix.evidence.loading import load_suites
from failure_matrix.evidence.running import Runner
from failure_matrix.evidence.statements import split
from failure_matrix.loader import load

ROOT = Path(__file__).parents[2]
SUITES = load_suites(ROOT / "matrix", ROOT, load(ROOT / "matrix", ROOT).project).suites
CASES = [
    pytest.param(suite, scenario, id=f"{suite.id}/{scenario.id}")
    for suite in SUITES
    for scenario in suite.scenarios
    if can_be_exported(scenario)
]
TESTERS = list(binaries.choose().root.glob("lib/**/isolation/isolationtester"))


def ours(played) -> list[str]:
    """What was seen, in lines: `step1 waits`, `step1 [[1], [2]]`, `step1 ERROR`."""
    lines, waiting = [], {}
    for step, seen in zip(played.scenario.steps, played.steps, strict=True):
        name = step_name(step.number)
        if seen.result is None:
            waiting[step.session] = name
            lines.append(f"{name} waits")
        else:
            lines.append(f"{name} {outcome(seen.result) if is_single(seen.text) else 'done'}")
        lines += [f"{waiting[session]} {outcome(result)}" for session, result in seen.woke]
    return lines


def is_single(text: str) -> bool:
    """Whether there is one statement. Of several, the tester prints every result."""
    return len(split(text)) == 1 and not text.startswith("the clock shows")


def outcome(result) -> str:
    if result.failed:
        return "ERROR"
    rows = [["" if cell is None else str(cell) for cell in row] for row in result.rows or ()]
    return str(rows) if result.rows is not None else "done"


def theirs(output: str, single: dict[str, bool]) -> list[str]:
    blocks = re.split(r"^step (step\d+): ", output, flags=re.MULTILINE)[1:]
    lines = []
    for name, text in zip(blocks[::2], blocks[1::2], strict=True):
        if "<waiting ...>" in text:
            lines.append(f"{name} waits")
        elif re.search(r"^ERROR: ", text, re.MULTILINE):
            lines.append(f"{name} ERROR")
        elif not single[name]:
            lines.append(f"{name} done")
        elif (table := re.search(r"^-[-+]*\n((?:.*\n)*?)\(\d+ rows?\)", text, re.MULTILINE)) is not None:
            rows = [[cell.strip() for cell in row.split("|")] for row in table[1].splitlines()]
            lines.append(f"{name} {rows}")
        else:
            lines.append(f"{name} done")
    return lines


def test_several_scenarios_can_be_exported():
    assert len(CASES) >= 12


@pytest.mark.skipif(not TESTERS, reason="this server comes without the isolation tester")
@pytest.mark.parametrize(("suite", "scenario"), CASES)
def test_the_isolation_tester_agrees(server, suite, scenario):
    with Runner(server, suite.playbook) as runner:
        played = runner.run(scenario)
    command = [str(TESTERS[0]), server.conninfo]
    run = subprocess.run(command, input=specification(played), capture_output=True, text=True, check=False, timeout=60)
    assert run.stderr == ""
    steps = zip(scenario.steps, played.steps, strict=True)
    single = {step_name(step.number): is_single(seen.text) for step, seen in steps}
    assert theirs(run.stdout, single) == ours(played)
