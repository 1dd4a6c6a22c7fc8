"""`failure-matrix init`: what it writes works, and nothing that exists is touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_command import run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A new project in a folder whose name has a space."""
    folder = tmp_path / "my service"
    done = run("init", str(folder), cwd=tmp_path)
    assert done.returncode == 0
    return folder


def test_what_it_writes_has_no_problem(project: Path) -> None:
    done = run("check", "--strict", cwd=project)
    assert (done.returncode, done.stdout) == (0, "No problems in 1 matrix.\n")


def test_what_it_writes_becomes_a_site(project: Path) -> None:
    done = run("build", "--strict", cwd=project)
    assert done.returncode == 0, done.stderr
    assert "Leased job" in (project / "site/index.html").read_text(encoding="utf-8")


def test_editors_find_the_schemas_that_the_files_name(project: Path) -> None:
    for name in ("job.yml", "owners.yml"):
        first = (project / "matrix" / name).read_text(encoding="utf-8").splitlines()[0]
        schema = first.removeprefix("# yaml-language-server: $schema=")
        printed = run("schema", schema.partition(".")[0], cwd=project).stdout
        assert (project / "matrix" / schema).read_text(encoding="utf-8") == printed


def test_it_says_what_to_do_next(tmp_path: Path) -> None:
    there = run("init", "new", cwd=tmp_path).stdout
    here = run("init", cwd=tmp_path).stdout
    assert there.splitlines()[-3:-1] == ["  cd new", "  failure-matrix check    check matrix/job.yml after each edit"]
    assert "  cd " not in here


def test_nothing_is_written_where_a_matrix_is(project: Path) -> None:
    before = contents(project)
    done = run("init", cwd=project)
    assert done.returncode == 3
    assert done.stderr == "failure-matrix: matrix is there already, so nothing was written.\n"
    assert contents(project) == before


def test_a_configuration_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: Mine\n", encoding="utf-8")
    done = run("init", cwd=tmp_path)
    assert (tmp_path / "mkdocs.yml").read_text(encoding="utf-8") == "site_name: Mine\n"
    assert "  add `failure-matrix` to the plugins in mkdocs.yml\n" in done.stdout
    assert not (tmp_path / "docs").exists()


def test_pages_that_exist_are_joined_by_none(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    run("init", cwd=tmp_path)
    assert (tmp_path / "mkdocs.yml").exists()
    assert list((tmp_path / "docs").iterdir()) == []


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
