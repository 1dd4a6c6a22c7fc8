"""The search leads to the row, and before all to what somebody in trouble looks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browsing import watched
from playwright.sync_api import Browser, expect


@pytest.fixture(scope="module")
def entries(own_site: Path) -> list[dict[str, Any]]:
    index = json.loads((own_site / "search" / "search_index.json").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = index["docs"]
    return found


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("job_running_has_lease", "design-export/decision-table/#impossible-"),
        ("lease_until &lt;= clock_timestamp()", "design-export/states/leased/#failure-lease-lapses"),
        ("A renewal after lease_until would bring dead authority back", "design-export/states/lapsed/#forbidden-renew"),
        ("A later generation holds the job", "design-export/states/taken-over/"),
        ("Epochs only grow", "design-export/states/taken-over/"),
    ],
)
def test_a_column_an_error_text_and_a_reason_are_found_in_their_row(
    entries: list[dict[str, Any]], text: str, place: str
) -> None:
    assert any(place in entry["location"] for entry in entries if text in entry["text"])


def test_states_and_what_leads_to_them_come_before_evidence_and_rules(entries: list[dict[str, Any]]) -> None:
    boosts = {entry["location"]: entry.get("boost", 1) for entry in entries}
    for place in ("states/leased/", "failures/file-lost/", "actions/publish/", "observations/lease/", "triage/"):
        assert boosts[f"design-export/{place}"] > boosts["design-export/"]
    assert boosts["design-export/"] > boosts["design-export/evidence/"]
    assert boosts["problems/"] > boosts["rules/503/"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("take over", "/actions/take-over/"),
        ("lapsed lease", "/states/lapsed/"),
        ("lost or damaged", "/failures/file-lost/"),
        ("skip locked", "/outbox-relay/"),
    ],
)
def test_the_first_result_is_the_page_that_is_meant(browser: Browser, address: str, typed: str, first: str) -> None:
    with watched(browser, address) as page:
        page.goto(address, wait_until="networkidle")
        page.locator("[data-md-component=search-query]").press_sequentially(typed)
        result = page.locator(".md-search-result__link").first
        expect(result).to_be_attached()
        expect(page.locator(".md-search-result__meta")).to_contain_text("matching")
        assert first in (result.get_attribute("href") or "")
