"""The pictures as a browser shows them, with the project's style sheet and script and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from many_states import many_states
from playwright.sync_api import Browser, Page, expect

from failure_matrix.diagrams import Diagram, Link, neighbourhoods, overview
from failure_matrix.model import Matrix
from failure_matrix.svg import Engine, draw, figure, find_engine

ASSETS = Path(__file__).parents[2] / "generator" / "failure_matrix" / "assets"

OVERLAPS = """() => {
  const texts = [...document.querySelectorAll('.fm-drawing text')].filter(text => text.getClientRects().length)
  const boxes = texts.map(text => [text.closest('svg').id, text.textContent, text.getBoundingClientRect()])
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4
  return boxes.flatMap(([id, text, box], at) => boxes.slice(at + 1)
    .filter(other => other[0] === id && over(box, other[2])).map(other => `${id}: ${text} over ${other[1]}`))
}"""
"""Which texts lie over others. Lines of one label may touch by their line height."""

SIZES = """() => [...document.querySelectorAll('.fm-drawing text')].filter(text => text.getClientRects().length)
  .map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""


def write_page(folder: Path, diagrams: Sequence[Diagram], engine: Engine) -> str:
    """A page of pictures. Returns its address."""
    markup = draw(diagrams, engine)
    for asset in ("failure-matrix-diagram.css", "failure-matrix-diagram.js"):
        shutil.copy(ASSETS / asset, folder)
    page = folder / "index.html"
    page.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title>'
        '<link rel="stylesheet" href="failure-matrix-diagram.css"><script src="failure-matrix-diagram.js"></script>'
        + "".join(figure(diagram, markup[diagram.id]) for diagram in diagrams),
        encoding="utf-8",
    )
    return page.as_uri()


@pytest.fixture(scope="module")
def address(export: Matrix, link: Link, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with the reference matrix's overview."""
    return write_page(tmp_path_factory.mktemp("page"), overview(export, link), find_engine())


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield page
    page.close()
    assert not errors


@pytest.fixture(scope="module")
def many(export: Matrix, hostile: Matrix, link: Link) -> list[Diagram]:
    """All pictures of three matrices."""
    matrices = (export, hostile, many_states(60))
    return [one for matrix in matrices for one in (*overview(matrix, link), *neighbourhoods(matrix, link))]


def test_texts_are_legible_and_apart(many: list[Diagram], engine: Engine, browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(write_page(tmp_path, many, engine))
    for width, least in ((1440, 12), (390, 11)):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(OVERLAPS) == []
        assert min(page.evaluate(SIZES)) >= least
    page.close()


def test_one_of_the_two_drawings_is_shown(page: Page) -> None:
    for width, size in ((1440, "wide"), (390, "narrow")):
        page.set_viewport_size({"width": width, "height": 900})
        shown = page.locator("#design-export--life svg:visible")
        assert [svg.get_attribute("id") for svg in shown.all()] == [f"design-export--life--{size}"]


def test_a_phone_shows_the_narrow_drawing_without_scrolling(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for name in ("life", "failures", "recovery"):
        place = page.locator(f"#design-export--{name} .fm-diagram__drawing")
        assert place.evaluate("one => one.scrollWidth - one.clientWidth") == 0


def test_the_wide_drawing_is_shown_where_it_has_room(page: Page) -> None:
    for width in range(400, 1300, 60):
        page.set_viewport_size({"width": width, "height": 900})
        for name in ("life", "failures", "recovery"):
            place = page.locator(f"#design-export--{name} .fm-diagram__drawing")
            assert place.evaluate("one => one.scrollWidth - one.clientWidth") == 0, (name, width)
            room = place.evaluate("one => one.clientWidth - one.querySelector('.fm-wide').getAttribute('width')")
            assert room < 100 or place.locator(".fm-wide").is_visible(), (name, width)


def test_the_button_is_within_the_figure(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    for button in page.locator(".fm-diagram__enlarge").all():
        box = button.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 390


def view(page: Page) -> list[float]:
    return [float(number) for number in (page.locator(".fm-dialog svg").get_attribute("viewBox") or "").split()]


def test_a_drawing_can_be_enlarged_and_moved_by_keys(page: Page) -> None:
    page.locator("#design-export--recovery .fm-diagram__enlarge").click()
    whole = view(page)
    page.keyboard.press("+")
    closer = view(page)
    assert closer[2] < whole[2]
    page.keyboard.press("ArrowRight")
    assert view(page)[0] > closer[0]
    page.keyboard.press("ArrowDown")
    assert view(page)[1] > closer[1]
    page.keyboard.press("-")
    page.keyboard.press("0")
    assert view(page) == whole
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_drawing_can_be_moved_by_mouse(page: Page) -> None:
    page.locator("#design-export--recovery .fm-diagram__enlarge").click()
    whole = view(page)
    page.mouse.move(700, 500)
    page.mouse.wheel(0, -100)
    page.wait_for_function(
        "width => document.querySelector('.fm-dialog svg').viewBox.baseVal.width < width", arg=whole[2]
    )
    closer = view(page)
    page.mouse.down()
    page.mouse.move(800, 560, steps=3)
    page.mouse.up()
    assert view(page)[0] < closer[0]
    assert view(page)[1] < closer[1]
    for name, wider in (("Zoom in", False), ("Zoom out", True)):
        before = view(page)[2]
        page.get_by_role("button", name=name, exact=True).click()
        assert (view(page)[2] > before) is wider
    page.get_by_role("button", name="Close").click()
    expect(page.locator("dialog")).to_have_count(0)


def test_dragging_over_a_link_does_not_follow_it(page: Page) -> None:
    page.locator("#design-export--recovery .fm-diagram__enlarge").click()
    box = page.locator(".fm-dialog .fm-state a").first.bounding_box()
    assert box
    before = page.url
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 80, box["y"] + 40, steps=3)
    page.mouse.up()
    assert page.url == before


def test_links_work_by_mouse_and_by_keyboard(page: Page) -> None:
    page.evaluate(
        "document.body.addEventListener('click',"
        " event => { event.preventDefault(); window.followed = event.target.href })"
    )
    state = page.locator("#design-export--life svg:visible .fm-state a").first
    state.click()
    assert page.evaluate("window.followed").endswith("/states/uncommitted/")
    page.locator("#design-export--life svg:visible .fm-label a").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("window.followed").endswith("/actions/request/")


def test_without_script_there_is_no_button(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.locator(".fm-diagram__enlarge:visible").count() == 0
    assert page.locator("#design-export--life summary").is_visible()
    context.close()
