"""Expected outputs are files. `pytest --rewrite` writes them anew; read the difference before you commit it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Golden = Callable[[str, Path], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write the expected outputs anew")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with the file that holds what was expected."""
    rewrite = request.config.getoption("--rewrite")

    def compare(actual: str, expected: Path) -> None:
        if rewrite:
            expected.parent.mkdir(parents=True, exist_ok=True)
            expected.write_text(actual, encoding="utf-8", newline="")
        command = f"pytest --rewrite {request.node.nodeid.partition('[')[0]}"
        assert expected.exists(), f"{expected} is missing; write it by: {command}"
        wanted = expected.read_bytes().decode()
        assert actual == wanted, f"not what {expected} holds; if the new output is right: {command}"

    return compare
