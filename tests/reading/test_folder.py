"""What is read in a folder, and what becomes of files that can't be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from reading_helpers import OWNERS, load_one, no_file
from test_unreadable import SOUND

from failure_matrix import loader
from failure_matrix.errors import NoMatrix
from failure_matrix.model import Owner


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "a project" / "matrix"
    folder.mkdir(parents=True)
    (folder / "owners.yml").write_text(OWNERS, encoding="utf-8")
    (folder / "jobs.yml").write_text(SOUND, encoding="utf-8")
    return folder


def told(folder: Path) -> list[str]:
    loaded = loader.load(folder, folder.parent)
    return [f"{problem.location.path} {problem.rule} {problem.message}" for problem in loaded.problems]


def test_every_yaml_file_but_two_is_a_matrix(folder: Path) -> None:
    for name in ("relay.yaml", "more/inner.yml", "scenarios/jobs/first.yml", ".hidden.yml", "notes.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(SOUND, encoding="utf-8")
    (folder / "settings.yml").write_text("engine: dot\n", encoding="utf-8")
    loaded = loader.load(folder, folder.parent)
    assert loaded.problems == ()
    assert {matrix.id: matrix.path for matrix in loaded.project.matrices.values()} == {
        "jobs": "matrix/jobs.yml",
        "relay": "matrix/relay.yaml",
    }


def test_a_broken_file_does_not_hide_the_others(folder: Path) -> None:
    (folder / "broken.yml").write_text("title: [", encoding="utf-8")
    (folder / "wrong.yml").write_text(SOUND + "titel: x\n", encoding="utf-8")
    loaded = loader.load(folder, folder.parent)
    assert list(loaded.project.matrices) == ["jobs"]
    assert told(folder) == [
        "matrix/broken.yml 100 A value is missing here.",
        "matrix/wrong.yml 101 Unknown key `titel`.",
    ]
    assert sorted(loaded.project.texts) == [f"matrix/{name}.yml" for name in ("broken", "jobs", "owners", "wrong")]


def test_files_that_can_not_be_opened(folder: Path) -> None:
    (folder / "folder.yml").mkdir()
    (folder / "nowhere.yml").symlink_to("missing")
    (folder / "circle.yml").symlink_to("circle.yml")
    os.mkfifo(folder / "pipe.yml")
    assert told(folder) == [
        "matrix/circle.yml 100 The file can't be read: Too many levels of symbolic links.",
        "matrix/folder.yml 100 The file can't be read: It is a folder or a device, no file.",
        "matrix/nowhere.yml 100 The file can't be read: No such file or directory.",
        "matrix/pipe.yml 100 The file can't be read: It is a folder or a device, no file.",
    ]


def test_a_name_that_is_no_id(folder: Path) -> None:
    (folder / "Design Export.yml").write_text(SOUND + "titel: x\n", encoding="utf-8")
    message = "The file's name is the matrix's id, and `Design Export` is none: lower-case words joined by hyphens."
    assert told(folder) == [
        f"matrix/Design Export.yml 109 {message}",
        "matrix/Design Export.yml 101 Unknown key `titel`.",
    ]


def test_a_matrix_is_not_called_like_a_page_of_the_whole_site(folder: Path) -> None:
    (folder / "rules.yml").write_text(SOUND, encoding="utf-8")
    assert told(folder) == ["matrix/rules.yml 109 `rules` can't be a matrix's id: the site has a page of that name."]


def test_two_files_of_one_name(folder: Path) -> None:
    (folder / "jobs.yaml").write_text(SOUND, encoding="utf-8")
    (folder / "owners.yaml").write_text(OWNERS, encoding="utf-8")
    assert told(folder) == [
        "matrix/jobs.yaml 102 `matrix/jobs.yml` has the same name and is read; this file is not.",
        "matrix/owners.yaml 102 `matrix/owners.yml` has the same name and is read; this file is not.",
    ]


@pytest.mark.parametrize("name", ["owners.yml", "settings.yml"])
def test_a_folder_without_a_matrix(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("owners: {}\n", encoding="utf-8")
    with pytest.raises(NoMatrix, match=r"^There is no matrix in .*\. Write one, or begin with `.* init`\.$"):
        loader.load(tmp_path, tmp_path)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(NoMatrix, match=r"^The folder .*nowhere can't be read: No such file or directory\.$"):
        loader.load(tmp_path / "nowhere", tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(NoMatrix, match="Not a directory"):
        loader.load(tmp_path / "file", tmp_path)


def one_owner(entry: str) -> str:
    return f"owners: {{worker: {entry}}}\n"


def test_broken_owners_leave_no_reference_dangling(folder: Path) -> None:
    text = SOUND.replace("title: R,", "title: R, owner: worker,")
    (folder / "jobs.yml").write_text(text, encoding="utf-8")
    assert told(folder) == []
    broken = ("{titel: W}", "{title: [W]}", "{contact: x}", "W", "{title: W, contact: [x]}", "{title: W, aliases: A}")
    for owners in ("owners: [", "ownres: {worker: {title: W}}", "owners: [worker]", *map(one_owner, broken)):
        (folder / "owners.yml").write_text(owners, encoding="utf-8")
        assert [line.partition(" ")[0] for line in told(folder)] == ["matrix/owners.yml"]
        project = loader.load(folder, folder.parent).project
        assert project.matrices["jobs"].states["ready"].owner == Owner("worker", "worker")
        assert project.owners == {}
    (folder / "owners.yml").unlink()
    (folder / "owners.yml").mkdir()
    assert [line.partition(" ")[0] for line in told(folder)] == ["matrix/owners.yml"]


def test_without_owners_each_owner_dangles(folder: Path) -> None:
    (folder / "owners.yml").unlink()
    (folder / "jobs.yml").write_text(SOUND.replace("title: R,", "title: R, owner: worker,"), encoding="utf-8")
    (problem,) = loader.load(folder, folder.parent).problems
    assert problem.message == "There is no owner `worker`."
    assert problem.remedy == "There is none at all. Define it in `owners.yml`, beside the matrix."


def test_an_owner_is_located_in_its_file() -> None:
    project = load_one(SOUND).project
    place = project.locate_owner(("owners", "on-call", "title"))
    assert (place.path, place.line, OWNERS.splitlines()[2][place.column - 1 : place.end_column - 1]) == (
        "matrix/owners.yml",
        3,
        "On call",
    )


def test_wrong_settings(folder: Path) -> None:
    (folder / "settings.yml").write_text(
        "levels: {4: {level: note}, 413: {level: hint, because: x}, 414: {level: warnin, because: x}}\nengin: dot\n",
        encoding="utf-8",
    )
    assert told(folder) == [
        "matrix/settings.yml 109 The key `4` is not the number of a rule such as `413`.",
        "matrix/settings.yml 109 Found `hint`; expected: `error`, `warning`, `note` or `off`.",
        "matrix/settings.yml 109 Found `warnin`; expected: `error`, `warning`, `note` or `off`.",
        "matrix/settings.yml 101 Unknown key `engin`.",
    ]


def test_unsaved_texts_are_read_without_a_file() -> None:
    texts: dict[str, str | bytes] = {"m/jobs.yml": SOUND, "m/relay.yml": SOUND.encode()}
    loaded = loader.load_texts(texts, no_file)
    assert loaded.problems == ()
    assert list(loaded.project.matrices) == ["jobs", "relay"]


def test_the_same_texts_give_the_same_problems_in_the_same_order() -> None:
    texts: dict[str, str | bytes] = {f"m/{name}.yml": SOUND + "titel: x\nstat: y\n" for name in "cab"}
    first, again = loader.load_texts(texts, no_file), loader.load_texts(dict(reversed(texts.items())), no_file)
    assert first.problems == again.problems
    assert list(first.project.texts) == list(again.project.texts)
