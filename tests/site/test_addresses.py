"""Addresses that somebody keeps: each thing has one, it survives a renaming, and a command lists them all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browsing import serving, watched
from links import broken
from playwright.sync_api import Browser, expect
from projects import ROOT, command, edit


@pytest.fixture
def renamed(project: Path) -> Path:
    """The starter's matrix, in which a state, an action and a failure have former ids."""
    matrix = project / "matrix" / "job.yml"
    text = matrix.read_text(encoding="utf-8")
    for section, old in (("states", "old-state"), ("actions", "old-action"), ("failures", "old-failure")):
        first = re.search(rf"^{section}:.*\n  ([a-z-]+):\n", text, re.MULTILINE)
        assert first is not None
        text = text[: first.end()] + f"    aliases: {old}\n" + text[first.end() :]
    matrix.write_text(text, encoding="utf-8")
    return project


def test_a_former_id_leads_to_what_it_was(browser: Browser, renamed: Path) -> None:
    done = command(renamed, "build", "--strict")
    assert done.returncode == 0, done.stderr
    assert list(broken(renamed / "site")) == []
    found = json.loads(command(renamed, "links", "job", "--json").stdout)["links"]
    former = {each["id"]: each for each in found if each["id"].startswith("old-")}
    assert set(former) == {"old-state", "old-action", "old-failure"}
    with serving(renamed / "site") as address, watched(browser, address) as page:
        for link in former.values():
            page.goto(address + link["url"])
            page.wait_for_url(re.compile(r"/job/\w+/(?!old-)[a-z-]+/$"))
            expect(page.locator("h1")).to_contain_text(link["title"])


def test_the_command_lists_an_address_for_each_thing_and_each_is_there(own_site: Path) -> None:
    done = command(ROOT, "links", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["version"] == 1
    for link in found["links"]:
        assert (own_site / link["url"] / "index.html").is_file(), link
    kinds = {link["kind"] for link in found["links"]}
    assert kinds == {"triage", "state", "action", "failure", "observation"}
    assert {"design-export/states/leased/", "design-export/failures/file-lost/"} <= {e["url"] for e in found["links"]}


def test_a_base_makes_the_addresses_whole(project: Path) -> None:
    edit(project / "mkdocs.yml", "site_name:", "site_url: https://site.example/runbooks\nsite_name:")
    lines = command(project, "links").stdout.splitlines()
    assert lines[0].startswith("https://site.example/runbooks/job/triage/")
    lines = command(project, "links", "job", "--base", "https://other.example").stdout.splitlines()
    assert lines[0].split("  ")[0].strip() == "https://other.example/job/triage/"


def test_a_matrix_that_is_not_there_ends_with_2() -> None:
    done = command(ROOT, "links", "design-exprot")
    assert done.returncode == 2
    assert "did you mean 'design-export'?" in done.stderr
