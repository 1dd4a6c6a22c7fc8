"""What others may rely on: the command, the plugin and the form of the YAML. Whoever adds to it changes this test."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distribution

PUBLIC: set[str] = set()
"""The names that `import failure_matrix` brings. There are none yet, which also keeps the command quick to start."""


def test_the_package_exports_what_is_public_and_no_more() -> None:
    program = "import failure_matrix; print(*(name for name in vars(failure_matrix) if not name.startswith('_')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert set(done.stdout.split()) == PUBLIC


def test_there_is_one_command_and_one_plugin() -> None:
    points = {(point.group, point.name, point.value) for point in distribution("failure-matrix").entry_points}
    assert points == {
        ("console_scripts", "failure-matrix", "failure_matrix.cli:main"),
        ("mkdocs.plugins", "failure-matrix", "failure_matrix.plugin:FailureMatrixPlugin"),
    }
