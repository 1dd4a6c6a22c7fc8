"""The tutorial, followed step by step: what it shows is what the check says."""

from __future__ import annotations

import re
from pathlib import Path

from projects import ROOT, command

TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


def shown(language: str, start: str) -> str:
    """The block of the tutorial that starts with a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", TUTORIAL, re.DOTALL)
    return next(block for block in blocks if block.startswith(start))


def below(part: str) -> str:
    """What a block of the tutorial puts under a part of the matrix."""
    return shown("yaml", f"{part}:\n").split("\n", 1)[1]


def check(project: Path) -> str:
    return command(project, "check").stdout


def test_each_step_says_what_the_tutorial_says(project: Path) -> None:
    matrix = project / "matrix" / "job.yml"

    def edit(old: str, new: str) -> None:
        text = matrix.read_text(encoding="utf-8")
        assert old in text
        matrix.write_text(text.replace(old, new, 1), encoding="utf-8")

    edit("done: The work is done.}", "done: The work is done., failed: The worker gave up.}")
    assert check(project).startswith(shown("text", "error[201"))

    edit("\n  ready:\n    title: Ready", "\n" + below("states") + "  ready:\n    title: Ready")
    assert "1 warning in 1 file." in check(project)
    edit("when: {job: [ready, done], lease", "when: {job: [ready, done, failed], lease")
    assert below("impossible").splitlines()[0] in matrix.read_text(encoding="utf-8")

    edit("actions:", "actions:\n" + below("actions").rstrip())
    assert check(project).startswith("error[104 unplaced-action]")
    edit("permitted: {finish: done}", "permitted: {finish: done, give-up: done}")
    assert check(project).startswith(shown("text", "error[301"))
    edit("give-up: done", "give-up: failed")
    assert check(project) == "No problems in 1 matrix.\n"
