"""Plain Markdown for other builders, and the sites that they make of it."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from links import broken, repeated_ids
from projects import ROOT, command, contents, edit, run

from failure_matrix import site

DOCS = (ROOT / "docs" / "builders.md").read_text(encoding="utf-8")


@pytest.fixture
def pages(project: Path) -> Path:
    """The folder that the pages are written to."""
    (project / "mkdocs.yml").unlink()
    (project / "docs" / "notes.md").unlink()
    return project / "docs"


def generate(docs: Path, *options: str) -> None:
    done = command(docs.parent, "generate", "docs", *options)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


def stamps(folder: Path) -> dict[str, int]:
    return {path.as_posix(): path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_the_pages_are_markdown_with_their_assets(pages: Path) -> None:
    generate(pages)
    written = contents(pages)
    assert b"\n# Leased\n" in written["job/states/leased.md"]
    for name in (*site.STYLES, *site.SCRIPTS):
        assert written[f"assets/failure-matrix/{name}"]
    assert not any(b"data-failure-matrix=" in text for name, text in written.items() if name.endswith(".md"))


def test_a_second_run_writes_nothing_and_a_third_only_what_changed(pages: Path) -> None:
    generate(pages)
    before = stamps(pages)
    generate(pages)
    assert stamps(pages) == before

    edit(pages.parent / "matrix" / "job.yml", "A worker holds it.", "A worker has it.")
    generate(pages)
    after = stamps(pages)
    changed = {Path(path).relative_to(pages).as_posix() for path in after if after[path] != before[path]}
    assert "job/observations/job.md" in changed
    assert "job/observations/lease.md" not in changed


def test_the_page_of_a_state_that_is_gone_is_removed(pages: Path) -> None:
    generate(pages)
    (pages / "job" / "states" / "mine.md").write_text("# Mine\n", encoding="utf-8")
    text = (pages.parent / "matrix" / "job.yml").read_text(encoding="utf-8")
    renamed = text.replace("  lapsed:\n    title", "  expired:\n    title").replace("{to: lapsed", "{to: expired")
    (pages.parent / "matrix" / "job.yml").write_text(renamed, encoding="utf-8")
    generate(pages)
    states = sorted(path.name for path in (pages / "job" / "states").iterdir())
    assert states == ["done.md", "expired.md", "leased.md", "mine.md", "ready.md"]


def test_a_file_that_somebody_else_wrote_is_not_replaced(pages: Path) -> None:
    (pages / "index.md").write_text("# Ours\n", encoding="utf-8")
    done = command(pages.parent, "generate", "docs")
    assert done.returncode == 3
    assert "docs/index.md was not made by this command." in done.stderr
    assert contents(pages) == {"index.md": b"# Ours\n"}


def test_with_an_error_nothing_is_written(pages: Path) -> None:
    edit(pages.parent / "matrix" / "job.yml", "when: {job: done}", "when: {job: dnoe}")
    done = command(pages.parent, "generate", "docs")
    assert done.returncode == 1
    assert "dnoe" in done.stderr
    assert contents(pages) == {}


class Article(HTMLParser):
    """The text of a page between its title and its end."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.inside, self.words = False, []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, _: object) -> None:
        self.inside = self.inside or tag == "article"

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "article"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.words += data.replace("¶", "").split()


def texts(built: Path) -> dict[str, str]:
    """The text of each page of a site."""
    paths = sorted(path for path in built.rglob("*.html") if path.name != "404.html")
    return {path.relative_to(built).as_posix(): "".join(Article(path).words) for path in paths}


def block(language: str, number: int = 0) -> str:
    """One of the configurations that the docs show."""
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCS, re.M | re.S)[number]


@pytest.fixture
def ours(project: Path) -> dict[str, str]:
    """The text of each page as MkDocs and the plugin make it."""
    assert command(project, "build", "--strict").returncode == 0
    found = texts(project / "site")
    found.pop("notes/index.html")
    return found


def sound(built: Path) -> bool:
    return list(broken(built)) == [] and list(repeated_ids(built)) == []


def test_properdocs_makes_the_same_pages_of_the_markdown(ours: dict[str, str], pages: Path) -> None:
    generate(pages)
    (pages.parent / "properdocs.yml").write_text(block("yaml", 1), encoding="utf-8")
    done = run(pages.parent, sys.executable, "-m", "properdocs", "build", "--strict")
    assert done.returncode == 0, done.stderr
    assert texts(pages.parent / "site") == ours
    assert sound(pages.parent / "site")


def test_properdocs_loads_the_plugin(ours: dict[str, str], pages: Path) -> None:
    (pages.parent / "properdocs.yml").write_text(block("yaml"), encoding="utf-8")
    done = run(pages.parent, sys.executable, "-m", "properdocs", "build", "--strict")
    assert done.returncode == 0, done.stderr
    assert texts(pages.parent / "site") == ours
    assert sound(pages.parent / "site")


def test_zensical_makes_the_same_pages(ours: dict[str, str], pages: Path) -> None:
    generate(pages, "--zensical")
    (pages.parent / "zensical.toml").write_text(block("toml"), encoding="utf-8")
    done = run(pages.parent, sys.executable, "-m", "zensical", "build", "--clean")
    assert done.returncode == 0, done.stdout + done.stderr
    assert texts(pages.parent / "site") == ours
    assert sound(pages.parent / "site")


@pytest.mark.parametrize("number", ["yaml", "toml"])
def test_the_docs_name_each_style_sheet_and_script(number: str) -> None:
    named = re.findall(r"assets/failure-matrix/([\w.-]+)", block(number, number == "yaml"))
    assert named == [*site.STYLES, *site.SCRIPTS]
