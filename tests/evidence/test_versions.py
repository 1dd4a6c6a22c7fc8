"""Every version of PostgreSQL that is installed shows the same."""

import json
from pathlib import Path

import pytest

from failure_matrix.evidence import binaries
from failure_matrix.evidence.verifying import Options, verify

ROOT = Path(__file__).parents[2]
MATRIX = "design-export"
SCENARIOS = (
    "takeover-race",
    "takeover-race-repeatable-read",
    "request-twice",
    "takeover-at-the-boundary",
    "discard-checks-under-lock",
    "now-stands-still",
    "orders-check-then-write",
)


def majors() -> list[str]:
    """One version of each major one, in the order in which they are found."""
    return list(dict.fromkeys(each.version().split(".")[0] for each in binaries.installed()))


OTHERS = majors()[1:]


@pytest.fixture(scope="module")
def first():
    return shown(majors()[0])


def shown(version: str) -> str:
    verified = verify(ROOT / "matrix", ROOT, Options(matrices=(MATRIX,), versions=(version,), scenarios=SCENARIOS))
    assert verified.versions[0].startswith(version)
    assert [each.message for each in verified.problems if (each.matrix, each.level) == (MATRIX, "error")] == []
    return json.dumps(verified.records, indent=1)


@pytest.mark.skipif(not OTHERS, reason="only one version is installed")
@pytest.mark.parametrize("version", OTHERS or ["none"])
def test_another_version_shows_the_same(first, version):
    assert shown(version) == first
