"""The matrices whose pictures are looked at, and the engines that draw them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from failure_matrix import loader
from failure_matrix.diagrams import Link
from failure_matrix.model import Matrix
from failure_matrix.svg import Engine, find_engine

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def link_to(thing: object) -> str:
    kind = type(thing).__name__.lower()
    return f"../{kind}s/{getattr(thing, 'id')}/"  # noqa: B009


@pytest.fixture(scope="session")
def link() -> Link:
    """The address of a page, as the site has it."""
    return link_to


@pytest.fixture(scope="session")
def export() -> Matrix:
    """The reference matrix."""
    return loader.load(ROOT / "matrix", ROOT).project.matrices["design-export"]


@pytest.fixture(scope="session")
def hostile() -> Matrix:
    """A matrix whose titles are full of what means something to Graphviz, XML or HTML."""
    loaded = loader.load(HERE / "hostile", HERE)
    assert not loaded.problems
    return loaded.project.matrices["hostile"]


@pytest.fixture(scope="session", params=["graphviz-pure", "dot"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each of the two engines that the drawings have to work with."""
    if request.param == "dot":
        if not shutil.which("dot"):
            pytest.skip("no dot on this machine")
        return find_engine("dot")
    return find_engine()
