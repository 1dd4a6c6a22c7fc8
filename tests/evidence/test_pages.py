"""The pages of evidence: what was run is marked, and nothing stale or failed ever looks as if it were shown."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from failure_matrix import pipeline
from failure_matrix.evidence.shown import known
from failure_matrix.loader import load
from failure_matrix.pages import Page
from failure_matrix.site import Site

ROOT = Path(__file__).parents[2]
MATRIX = "design-export"
RECORD = f"matrix/evidence/{MATRIX}.json"
FILES = (f"matrix/{MATRIX}.yml", "matrix/owners.yml", f"matrix/schemas/{MATRIX}.sql", RECORD)

Pages = Callable[[], dict[str, Page]]


def copied(folder: Path) -> Path:
    """This project's own matrix of the design export, with its scenarios and its record."""
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "matrix" / "scenarios" / MATRIX, folder / "matrix" / "scenarios" / MATRIX)
    return folder


def make(project: Path) -> pipeline.Made:
    folder, cache = project / "matrix", ROOT / ".cache" / "failure-matrix"
    return pipeline.make(pipeline.Request(folder, project, date(2026, 12, 1), cache=cache))


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site of the copy as it is, made once."""
    site = make(copied(tmp_path_factory.mktemp("unchanged"))).site
    assert site is not None
    return site


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copied(tmp_path)


@pytest.fixture
def made(project: Path) -> Callable[[], pipeline.Made]:
    return lambda: make(project)


@pytest.fixture
def pages(made: Callable[[], pipeline.Made]) -> Pages:
    def built() -> dict[str, Page]:
        whole = made().site
        assert whole is not None
        return by_key(whole)

    return built


def by_key(site: Site) -> dict[str, Page]:
    return {page.key: page for page in site.pages}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def change_record(project: Path, change: Callable[[dict], None]) -> None:
    record = json.loads((project / RECORD).read_text(encoding="utf-8"))
    change(record)
    (project / RECORD).write_text(json.dumps(record), encoding="utf-8")


def plain(page: Page, after: str = "", before: str = "") -> str:
    """The text of a page, or of the part of it between two texts."""
    html = page.markdown
    html = html.partition(after)[2] if after else html
    html = html.partition(before)[0] if before else html
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def row(page: Page, anchor: str) -> str:
    """The text of a row."""
    return plain(page, f'id="{anchor}"', "</tr>")


def test_a_cell_is_marked_on_each_page_that_shows_it(unchanged: Site) -> None:
    found = by_key(unchanged)
    assert "● shown" in row(found["design-export/index"], "state-leased")
    action = plain(found["design-export/states/leased"], 'id="permitted-publish"', "</section>")
    assert "● Shown by the walk , “" in action
    assert re.search(r"on PostgreSQL \d\d", action)
    assert "● Shown by" in row(found["design-export/states/lapsed"], "forbidden-publish")
    assert "● Shown by" in row(found["design-export/actions/publish"], "state-leased")
    assert "● Shown by" in row(found["design-export/failures/file-lost"], "state-published")


def test_a_cell_that_nothing_shows_says_why(unchanged: Site) -> None:
    found = by_key(unchanged)
    renamed = row(found["design-export/states/orphan"], "forbidden-rename")
    assert "○ Not shown . It has no statement that could be run." in renamed
    assert "Rename the candidate ○ not shown" in plain(found["design-export/evidence/index"], "What is not shown")


def test_the_overview_counts_what_is_shown(unchanged: Site) -> None:
    found = by_key(unchanged)
    told = plain(found["design-export/index"], "## What is shown, and what is not")
    cells, shown, rest = map(
        int, re.search(r"Of these (\d+) cells, (\d+) are shown , by .*?; (\d+) are not", told).groups()
    )
    assert cells == shown + rest
    assert plain(found["design-export/evidence/index"]).count("○ not shown") == rest + 1  # and the heading of the table


def test_the_navigation_leads_to_the_evidence(unchanged: Site) -> None:
    nav = unchanged.nav
    [matrix] = [entry["Design export"] for entry in nav if isinstance(entry, dict) and "Design export" in entry]
    evidence = matrix[-1]["Evidence"]
    assert evidence[:2] == ["design-export/evidence/index", "design-export/evidence/walk"]
    assert "design-export/evidence/scenarios/takeover-race" in evidence[2]["Scenarios"]


def test_a_scenario_has_a_lane_for_each_session(unchanged: Site) -> None:
    page = by_key(unchanged)["design-export/evidence/scenarios/takeover-race"]
    assert "Session b Session c" in plain(page, "<thead>", "</thead>")
    assert row(page, "step-4").endswith("→ waits for b") or "waits for b" in row(page, "step-4")
    assert "goes on no row" in row(page, "step-5")
    assert "Without it the second worker takes over from the first." in plain(page, "What each condition is for")


def test_all_orders_say_how_many_hold_and_show_the_first_that_does_not(unchanged: Site) -> None:
    found = by_key(unchanged)
    broken = plain(found["design-export/evidence/scenarios/orders-check-then-write"])
    assert "3 of them break the invariant, as the scenario says; 3 don't." in broken
    assert "the invariant returns:" in broken
    assert "None of them breaks" in plain(found["design-export/evidence/scenarios/orders-stale-publication"])


def test_the_walk_shows_what_was_visited_and_what_was_not(unchanged: Site) -> None:
    page = by_key(unchanged)["design-export/evidence/walk"]
    assert "It happened 8 times, and led to Confirmed publication." in row(page, "walk-publish")
    assert "only discipline forbids it" in row(page, "walk-cancel")
    assert "The walk did not try it." in row(page, "walk-rename")


def test_an_edited_statement_makes_its_evidence_stale_and_never_shown(
    project: Path, made: Callable[[], pipeline.Made], pages: Pages
) -> None:
    edit(
        project / "matrix/design-export.yml",
        "set state = 'complete', candidate =",
        "set state = 'complete',  candidate =",
    )
    found = pages()
    assert [problem.rule for problem in made().checked.problems if problem.level == "error"] == ["603"]
    action = plain(found["design-export/states/leased"], 'id="permitted-publish"', "</section>")
    assert "◐ Stale by the walk" in action
    assert "Shown" not in action
    for kind in ("index", "walk", "scenarios/stale-publication"):
        assert "stale" in plain(found[f"design-export/evidence/{kind}"], 'class="fm-banner"', "</p>")
    assert "● Holds" not in plain(found["design-export/evidence/scenarios/stale-publication"])
    assert "are stale" in plain(found["design-export/index"], "## What is shown, and what is not")
    # What runs other statements only still counts.
    assert "● Holds" in plain(found["design-export/evidence/scenarios/takeover-race"])


def test_a_stale_record_stops_a_strict_build_and_no_other(project: Path) -> None:
    edit(
        project / "matrix/design-export.yml",
        "set state = 'complete', candidate =",
        "set state = 'complete',  candidate =",
    )
    strict, lax = (
        subprocess.run(
            [sys.executable, "-m", "failure_matrix", "build", *options],
            cwd=project,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        for options in (["--strict"], [])
    )
    assert strict.returncode == 1
    assert f"{RECORD}:1:1: " in strict.stderr
    assert "(rule 603)" in strict.stderr
    assert lax.returncode == 0
    assert "Stale" in (project / "site/design-export/states/leased/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("schemas/design-export.sql", "create table", "create  table"),
        (
            "design-export.yml",
            "where id = %(job)s and lease_until is not null",
            "where id = %(job)s and lease_until>'-infinity'",
        ),
        ("scenarios/design-export/walk.yml", "clock: [120]", "clock: [60]"),
    ],
    ids=["tables", "observation", "walk"],
)
def test_other_tables_observations_or_bounds_make_the_walk_stale(
    project: Path, pages: Pages, name: str, old: str, new: str
) -> None:
    edit(project / "matrix" / name, old, new)
    marks = re.findall(r"fm-status-([a-z-]+)", pages()["design-export/index"].markdown)
    assert "stale" in marks


def sources(project: Path, state: str, action: str) -> tuple[str, ...]:
    """What a cell is shown by."""
    folder = project / "matrix"
    evidence = known(folder, project, load(folder, project).project).evidence[MATRIX]
    return evidence.cells()[state, action].by


def test_a_scenario_that_is_gone_shows_nothing(project: Path, pages: Pages) -> None:
    assert "same-name" in sources(project, "leased", "publish")
    (project / "matrix/scenarios/design-export/same-name.yml").unlink()
    assert "same-name" not in sources(project, "leased", "publish")
    assert "design-export/evidence/scenarios/same-name" not in pages()


def test_a_scenario_whose_control_broke_nothing_shows_nothing(project: Path) -> None:
    def fail(record: dict) -> None:
        record["scenarios"]["same-name"] |= {"holds": False, "breaks": []}

    assert "same-name" in sources(project, "leased", "publish")
    change_record(project, fail)
    assert "same-name" not in sources(project, "leased", "publish")


def test_what_did_not_hold_is_marked_wherever_it_counts(
    project: Path, made: Callable[[], pipeline.Made], pages: Pages
) -> None:
    def fail(record: dict) -> None:
        scenario = record["scenarios"]["stale-publication"]
        scenario |= {"holds": False, "breaks": ["Step 6 (a): expected 0 rows; came 1 row."]}
        record["holds"] = False

    change_record(project, fail)
    found = pages()
    scenario = plain(found["design-export/evidence/scenarios/stale-publication"])
    assert "● Holds" not in scenario
    assert "≠ Does not hold" in scenario
    assert "expected 0 rows; came 1 row." in scenario
    assert "6 broke" in row(found["design-export/evidence/scenarios/stale-publication"], "step-6")
    assert "≠ Contradicted by “A superseded generation" in plain(found["design-export/states/leased"])
    assert "Not everything held" in plain(found["design-export/evidence/index"])
    assert "Not everything held" in plain(found["design-export/index"])
    assert "602" in {problem.rule for problem in made().checked.problems}


def test_what_the_walk_found_is_told_with_its_way(project: Path, pages: Pages) -> None:
    def find(record: dict) -> None:
        found = {"kind": "changed", "message": "publish in lapsed: it changed 1 row.", "at": ["states", "lapsed"]}
        found |= {"state": "lapsed", "event": "publish", "way": ["the empty tables", "publish (job 1)"]}
        record["walk"] |= {"holds": False, "found": [found]}
        record["holds"] = False

    change_record(project, find)
    found = pages()
    assert "≠ Contradicted by the walk . publish in lapsed: it changed 1 row." in row(
        found["design-export/states/lapsed"], "forbidden-publish"
    )
    assert "The way there: the empty tables publish (job 1)" in plain(found["design-export/evidence/walk"])


def test_without_a_record_nothing_is_marked_and_the_overview_says_so(project: Path, pages: Pages) -> None:
    (project / RECORD).unlink()
    found = pages()
    assert "None of them has been run against a database yet" in plain(found["design-export/index"])
    assert "fm-status" not in found["design-export/index"].markdown
    assert "Nothing has been run." in plain(found["design-export/evidence/index"])
    assert "This has not been run." in plain(found["design-export/evidence/scenarios/takeover-race"])


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("{", "1:2", "This is no JSON: Expecting property name enclosed in double quotes."),
        ('{\n  "form": 1,\n}', "3:1", "This is no JSON"),
        ('{"form": 2}', "1:1", "The record's form is 2; 1 is read."),
        ("[]", "1:1", "`the record` is a list; an object is expected."),
        ('{"form": 1, "suite": "x", "holds": 1}', "1:1", "`holds` is a number; true or false is expected."),
        (
            '{"form": 1, "suite": "x", "holds": true, "scenarios": {"a": '
            '{"title": "", "digest": "", "place": "", "holds": true, "orders": true}}}',
            "1:1",
            "`scenarios.a.orders` is true or false; a number or null is expected.",
        ),
        ("\ufffe", "1:1", "This is no JSON"),
    ],
)
def test_a_record_that_cannot_be_read_is_a_problem_with_its_place(
    project: Path, made: Callable[[], pipeline.Made], text: str, place: str, message: str
) -> None:
    (project / RECORD).write_text(text, encoding="utf-8")
    [problem] = [each for each in made().checked.problems if each.level == "error"]
    assert str(problem.location) == f"{RECORD}:{place}"
    assert problem.message.startswith(message)
    assert problem.remedy == "Let `failure-matrix verify --matrix design-export` write it anew."


def test_a_matrix_that_cannot_be_read_brings_no_problem_of_its_evidence(
    project: Path, made: Callable[[], pipeline.Made]
) -> None:
    edit(project / "matrix/design-export.yml", "title: Design export", "tilte: Design export")
    assert {problem.rule for problem in made().checked.problems if problem.level == "error"} <= {"101", "111"}


def test_text_of_a_record_and_of_a_scenario_is_text(project: Path, pages: Pages) -> None:
    def poison(record: dict) -> None:
        for scenario in record["scenarios"].values():
            for step in scenario.get("steps", ()):
                step["ran"] = "select '<script>alert(1)</script>' {{ 777 * 777 }}"
                step["note"] = "<script>alert(2)</script>"

    change_record(project, poison)
    path = project / "matrix/scenarios/design-export/takeover-race.yml"
    edit(path, "title: Of two", "title: <script>alert(3)</script> *of* two")
    for page in pages().values():
        assert "<script>alert" not in page.markdown, page.key
        assert "603729" not in page.markdown, page.key
