"""The triage page in a real browser: what it says, its address, by keyboard, by touch, by ear, offline, on paper."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest
from browsing import CONTRAST, OVERFLOW, STRUCTURE, serving, violations, watched
from playwright.sync_api import Browser, Page, ViewportSize, expect
from projects import ROOT, command, edit

from failure_matrix import loader, urls
from failure_matrix.decision_table import decide
from failure_matrix.diagnose import Answers, Diagnosis, Triage
from failure_matrix.effects import effects
from failure_matrix.pages import json_text

SHOTS = Path(__file__).parents[1] / "output" / "pages"
"""Where the screenshots go, for whoever wants to look."""

WIDE, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=390, height=844)

SAID = """all => {
  const form = document.querySelector(".fm-triage form")
  const texts = name => [...document.querySelectorAll(`.fm-triage__details ${name}`)].map(one => one.textContent)
  return all.map(answers => {
    for (const one of form.querySelectorAll("input[type=radio]")) one.checked = answers[one.name] === one.value
    form.dispatchEvent(new Event("input"))
    const reasons = [...document.querySelectorAll(".fm-triage__forbidden > li")]
    return {
      states: texts(".fm-triage__states a"),
      next: document.querySelector(".fm-triage__next a")?.getAttribute("href") ?? "",
      safe: texts(".fm-triage__safe a"),
      forbidden: reasons.map(one => [one.querySelector("a").textContent, Boolean(one.querySelector(".fm-warn"))]),
      outside: texts(".fm-triage__outside li"),
      broken: texts(".fm-triage__broken li"),
    }
  })
}"""


@pytest.fixture(scope="module")
def triage() -> Triage:
    matrix = loader.load(ROOT / "matrix", ROOT).project.matrices["design-export"]
    table = decide(matrix)
    return Triage(matrix, table, effects(matrix, table))


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with watched(browser, address, viewport=WIDE) as one:
        visit(one, address + "design-export/triage/")
        yield one


def visit(page: Page, address: str) -> None:
    """Opens a page and waits until Material knows the site, without which each link loads its page anew."""
    page.goto(address, wait_until="networkidle")


def expected(found: Diagnosis) -> dict[str, object]:
    return {
        "states": [each.title for each in found.states],
        "next": f"#ask-{found.question.id}" if found.question else "",
        "safe": [each.title for each in found.safe],
        "forbidden": [[each.action.title, not all(one.prevented for one in each.by)] for each in found.forbidden],
        "outside": [each.because for each in found.outside],
        "broken": [each.because for each in found.broken],
    }


def answered(page: Page, observation: str, value: str) -> None:
    page.locator(f'input[name="{observation}"][value="{value}"]').check()


def status(page: Page) -> str:
    return page.locator(".fm-triage__status").inner_text()


def test_the_page_says_what_the_command_says_for_all_answers(page: Page, triage: Triage) -> None:
    observations = triage.matrix.observations.values()
    names = [each.id for each in observations]
    given = [
        dict(zip(names, each, strict=True))
        for open_ in ("", "?")
        for each in product(*((*one.value_ids, open_) for one in observations))
    ]
    every = list({tuple(each.items()): each for each in given}.values())
    said = page.evaluate(SAID, every)
    assert len(said) == 2 * prod(len(o.values) + 1 for o in observations) - prod(len(o.values) for o in observations)
    for answers, one in zip(every, said, strict=True):
        known: Answers = {name: None if value == "?" else value for name, value in answers.items() if value}
        assert one == expected(triage.diagnose(known)), answers


def test_answers_stand_in_the_address_and_come_back_from_it(page: Page, address: str) -> None:
    pages = page.evaluate("history.length")
    answered(page, "job", "running")
    answered(page, "lease", "?")
    page.locator('input[data-parameter="job"]').fill("4 2")
    expect(page).to_have_url(f"{address}design-export/triage/?job=running&lease=%3F&p.job=4+2")
    assert page.evaluate("history.length") == pages
    page.reload(wait_until="networkidle")
    expect(page.locator(".fm-triage input:checked")).to_have_count(2)
    expect(page.locator('input[data-parameter="job"]')).to_have_value("4 2")
    expect(page.locator(".fm-triage__status")).to_have_text("It is one of 4 states. Ask next: Generation.")
    page.get_by_role("button", name="Start again").click()
    expect(page.locator(".fm-triage input:checked")).to_have_count(0)
    expect(page.locator(".fm-triage__status")).to_contain_text("one of 10 states, or not in this matrix")
    expect(page).to_have_url(f"{address}design-export/triage/")


def test_an_address_with_words_that_do_not_exist_is_no_answer(page: Page, address: str) -> None:
    visit(page, f"{address}design-export/triage/?job=sleeping&nothing=here#found")
    expect(page.locator(".fm-triage input:checked")).to_have_count(0)
    expect(page.locator(".fm-triage__status")).to_contain_text("one of 10 states")


def test_one_state_is_told_with_what_is_safe_and_who_decides(page: Page, address: str) -> None:
    visit(page, f"{address}design-export/triage/?job=running&generation=current&lease=lapsed")
    found = page.locator(".fm-triage__found")
    expect(found).to_contain_text("It is: Lapsed lease.")
    expect(found).to_contain_text("Export on-call: Pager export-primary")
    expect(found).to_contain_text("It cannot be taken back. Authority that has lapsed does not come back.")
    found.get_by_role("link", name="Take over").click()
    page.wait_for_url("**/design-export/actions/take-over/")


def test_what_cannot_be_names_the_rule_that_was_broken(page: Page) -> None:
    answered(page, "job", "ready")
    answered(page, "writer", "open")
    found = page.locator(".fm-triage__found")
    expect(found).to_contain_text("This cannot be.")
    expect(found).to_contain_text("A rule was broken, or you look at the wrong subject")
    expect(found).to_contain_text("The row becomes visible only once the inserting transaction has ended.")
    expect(found.get_by_text("Safe now")).to_have_count(0)


def test_a_subject_that_was_never_there_is_said_to_be_outside(page: Page, address: str) -> None:
    visit(page, f"{address}design-export/triage/?job=invisible&writer=none&candidate=absent")
    expect(page.locator(".fm-triage__found")).to_contain_text("It is not, or no longer, in this matrix.")
    expect(page.locator(".fm-triage__outside")).to_have_text("Nothing was ever requested under this id. Check the id.")


def test_a_query_is_filled_in_as_text_whatever_is_typed(page: Page) -> None:
    query = page.locator("#ask-job pre code")
    page.locator("#ask-job summary").click()
    expect(query).to_contain_text("where id = %(job)s")
    assert query.locator("span").count() > 3
    page.locator('input[data-parameter="job"]').fill("4'2 <b>")
    expect(query).to_have_text("select coalesce((select state from job where id = '4''2 <b>'), 'invisible')")
    page.locator("#ask-candidate summary").click()
    expect(page.locator("#ask-candidate code").first).to_have_text("exports/4'2 <b>/{generation}")
    page.locator('input[data-parameter="job"]').fill("")
    expect(query).to_contain_text("where id = %(job)s")
    assert query.locator("span").count() > 3


def test_a_copied_query_has_its_parameters(browser: Browser, address: str) -> None:
    with watched(browser, address, viewport=WIDE, permissions=["clipboard-read", "clipboard-write"]) as page:
        visit(page, f"{address}design-export/triage/?p.job=42")
        page.locator("#ask-job summary").click()
        page.locator("#ask-job .highlight").hover()
        page.locator("#ask-job").get_by_title("Copy to clipboard").click()
        expect(page.locator(".md-dialog")).to_contain_text("Copied")
        assert "where id = '42')" in page.evaluate("navigator.clipboard.readText()")


def with_sitemap(page: Page, address: str) -> None:
    """Lets Material navigate without reloads, which it does where the site's address is configured."""
    paths = ("", "design-export/triage/", "design-export/states/taken-over/", "outbox-relay/triage/")
    places = "".join(f"<url><loc>{address}{path}</loc></url>" for path in paths)
    page.route(
        "**/sitemap.xml", lambda route: route.fulfill(body=f"<urlset>{places}</urlset>", content_type="text/xml")
    )


def test_it_is_reached_from_home_without_a_reload_and_works_at_each_visit(page: Page, address: str) -> None:
    with_sitemap(page, address)
    visit(page, address)
    page.evaluate("window.same = true")
    for matrix, name in (("design-export", "job"), ("outbox-relay", "row"), ("design-export", "job")):
        page.locator(f"#{matrix}").get_by_role("link", name="Which state is it in?").click()
        page.wait_for_url(f"**/{matrix}/triage/")
        expect(page.locator(".fm-triage")).to_be_visible()
        page.locator(f'input[name="{name}"]').first.check()
        expect(page).to_have_url(re.compile(rf"/{matrix}/triage/\?{name}="))
        page.locator(".md-header__button.md-logo").first.click()
        page.wait_for_url(address)
    assert page.evaluate("window.same")


def test_back_from_a_page_that_came_without_a_reload_the_answers_are_still_there(page: Page, address: str) -> None:
    with_sitemap(page, address)
    visit(page, f"{address}design-export/triage/")
    page.evaluate("window.same = true")
    answered(page, "job", "running")
    answered(page, "lease", "lapsed")
    page.locator(".fm-triage__states").get_by_role("link", name="Taken over").click()
    page.wait_for_url("**/states/taken-over/")
    page.go_back()
    page.wait_for_url("**/triage/?job=running&lease=lapsed")
    expect(page.locator(".fm-triage input:checked")).to_have_count(2)
    expect(page.locator(".fm-triage__status")).to_contain_text("one of 3 states")
    assert page.evaluate("window.same")


def test_by_keyboard_alone(page: Page) -> None:
    page.locator('input[data-parameter="generation"]').focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert status(page) == "It is one of 4 states. Ask next: Generation."
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#ask-job pre")).to_be_visible()
    page.locator(".fm-triage__next a").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    assert page.locator('input[name="generation"]:checked').get_attribute("value") == "current"
    assert status(page) == "It is one of 2 states. Ask next: Lease."
    assert "#" not in page.url


HEARD = ("form", "group", "link", "radio", "status", "textbox")


def spoken(page: Page) -> list[tuple[str, str]]:
    """Chromium's accessibility tree of the questions and of what follows, in the order in which it is read."""
    session = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}

    def walk(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
        if not node["ignored"] and node["role"]["value"] in HEARD:
            yield node["role"]["value"], node.get("name", {}).get("value", "")
        for child in node["childIds"]:
            yield from walk(nodes[child])

    return list(walk(next(node for node in nodes.values() if "parentId" not in node)))


def test_a_screen_reader_hears_each_question_its_answers_and_what_follows(page: Page) -> None:
    answered(page, "job", "running")
    tree = spoken(page)
    start = tree.index(("form", "What you observe"))
    question = ("group", "Lease: Is lease_until later than the database's clock?")
    at = tree.index(question, start)
    assert tree[at + 1] == ("radio", "none The row records no lease.")
    assert [role for role, _ in tree[at + 1 : at + 5]] == ["radio"] * 4
    assert tree[at + 4][1] == "I can\N{RIGHT SINGLE QUOTATION MARK}t tell"
    assert any(role == "textbox" and name.startswith("job") for role, name in tree)
    said = [place for place, (role, _) in enumerate(tree) if role == "status"]
    assert len(said) == 1
    assert ("link", "Valid lease") in tree[said[0] :]
    live = page.locator(".fm-triage__status")
    assert live.get_attribute("aria-live") == "polite"
    assert live.inner_text() == "It is one of 4 states. Ask next: Generation."


@pytest.mark.parametrize("answers", ["?job=running&lease=live", "?job=running&generation=current&lease=lapsed"])
def test_axe_has_nothing_against_it_in_either_palette(browser: Browser, address: str, answers: str) -> None:
    with watched(browser, address, viewport=WIDE, reduced_motion="reduce") as page:
        visit(page, f"{address}design-export/triage/{answers}")
        for palette, scheme in (("light", "default"), ("dark", "slate")):
            page.emulate_media(color_scheme=palette)
            expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)
            assert violations(page, CONTRAST) == []
            for size in (PHONE, WIDE):
                page.set_viewport_size(size)
                name = f"triage-{'one' if 'lapsed' in answers else 'several'}-{palette}-{size['width']}.png"
                page.screenshot(path=SHOTS / name, full_page=True, animations="disabled")
        for size in (WIDE, PHONE):
            page.set_viewport_size(size)
            assert violations(page, STRUCTURE) == []
            assert page.evaluate(OVERFLOW) == []


def test_on_a_phone_everything_can_be_hit_with_a_finger(browser: Browser, address: str) -> None:
    with watched(browser, address, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        visit(page, f"{address}design-export/triage/")
        page.locator("label", has_text="running").tap()
        targets = page.locator(
            ".fm-triage :is(label:has([type=radio]), summary, button[type=reset], input[type=text], a):visible"
        )
        small = targets.evaluate_all(
            "all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
        )
        assert small == []
        bar = page.locator(".fm-triage__bar a")
        expect(bar).to_be_in_viewport()
        expect(bar).to_have_text("It is one of 4 states. Ask next: Generation.")
        bar.tap()
        expect(page.locator(".fm-triage__next a")).to_be_in_viewport()
        page.locator(".fm-triage__next a").tap()
        expect(page.locator("#ask-generation legend")).to_be_in_viewport()


def test_without_javascript_the_decision_table_stands_there(browser: Browser, address: str) -> None:
    with watched(browser, address, viewport=PHONE, java_script_enabled=False) as page:
        visit(page, f"{address}design-export/triage/")
        expect(page.locator(".fm-triage")).to_be_hidden()
        expect(page.locator(".fm-decisions tbody th:visible", has_text="Lapsed lease")).to_have_count(1)


def test_it_works_without_a_network_and_from_a_file(browser: Browser, address: str, own_site: Path) -> None:
    context = browser.new_context()
    alone = context.new_page()
    visit(alone, f"{address}design-export/triage/")
    context.set_offline(True)
    answered(alone, "job", "complete")
    answered(alone, "generation", "current")
    expect(alone.locator(".fm-triage__status")).to_have_text("It is one of 2 states. Ask next: Candidate file.")
    alone.goto((own_site / "design-export" / "triage" / "index.html").as_uri() + "?job=running")
    expect(alone.locator(".fm-triage__status")).to_contain_text("one of 4 states")
    answered(alone, "lease", "live")
    expect(alone.locator(".fm-triage__status")).to_contain_text("one of 3 states")
    expect(alone).to_have_url(re.compile(r"\?job=running&lease=live$"))
    context.close()


def test_on_paper_stand_the_questions_the_findings_and_the_decision_table(page: Page) -> None:
    answered(page, "job", "running")
    page.emulate_media(media="print")
    page.set_viewport_size(ViewportSize(width=750, height=1000))
    for place in (".fm-triage__form", ".fm-triage__found", ".fm-decisions"):
        expect(page.locator(place)).to_be_visible()
    expect(page.locator(".fm-triage__bar")).to_be_hidden()
    assert page.evaluate(OVERFLOW) == []


def test_nothing_in_the_data_can_end_its_element() -> None:
    hostile = {"title": "</script><!--<script>", "and": "&lt; ]]> \u2028"}
    written = json_text(hostile)
    assert not re.search("[<>&]", written)
    assert json.loads(written) == hostile


def test_what_a_matrix_says_is_text(browser: Browser, project: Path) -> None:
    matrix = project / "matrix" / "job.yml"
    bomb = "</script><img src=x onerror=alert(1)><script>alert(2)</script>"
    title = re.findall(r"^    title: (.*)$", matrix.read_text(encoding="utf-8"), re.MULTILINE)
    for one in dict.fromkeys(title):
        edit(matrix, f"    title: {one}\n", f"    title: '{one} {bomb}'\n")
    done = command(project, "build")
    assert done.returncode == 0, done.stderr
    with serving(project / "site") as address, watched(browser, address, viewport=WIDE) as page:
        visit(page, f"{address}job/triage/")
        expect(page.locator(".fm-triage__status")).to_be_visible()
        expect(page.locator(".fm-triage__states a").first).to_contain_text("<img")


def test_the_script_is_small_and_fit_for_a_strict_policy() -> None:
    script = (ROOT / "generator" / "failure_matrix" / "assets" / "failure-matrix-triage.js").read_text(encoding="utf-8")
    assert len(script) < 16_000
    for word in ("innerHTML", "eval", "Function(", "insertAdjacentHTML", ".style", "http"):
        assert word not in script


def test_the_page_comes_first_after_the_overview() -> None:
    matrix = loader.load(ROOT / "matrix", ROOT).project.matrices["design-export"]
    assert urls.triage(matrix) == "design-export/triage"
