"""Builds of other people's projects: broken ones, strange ones, and those that MkDocs builds by itself."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from links import broken, pages, repeated_ids
from projects import ROOT, command, contents, edit, run

from failure_matrix.urls import TAKEN

LAST = {"index.html": b"The last good one", "old/index.html": b"And its page"}


@pytest.fixture
def last(project: Path) -> Path:
    """A project that has been built before."""
    for name, content in LAST.items():
        path = project / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return project


def mkdocs(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(folder, sys.executable, "-m", "mkdocs", "build", *arguments, NO_MKDOCS_2_WARNING="1")


def built(folder: Path, **environment: str) -> Path:
    done = command(folder, "build", "--strict", **environment)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def test_an_error_in_a_matrix_is_told_and_leaves_the_last_site(last: Path) -> None:
    edit(last / "matrix" / "job.yml", "when: {job: done}", "when: {job: dnoe}")
    done = command(last, "build")
    assert done.returncode == 1
    assert "matrix/job.yml:" in done.stderr
    assert "dnoe" in done.stderr
    assert "done" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(last / "site") == LAST
    assert sorted(path.name for path in last.iterdir() if path.name.startswith(".site")) == []


def test_a_build_replaces_the_whole_last_site(last: Path) -> None:
    site = built(last)
    assert not (site / "old").exists()
    assert b"Leased job" in (site / "index.html").read_bytes()
    assert sorted(path.name for path in last.iterdir() if path.name.startswith(".site")) == []


def test_strict_stops_on_what_mkdocs_warns_of(last: Path) -> None:
    (last / "docs" / "notes.md").write_text("# Notes\n\n[Nowhere](nowhere.md)\n", encoding="utf-8")
    done = command(last, "build", "--strict")
    assert done.returncode == 1
    assert "nowhere.md" in done.stderr
    assert contents(last / "site") == LAST
    assert command(last, "build").returncode == 0


def test_without_a_matrix_there_is_one_sentence(tmp_path: Path) -> None:
    done = command(tmp_path, "build")
    assert done.returncode == 3
    assert "matrix" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_graphviz_there_is_one_sentence(last: Path) -> None:
    (last / "matrix" / "settings.yml").write_text("engine: no-such-dot\n", encoding="utf-8")
    done = command(last, "build")
    assert done.returncode == 3
    assert "no-such-dot" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert contents(last / "site") == LAST


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_mkdocs_builds_with_nothing_but_the_plugin(project: Path, theme: str) -> None:
    text = f"site_name: Ours\ntheme: {theme}\nplugins: [failure-matrix]\n"
    (project / "mkdocs.yml").write_text(text, encoding="utf-8")
    done = mkdocs(project, "--strict")
    assert done.returncode == 0, done.stderr
    assert list(broken(project / "site")) == []
    page = (project / "site" / "job" / "states" / "lapsed" / "index.html").read_text(encoding="utf-8")
    assert "The worker has lost its authority. It may still be running." in page
    assert "assets/failure-matrix/failure-matrix.css" in page


def test_mkdocs_leaves_the_site_where_a_matrix_is_broken(last: Path) -> None:
    edit(last / "matrix" / "job.yml", "owner: workers", "owner: wokers")
    done = mkdocs(last)
    assert done.returncode == 1
    assert "wokers" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(last / "site") == LAST


def test_pages_without_directories(project: Path) -> None:
    with (project / "mkdocs.yml").open("a", encoding="utf-8") as configuration:
        configuration.write("use_directory_urls: false\n")
    site = built(project)
    assert (site / "job" / "states" / "leased.html").exists()
    assert list(broken(site)) == []


def test_a_home_page_of_the_users_own_keeps_its_place(project: Path) -> None:
    (project / "docs" / "index.md").write_text("# Ours\n\n[All](matrices.md)\n", encoding="utf-8")
    site = built(project)
    assert "<h1" in (site / "index.html").read_text(encoding="utf-8")
    assert "Find the state" not in (site / "index.html").read_text(encoding="utf-8")
    assert "Find the state" in (site / "matrices" / "index.html").read_text(encoding="utf-8")
    assert list(broken(site)) == []


def test_the_navigation_places_ours_where_it_is_named(project: Path) -> None:
    (project / "docs" / "index.md").write_text("# Ours\n", encoding="utf-8")
    (project / "mkdocs.yml").write_text(
        "site_name: Ours\ntheme: material\nplugins: [failure-matrix]\n"
        "nav: [index.md, {Operations: failure-matrix}, notes.md]\n",
        encoding="utf-8",
    )
    links = pages(built(project))["index.html"].links
    order = [links.index(one) for one in ("matrices/", "job/", "problems/", "notes/")]
    assert order == sorted(order)


def test_matrices_with_the_same_ids_stand_beside_each_other(project: Path) -> None:
    text = (project / "matrix" / "job.yml").read_text(encoding="utf-8")
    other = text.replace("title: Leased job", "title: Another job")
    (project / "matrix" / "another.yml").write_text(other, encoding="utf-8")
    site = built(project)
    assert list(broken(site)) == []
    assert list(repeated_ids(site)) == []
    owner = (site / "owners" / "workers" / "index.html").read_text(encoding="utf-8")
    assert "Leased job" in owner
    assert "Another job" in owner


def test_a_matrix_whose_names_are_those_of_our_pages(project: Path) -> None:
    text = (project / "matrix" / "job.yml").read_text(encoding="utf-8")
    (project / "matrix" / "job.yml").rename(project / "matrix" / "states.yml")
    text = text.replace("title: Leased job", "title: Ready").replace("title: Done", "title: Failures")
    (project / "matrix" / "states.yml").write_text(text, encoding="utf-8")
    site = built(project)
    assert list(broken(site)) == []
    assert list(repeated_ids(site)) == []


def test_a_path_with_a_space_and_no_git(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a folder" / "of mine"
    shutil.copytree(project, folder)
    site = built(folder, PATH="/nowhere")
    assert list(broken(site)) == []


def test_the_site_can_go_elsewhere(project: Path, tmp_path: Path) -> None:
    done = command(project, "build", "--site-dir", str(tmp_path / "public" / "ours"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "public" / "ours" / "job" / "index.html").exists()
    assert not (project / "site").exists()


def test_a_matrix_cannot_be_called_as_a_page_of_the_site(own_site: Path) -> None:
    pages_of_all = {path.name for path in own_site.iterdir() if path.is_dir()}
    written = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert pages_of_all - written - {path.stem for path in (ROOT / "matrix").glob("*.yml")} <= TAKEN
