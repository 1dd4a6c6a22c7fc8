"""What all tests share: outputs that are expected to be what a file holds, and a browser.

`pytest --rewrite` writes the expected outputs anew; read the difference before you commit it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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


CHROMIUM = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The machine's Chromium, without a window. One for all tests: a process can drive no second one meanwhile."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - most runs need no browser

    path = shutil.which("chromium")
    if path is None:
        pytest.fail("These tests need the browser Chromium; on Debian: apt-get install chromium", pytrace=False)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield running
        running.close()
