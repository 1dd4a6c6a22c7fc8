"""The lock files: complete, verifiable, and the same wherever packages are fetched from."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LOCKS = {name: (ROOT / "requirements" / f"{name}.txt").read_text("utf-8") for name in ("site", "test", "bench")}

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

REGISTRIES = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pypi", "python", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("deb", "debian", "org"),
        ("security", "debian", "org"),
        ("snapshot", "debian", "org"),
    )
)
"""Joined here, so that this file does not name one either."""


def name_of(requirement: str) -> str:
    """The normalised name of the package that a requirement asks for."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def locked(text: str) -> dict[str, str]:
    """Each locked package with what stands up to the next one: its version, marker and hashes."""
    entries = re.findall(r"^[a-z0-9].*?(?=^[a-z0-9]|\Z)", text, re.MULTILINE | re.DOTALL)
    return {entry.splitlines()[0].removesuffix(" \\"): entry for entry in entries}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_one_version_and_its_hashes(lock: str) -> None:
    assert len(locked(LOCKS[lock])) > 20
    for package, entry in locked(LOCKS[lock]).items():
        assert re.match(r"[a-z0-9-]+==[^ ]+( ; |$)", package)
        assert "--hash=sha256:" in entry, f"{package} has no hash"


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("site", [*PYPROJECT["project"]["dependencies"], *PYPROJECT["dependency-groups"]["build"]]),
        (
            "test",
            [
                *PYPROJECT["project"]["dependencies"],
                *(one for extra in PYPROJECT["project"]["optional-dependencies"].values() for one in extra),
                *PYPROJECT["dependency-groups"]["build"],
                *PYPROJECT["dependency-groups"]["test"],
            ],
        ),
        ("bench", PYPROJECT["dependency-groups"]["bench"]),
    ],
)
def test_what_the_project_asks_for_is_locked(lock: str, wanted: list[str]) -> None:
    missing = {name_of(requirement) for requirement in wanted} - {name_of(package) for package in locked(LOCKS[lock])}
    assert not missing, "run: make lock"


def test_the_tests_run_with_what_the_site_is_built_with() -> None:
    assert locked(LOCKS["site"]).keys() <= locked(LOCKS["test"]).keys(), "run: make lock"


def test_no_file_names_a_registry() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    files = [ROOT / name for name in tracked.split("\0") if name]
    assert ROOT / "requirements" / "site.txt" in files
    named = {
        (str(file.relative_to(ROOT)), registry)
        for file in files
        if file.is_file()
        for registry in REGISTRIES
        if registry.encode() in file.read_bytes()
    }
    assert not named
