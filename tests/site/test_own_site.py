"""The site of this repository: it builds, every link leads somewhere, and it is the same at each build."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from links import broken, repeated_ids
from projects import ROOT, command


def test_every_link_and_anchor_exists(own_site: Path) -> None:
    assert list(broken(own_site)) == []


def test_no_id_stands_twice_on_a_page(own_site: Path) -> None:
    assert list(repeated_ids(own_site)) == []


def test_each_state_action_failure_observation_and_owner_has_a_page(own_site: Path) -> None:
    pages = {path.parent.relative_to(own_site).as_posix() for path in own_site.rglob("index.html")}
    assert {
        "design-export",
        "design-export/decision-table",
        "design-export/states/leased",
        "design-export/actions/publish",
        "design-export/failures/file-lost",
        "design-export/observations/lease",
        "owners/on-call",
        "problems",
        "rules/201",
        "format",
    } <= pages


def test_no_request_leaves_the_site(own_site: Path) -> None:
    for path in own_site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for attribute in ('src="http', 'src="//', '<link rel="stylesheet" href="http', '@import url("http'):
            assert attribute not in text, path


def test_search_finds_a_row_and_not_just_its_page(own_site: Path) -> None:
    docs = json.loads((own_site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    found = [entry["location"] for entry in docs if "would bring dead authority back" in entry["text"]]
    assert "design-export/states/lapsed/#forbidden-renew" in found


def test_two_builds_give_the_same_bytes(own_site: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    shutil.copytree(own_site.parent, again, ignore=shutil.ignore_patterns("site", ".cache"))
    assert command(again, "build", "--strict").returncode == 0
    for path in sorted(own_site.rglob("*")):
        if path.is_file() and path.suffix != ".gz":
            assert path.read_bytes() == (again / "site" / path.relative_to(own_site)).read_bytes(), path


def test_the_readme_shows_a_matrix_that_works(tmp_path: Path) -> None:
    blocks = (ROOT / "README.md").read_text(encoding="utf-8").split("```yaml\n")
    files = {"lamp.yml": "schema: 1", "owners.yml": "owners:"}
    (tmp_path / "matrix").mkdir()
    for name, start in files.items():
        text = next(block.split("```")[0] for block in blocks if block.startswith(start))
        (tmp_path / "matrix" / name).write_text(text, encoding="utf-8")
    assert command(tmp_path, "check", "--strict").stdout == "No problems in 1 matrix.\n"
    assert command(tmp_path, "build", "--strict").returncode == 0


def test_the_readme_quotes_what_the_check_says_of_a_gap(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    matrix = text.split("```yaml\n")[2].split("```")[0]
    assert matrix.startswith("schema: 1")
    (tmp_path / "matrix").mkdir()
    with_gap = matrix.replace("yes: It is lit.}", "yes: It is lit., flickering: It is about to fail.}")
    (tmp_path / "matrix" / "lamp.yml").write_text(with_gap, encoding="utf-8")
    owners = text.split("```yaml\n")[3].split("```")[0]
    (tmp_path / "matrix" / "owners.yml").write_text(owners, encoding="utf-8")
    said = command(tmp_path, "check").stdout.replace("\n\n1 error in 1 file.\n", "")
    assert said in text


def test_the_docs_show_a_scenario_of_this_repository() -> None:
    scenario = (ROOT / "matrix" / "scenarios" / "design-export" / "takeover-race.yml").read_text(encoding="utf-8")
    assert f"```yaml\n{scenario}```" in (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
