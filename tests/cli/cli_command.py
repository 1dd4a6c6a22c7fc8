"""The command as a user runs it: another process, its output and its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "failure_matrix"]

FOLDERS = Path(__file__).parent / "folders"


def run(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, with these variables added to a plain environment."""
    return subprocess.run(
        [*COMMAND, *arguments], cwd=cwd, env=plain(environment), capture_output=True, encoding="utf-8", check=False
    )


def plain(added: dict[str, str]) -> dict[str, str]:
    """The environment without what changes colours, widths and dates."""
    left_out = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "SOURCE_DATE_EPOCH", "PYTHONIOENCODING", "PYTHONUNBUFFERED"}
    return {name: value for name, value in os.environ.items() if name not in left_out} | added
