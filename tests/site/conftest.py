"""A project as `failure-matrix init` starts it, and the site of this repository, built once."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "failure_matrix", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A new project with the starter's matrix."""
    done = command(tmp_path, "init", "project")
    assert done.returncode == 0, done.stderr
    return tmp_path / "project"


@pytest.fixture(scope="session")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this repository, built with `--strict` from a copy of its sources."""
    folder = tmp_path_factory.mktemp("repository")
    for name in ("matrix", "docs"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copytree(ROOT / "generator" / "failure_matrix", folder / "generator" / "failure_matrix")
    done = command(folder, "build", "--strict")
    assert done.returncode == 0, done.stderr
    return folder / "site"
