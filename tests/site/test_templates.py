"""Templates of the user's own: whole ones, ones that extend ours, wrong ones, and what the docs say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from projects import ROOT, command, contents

from failure_matrix import pipeline, site
from failure_matrix.pages import Block, Templates
from failure_matrix.resources import templates_folder


@pytest.fixture
def own(project: Path) -> Path:
    """The folder of a project's own templates."""
    (project / "matrix" / "settings.yml").write_text("templates: own\n", encoding="utf-8")
    (project / "own").mkdir()
    return project / "own"


def built(project: Path, page: str) -> str:
    """A page of the project's site."""
    done = command(project, "build", "--strict")
    assert done.returncode == 0, done.stderr
    return (project / "site" / page / "index.html").read_text(encoding="utf-8")


def test_a_template_replaces_one_of_ours_and_leaves_the_others(own: Path) -> None:
    (own / "state.md.j2").write_text("# State {{ state.title | md }}\n\nOf {{ matrix.title }}.\n", encoding="utf-8")
    page = built(own.parent, "job/states/leased")
    assert re.search(r"<h1[^>]*>State Leased", page)
    assert "Of Leased job." in page
    assert "How you recognise it" not in page
    assert "Where it is permitted" in (own.parent / "site/job/actions/claim/index.html").read_text(encoding="utf-8")


def test_a_template_extends_one_of_ours_as_the_docs_show(own: Path) -> None:
    example = (ROOT / "docs" / "templates.md").read_text(encoding="utf-8").split("```jinja\n")[1].split("```")[0]
    (own / "state.md.j2").write_text(example, encoding="utf-8")
    page = built(own.parent, "job/states/leased")
    assert '<a href="https://dashboards.example/leased">Leased</a>' in page
    assert "How you recognise it" in page
    assert page.index("What leads here and away") < page.index("dashboards.example")


def test_pieces_that_pages_share_can_be_replaced_too(own: Path) -> None:
    pieces = (templates_folder() / "macros.html.j2").read_text(encoding="utf-8")
    (own / "macros.html.j2").write_text(pieces.replace("All matrices", "Everything"), encoding="utf-8")
    assert ">Everything</a>" in built(own.parent, "job/states/leased")


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("# One\n\n{{ stat.title }}\n", "state.md.j2:3", "'stat' is undefined"),
        ("# One\n{{ state.titel }}\n", "state.md.j2:2", "has no attribute 'titel'"),
        ("# One\n{% if state %}\n", "state.md.j2:2", "Unexpected end of template"),
        ("# One\n{{ state.title | mad }}\n", "state.md.j2:2", "No filter named 'mad'"),
        ('{% extends "builtin/sate.md.j2" %}\n', "state.md.j2:1", "builtin/sate.md.j2"),
    ],
    ids=["unknown-name", "unknown-attribute", "not-closed", "unknown-filter", "unknown-template"],
)
def test_a_wrong_template_stops_the_build_and_leaves_the_last_site(
    own: Path, text: str, place: str, reason: str
) -> None:
    (own.parent / "site").mkdir()
    (own.parent / "site" / "index.html").write_text("The last good one", encoding="utf-8")
    (own / "state.md.j2").write_text(text, encoding="utf-8")
    done = command(own.parent, "build")
    assert done.returncode == 3
    assert f"own/{place}" in done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(own.parent / "site") == {"index.html": b"The last good one"}


def test_a_folder_of_templates_that_does_not_exist_stops_the_build(project: Path) -> None:
    (project / "matrix" / "settings.yml").write_text("templates: won\n", encoding="utf-8")
    done = command(project, "build")
    assert done.returncode == 3
    assert "The settings name the folder won for templates" in done.stderr


class Recording(Templates):
    """Templates that remember what each was given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: dict[str, set[str]] = {}

    def render(self, template: str, context: Mapping[str, Any]) -> tuple[str, tuple[Block, ...]]:
        names = {name for name, value in context.items() if value not in ([], None)}
        self.given.setdefault(template, set()).update(names)
        return super().render(template, context)


def documented() -> Iterator[tuple[str, set[str]]]:
    """The templates of the docs' table, with the names that each is given."""
    rows = re.findall(r"^\| (`.+?) \|.+\|(.*)\|$", (ROOT / "docs" / "templates.md").read_text(encoding="utf-8"), re.M)
    for templates, names in rows:
        for template, given in zip(templates.split(", "), names.split(";"), strict=True):
            yield template.strip("`"), set(re.findall(r"`(\w+)`", given))


def test_the_docs_name_each_template_and_what_it_is_given() -> None:
    named = dict(documented())
    assert sorted(named) == sorted(path.name for path in templates_folder().iterdir())

    project, checked = pipeline.read_and_check(ROOT / "matrix", ROOT, date(2026, 12, 1))
    recording = Recording()
    site.make(site.Sources(project, checked), lambda diagrams: {one.id: "<svg></svg>" for one in diagrams}, recording)
    text = (ROOT / "docs" / "templates.md").read_text(encoding="utf-8").partition("Each is also given")[2]
    shared = set(re.findall(r"`(\w+)`", text.partition("is the relative")[0]))
    for template, given in recording.given.items():
        assert given - shared == named[template] - shared, template
