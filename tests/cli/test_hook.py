"""The hook for pre-commit calls a command that exists, for the files that it checks."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import yaml

from failure_matrix import cli
from failure_matrix.commands import check

HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def test_the_hook_checks_the_matrices() -> None:
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    command, *arguments = shlex.split(hook["entry"])
    assert command == "failure-matrix"
    assert cli.parser().parse_args(arguments).run is check.run
    assert re.search(hook["files"], "matrix/job.yml")
    assert not hook["pass_filenames"]
