"""From what somebody says at three in the morning to the right state and a safe action, in three steps from home.

The reader is a plain one: of all that the home page lists, it takes what shares most words with what was said.
"""

from __future__ import annotations

import re

import pytest
from browsing import watched
from playwright.sync_api import Browser, Page, ViewportSize, expect

PHONE = ViewportSize(width=390, height=844)

LITTLE = frozenset(("a", "and", "but", "in", "is", "it", "my", "no", "of", "on", "that", "the", "there", "to", "an"))
"""Words that say nothing."""

SAID = {
    "the worker's pod is gone and the row says running": ("Valid lease", "design-export/states/leased/", "Cancel"),
    "SKIP LOCKED returns nothing but the count says 12": ("Pending event", "outbox-relay/states/pending/", "Claim"),
    "my update changed zero rows": ("Lapsed lease", "design-export/states/lapsed/", "Take over"),
    "there is a file on disk and no record": ("Orphan candidate", "design-export/states/orphan/", "Reconcile"),
    "the record is there and the download is 404": (
        "Unavailable artifact",
        "design-export/states/unavailable/",
        "Restore the file",
    ),
    "the request is cancelled and a file appeared": ("Orphan candidate", "design-export/states/orphan/", "Reconcile"),
    "the lease ran out and the worker still logs": ("Lapsed lease", "design-export/states/lapsed/", "Take over"),
}
"""What is said; the state by its name and its page, and an action that it permits."""


def stems(text: str) -> set[str]:
    """The words of a text that say something, without their endings."""
    return {word[:5] for word in re.findall(r"[a-z0-9]+", text.lower().replace("'s", "")) if word not in LITTLE}


def most_alike(page: Page, said: str) -> int:
    """The place of what shares most words with what was said, of all that the home page lists."""
    shared = [len(stems(said) & stems(text)) for text in page.locator(".fm-card li").all_inner_texts()]
    assert shared.count(max(shared)) == 1, f"{shared.count(max(shared))} entries fit equally well"
    return shared.index(max(shared))


@pytest.mark.parametrize("said", SAID)
def test_what_is_said_leads_to_the_state_and_a_safe_action(browser: Browser, address: str, said: str) -> None:
    title, path, safe = SAID[said]
    with watched(browser, address, viewport=PHONE) as page:
        page.goto(address, wait_until="networkidle")
        steps = 1
        page.locator(".fm-card li").nth(most_alike(page, said)).get_by_role("link").first.click()
        page.wait_for_url(re.compile(r"/(states|failures)/"))
        page.wait_for_load_state("networkidle")
        if not page.url.startswith(address + path):
            steps += 1
            page.locator("article table").get_by_role("link", name=title).first.click()
            page.wait_for_url(address + path)
            page.wait_for_load_state("networkidle")
        permitted = page.locator(".fm-glance .fm-yes").get_by_role("link", name=safe)
        expect(permitted.first).to_be_visible()
        assert steps < 3
        anchor = (permitted.first.get_attribute("href") or "").partition("#")[2]
        permitted.first.click()
        expect(page.locator(f"section#{anchor}")).to_be_in_viewport()


def test_words_that_say_nothing_are_no_words() -> None:
    assert stems("There is a file on the disk") == {"file", "disk"}
