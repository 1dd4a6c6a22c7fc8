"""Text from YAML stays text: hostile text in every field, built by the real command, read back and opened."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browsing import OVERFLOW, serving, watched
from hostile import HOSTILE, write_hostile
from links import broken, repeated_ids
from playwright.sync_api import Browser, ViewportSize, expect
from projects import command

MARK = "DESIGNEXPORT1TEXT"
"""The beginning of the title of a matrix."""


class Reader(HTMLParser):
    """The text of a page, of all its attributes, and which elements and attributes there are."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.said: list[str] = []
        self.attributes: list[str] = []
        self.kinds: set[str] = set()
        self.links: list[str] = []
        self.inside = ""
        self.by_element: dict[str, list[str]] = {}
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        self.by_element.setdefault(tag, []).append("")
        self.kinds |= {tag, *(f"{tag} {name}" for name, _ in attrs)}
        self.attributes += [value or "" for _, value in attrs]
        self.links += [value or "" for name, value in attrs if name in {"href", "xlink:href", "src"}]

    def handle_data(self, data: str) -> None:
        if self.inside not in {"script", "style"}:
            self.said.append(data)
            if self.inside:
                self.by_element[self.inside][-1] += data

    def handle_endtag(self, _: str) -> None:
        self.inside = ""

    def every(self, element: str) -> list[str]:
        """The text of each element of a name, white space collapsed."""
        return [" ".join(text.split()) for text in self.by_element.get(element, ())]

    @property
    def text(self) -> str:
        return " ".join("".join(self.said).split())


class Hostile:
    """A project of hostile texts, its site, and the texts, their white space collapsed."""

    def __init__(self, folder: Path) -> None:
        self.texts = write_hostile(folder)
        done = command(folder, "build", "--strict")
        assert done.returncode == 0, done.stderr
        self.site = folder / "site"
        paths = sorted(self.site.rglob("*.html"))
        self.pages = {path.relative_to(self.site).as_posix(): Reader(path) for path in paths}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    return Hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def hostile_address(hostile: Hostile) -> Iterator[str]:
    with serving(hostile.site) as found:
        yield found


def test_every_text_is_shown_as_it_was_written(hostile: Hostile) -> None:
    shown = "\n".join(page.text for page in hostile.pages.values())
    assert [text.partition(" ")[0] for text in hostile.texts if text not in shown] == []


def test_no_element_and_no_attribute_comes_from_a_text(hostile: Hostile, own_site: Path) -> None:
    for name, page in hostile.pages.items():
        harmless = Reader(own_site / name).kinds | {"span class"}  # of a comment in a statement
        assert page.kinds - harmless == set(), name


def test_no_link_leads_where_a_text_says(hostile: Hostile) -> None:
    assert list(broken(hostile.site)) == []
    assert list(repeated_ids(hostile.site)) == []
    assert [link for page in hostile.pages.values() for link in page.links if "javascript:" in link] == []


def test_titles_headings_and_navigation_hold_the_whole_text(hostile: Hostile) -> None:
    title = next(text for text in hostile.texts if text.startswith(MARK))
    overview = hostile.pages["design-export/index.html"]
    assert overview.every("title")[0] == f"{title} - Failure matrices"
    assert overview.every("h1")[-1] == title
    assert title in overview.every("span")


def test_tooltips_of_drawings_hold_the_whole_text(hostile: Hostile) -> None:
    tooltips = hostile.pages["design-export/states/leased/index.html"].every("title")[1:]
    assert len(set(tooltips) & set(hostile.texts)) > 5


def test_the_search_index_holds_no_markup_of_a_text(hostile: Hostile) -> None:
    index = json.loads((hostile.site / "search" / "search_index.json").read_text(encoding="utf-8"))
    for entry in index["docs"]:
        assert "<script" not in entry["text"] + entry["title"]
        assert "<img" not in entry["text"] + entry["title"]
    assert any("&lt;script&gt;window.__x = 1" in entry["text"] for entry in index["docs"])


def test_a_browser_runs_nothing(hostile: Hostile, hostile_address: str, browser: Browser) -> None:
    phone = ViewportSize(width=390, height=844)
    kinds = {name.removesuffix("/index.html").rpartition("/")[0]: name for name in hostile.pages if "/" in name}
    with watched(browser, hostile_address, viewport=phone) as page:
        for name in {"index.html", "design-export/index.html", "problems/index.html", *kinds.values()}:
            page.goto(hostile_address + name.removesuffix("index.html"))
            assert page.evaluate("window.__x") is None
            assert page.evaluate(OVERFLOW) == [], name


def test_a_search_for_a_text_finds_it_and_runs_nothing(hostile_address: str, browser: Browser) -> None:
    with watched(browser, hostile_address) as page:
        page.goto(hostile_address)
        page.keyboard.press("/")
        page.keyboard.type(MARK)
        found = page.locator(".md-search-result__item").first
        expect(found).to_contain_text("<script>window.__x = 1; alert(1)</script>")
        assert page.locator(".md-search-result img").count() == 0
        found.locator("a").first.click()
        expect(page.locator("h1")).to_contain_text(" ".join(HOSTILE.split())[:60])
        assert page.evaluate("window.__x") is None
