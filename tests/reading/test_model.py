"""A matrix that uses every key of the form, each in every way it can be written, as the model holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from reading_helpers import dump

from failure_matrix.loader import Loaded, load
from failure_matrix.schema import json_schema

HERE = Path(__file__).parent
WHOLE = HERE / "whole"
REPOSITORY = HERE.parent.parent
Golden = Callable[[str, Path], None]


@pytest.fixture(scope="module")
def whole() -> Loaded:
    return load(WHOLE / "matrix", WHOLE)


def test_the_model_of_a_matrix(whole: Loaded, golden: Golden) -> None:
    assert whole.problems == ()
    golden("\n".join(dump(whole.project.matrices["whole"])) + "\n", HERE / "expected/whole.txt")


def test_owners_and_settings(whole: Loaded, golden: Golden) -> None:
    project = whole.project
    shared = {"owners": project.owners, "levels": project.levels, "settings": project.settings}
    golden("\n".join(dump(shared)) + "\n", HERE / "expected/shared.txt")


def test_all_texts_that_were_read_are_remembered(whole: Loaded) -> None:
    names = ["matrix/owners.yml", "matrix/settings.yml", "matrix/whole.yml", "src/claim.py"]
    assert sorted(whole.project.texts) == names
    for name in names:
        assert whole.project.texts[name] == (WHOLE / name).read_text(encoding="utf-8")


def test_references_are_the_same_objects(whole: Loaded) -> None:
    matrix = whole.project.matrices["whole"]
    assert matrix.owners is whole.project.owners
    assert matrix.states["running"].owner is matrix.owners["worker"]
    assert matrix.states["ready"].permitted[0].action is matrix.actions["claim"]
    assert matrix.observations["job"].source is matrix.sources["db"]


def test_the_example_uses_every_key_of_the_form() -> None:
    """So that the test of the model leaves nothing out."""
    for name, file in (("matrix", "whole"), ("owners", "owners"), ("settings", "settings")):
        text = (WHOLE / f"matrix/{file}.yml").read_text(encoding="utf-8")
        missing = [key for key in set(keys(json_schema(name))) if f"{key}:" not in text]
        assert missing == []


def keys(schema: Any) -> Iterator[str]:
    """All keys that the form itself names."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from keys(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from keys(part)


def test_the_matrices_of_this_repository_are_read_without_a_problem() -> None:
    loaded = load(REPOSITORY / "matrix", REPOSITORY)
    assert loaded.problems == ()
    assert len(loaded.project.matrices["design-export"].states) == 10
