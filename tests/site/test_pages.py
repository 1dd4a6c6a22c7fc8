"""What pages of the reference matrix say, as files that one can read beside the page."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import ClassVar

import pytest
from projects import ROOT

from failure_matrix import pipeline, site
from failure_matrix.diagrams import Diagram
from failure_matrix.pages import Page, Templates

EXPECTED = Path(__file__).parent / "expected"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    """The pages of the reference matrix by their key, before anything was run for it."""
    folder = tmp_path_factory.mktemp("reference")
    for name in ("design-export.yml", "owners.yml", "schemas/design-export.sql"):
        (folder / "matrix" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "matrix" / name, folder / "matrix" / name)
    project, checked = pipeline.read_and_check(folder / "matrix", folder, date(2026, 12, 1))

    def draw(diagrams: Sequence[Diagram]) -> dict[str, str]:
        return {diagram.id: "<svg></svg>" for diagram in diagrams}  # drawings have tests of their own

    return {page.key: page for page in site.make(site.Sources(project, checked), draw, Templates()).pages}


class Plain(HTMLParser):
    """A page as text: a line for each row, item and paragraph."""

    LINES: ClassVar = (
        "p",
        "li",
        "tr",
        "pre",
        "dt",
        "h2",
        "h3",
        "section",
        "figure",
        "nav",
        "div",
        "summary",
        "ul",
        "table",
    )
    BEFORE: ClassVar = {"li": "- ", "td": " | ", "dd": ": ", "h2": "## ", "h3": "### "}

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(markdown)

    def handle_starttag(self, tag: str, _: object) -> None:
        self.parts.append(("\n" if tag in self.LINES else "") + self.BEFORE.get(tag, ""))
        if tag == "th" and self.parts[-2:-1] != ["\n"]:
            self.parts.append(" | ")

    def handle_endtag(self, tag: str) -> None:
        self.parts.append("\n" if tag in self.LINES else "")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    @property
    def text(self) -> str:
        lines = [line.rstrip() for line in "".join(self.parts).splitlines() if line.strip()]
        return re.sub(r"\n(?=#)", "\n\n", "\n".join(lines)) + "\n"


@pytest.mark.parametrize("key", ["index", "states/orphan", "decision-table"])
def test_a_page_says_what_is_expected(made: dict[str, Page], key: str, golden: Callable[[str, Path], None]) -> None:
    golden(Plain(made[f"design-export/{key}"].markdown).text, EXPECTED / f"{key.replace('/', '-')}.txt")
