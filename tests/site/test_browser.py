"""Each kind of page in a real browser: in both palettes, on a wide screen and on a phone, by keyboard and on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from browsing import CONTRAST, OVERFLOW, STRUCTURE, violations, watched
from playwright.sync_api import Browser, Page, ViewportSize, expect

SHOTS = Path(__file__).parents[1] / "output" / "pages"
"""Where the screenshots go, for whoever wants to look."""

KINDS = {
    "home": "",
    "overview": "design-export/",
    "triage": "design-export/triage/",
    "decision-table": "design-export/decision-table/",
    "state": "design-export/states/leased/",
    "action": "design-export/actions/publish/",
    "failure": "design-export/failures/file-lost/",
    "observation": "design-export/observations/lease/",
    "evidence": "design-export/evidence/",
    "walk": "design-export/evidence/walk/",
    "scenario": "design-export/evidence/scenarios/takeover-race/",
    "orders": "outbox-relay/evidence/scenarios/orders-claim-then-publish/",
    "comparison": "comparison/",
    "owners": "owners/",
    "owner": "owners/on-call/",
    "problems": "problems/",
    "rules": "rules/",
    "rule": "rules/503/",
    "format": "format/",
    "written-by-hand": "on-call/",
}
"""A page of each kind."""

WIDE, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=390, height=844)


def shoot(page: Page, kind: str, palette: str) -> None:
    size = page.viewport_size or WIDE
    page.screenshot(path=SHOTS / f"{kind}-{palette}-{size['width']}.jpg", type="jpeg", full_page=True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_each_kind_is_sound_and_legible(browser: Browser, address: str, kind: str) -> None:
    with watched(browser, address, viewport=WIDE, reduced_motion="reduce") as page:
        page.goto(address + KINDS[kind])
        expect(page).to_have_title(re.compile("Failure matrices"))
        for palette, scheme in (("light", "default"), ("dark", "slate")):
            page.emulate_media(color_scheme=palette)
            expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)
            page.set_viewport_size(WIDE)
            shoot(page, kind, palette)
            assert violations(page, CONTRAST) == []
            assert page.evaluate(OVERFLOW) == []
            page.set_viewport_size(PHONE)
            shoot(page, kind, palette)
        assert page.evaluate(OVERFLOW) == []
        assert violations(page, STRUCTURE) == []
        page.set_viewport_size(WIDE)
        assert violations(page, STRUCTURE) == []


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with watched(browser, address, viewport=WIDE) as one:
        yield one


def test_without_javascript_everything_can_be_read(browser: Browser, address: str) -> None:
    with watched(browser, address, viewport=PHONE, java_script_enabled=False) as page:
        page.goto(address + "design-export/")
        for table in (".fm-states", ".fm-grid"):
            rows = page.locator(f"{table} tbody tr").count()
            assert rows >= 9
            expect(page.locator(f"{table} tbody tr:visible")).to_have_count(rows)
        expect(page.locator("#design-export--life svg:visible")).to_have_count(1)
        page.goto(address + "design-export/decision-table/")
        expect(page.locator(".fm-decisions tbody th:visible", has_text="Lapsed lease")).to_have_count(1)
        page.goto(address + "design-export/states/lapsed/")
        expect(page.get_by_text("Authority that has lapsed does not come back.")).to_be_visible()
        expect(page.locator(".fm-clue pre:visible").first).to_contain_text("select")


def test_the_tab_key_reaches_the_nodes_of_a_diagram_and_shows_where_it_is(page: Page, address: str) -> None:
    page.goto(address + "design-export/states/lapsed/")
    page.locator("figure .fm-diagram__enlarge").focus()
    focused, reached = page.locator("svg:visible a:focus-visible"), []
    for _ in range(page.locator("figure svg:visible a").count()):
        page.keyboard.press("Tab")
        assert focused.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
        reached.append(urljoin(page.url, focused.get_attribute("xlink:href")).removeprefix(address))
    assert {"design-export/states/taken-over/", "design-export/actions/take-over/"} <= set(reached)
    page.keyboard.press("Enter")
    page.wait_for_url(address + reached[-1])


def test_a_click_on_a_node_leads_to_its_page(page: Page, address: str) -> None:
    page.goto(address + "design-export/")
    page.locator("#design-export--life svg:visible .fm-state a", has_text="Valid lease").first.click()
    page.wait_for_url("**/design-export/states/leased/")
    expect(page.locator("h1")).to_contain_text("Valid lease")


def test_a_diagram_can_be_enlarged_on_the_first_page_and_on_the_next(page: Page, address: str) -> None:
    page.goto(address + "design-export/")
    for _ in range(2):
        page.locator("figure .fm-diagram__enlarge").first.click()
        expect(page.locator("dialog svg")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        page.locator(".fm-states th a").first.click()
        page.wait_for_url("**/states/uncommitted/")
        page.locator(".fm-trail a", has_text="Design export").click()
        page.wait_for_url("**/design-export/")


def test_the_head_of_a_table_stays_in_sight(page: Page, address: str) -> None:
    page.goto(address + "design-export/")
    page.locator(".fm-states tbody tr").last.scroll_into_view_if_needed()
    expect(page.locator(".fm-states thead th").first).to_be_in_viewport()


def test_the_address_of_a_row_leads_to_it(page: Page, address: str) -> None:
    page.goto(address + "design-export/states/lapsed/#forbidden-renew")
    expect(page.locator("#forbidden-renew")).to_be_in_viewport()


def test_on_a_phone_a_row_is_a_card_with_its_state_first(browser: Browser, address: str) -> None:
    with watched(browser, address, viewport=PHONE) as page:
        page.goto(address + "design-export/decision-table/")
        card = page.locator(".fm-decisions tbody tr").first
        tops = {name: box["y"] for name in ("th", "td") if (box := card.locator(name).first.bounding_box())}
        assert tops["th"] < tops["td"]
        expect(page.get_by_text("Is lease_until later than the database's clock?")).to_be_visible()


def test_on_a_phone_each_cell_of_a_card_has_the_width_of_the_card(browser: Browser, address: str) -> None:
    narrow = """all => all.filter(one => one.getClientRects().length
      && one.getBoundingClientRect().width < 0.9 * one.closest("table").getBoundingClientRect().width
    ).map(one => one.textContent)"""
    with watched(browser, address, viewport=PHONE) as page:
        for path in ("design-export/", "design-export/states/lapsed/", "problems/"):
            page.goto(address + path)
            assert page.locator(".fm-cards :is(caption, tbody th, tbody td, tfoot td)").evaluate_all(narrow) == []


def test_on_paper_tables_are_whole_and_dark_on_white(browser: Browser, address: str) -> None:
    paper = ViewportSize(width=718, height=1000)  # A4 between its margins
    with watched(browser, address, viewport=paper, color_scheme="dark", reduced_motion="reduce") as page:
        page.emulate_media(media="print")
        for path in ("design-export/", "design-export/decision-table/", "design-export/states/lapsed/"):
            page.goto(address + path)
            wide = page.locator("article table").evaluate_all(
                "all => all.map(one => one.scrollWidth - one.parentElement.clientWidth).filter(over => over > 1)"
            )
            assert wide == []
            cut = page.locator(".fm-scroll").evaluate_all(
                "all => all.filter(one => getComputedStyle(one).overflow !== 'visible').length"
            )
            assert cut == 0
            assert violations(page, CONTRAST) == []
