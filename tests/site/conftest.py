"""A project as `failure-matrix init` starts it, and the site of this repository, built once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import serving
from projects import ROOT, command


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


@pytest.fixture(scope="session")
def address(own_site: Path) -> Iterator[str]:
    """The address of this repository's site, which ends with a slash."""
    with serving(own_site) as found:
        yield found
