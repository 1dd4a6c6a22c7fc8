"""The forms of scenarios and walks are JSON Schemas that an editor can use: an independent validator agrees."""

import json
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from failure_matrix.schema import json_schema

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "matrix" / "scenarios").glob("*/*.yml"))


def form_of(file: Path) -> str:
    return "walk" if file.stem == "walk" else "scenario"


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_this_projects_files_have_their_form(file):
    validator = jsonschema_rs.Draft202012Validator(json_schema(form_of(file)))
    data = json.loads(json.dumps(yaml.safe_load(file.read_text()), default=str))  # YAML takes some texts for dates
    assert [error.message for error in validator.iter_errors(data)] == []


@pytest.mark.parametrize("form", ["scenario", "walk"])
def test_every_example_in_a_form_has_the_form_itself(form):
    schema = json_schema(form)
    for name, part in schema["properties"].items():
        validator = jsonschema_rs.Draft202012Validator({**part, "$defs": schema["$defs"]})
        for example in part["examples"]:
            assert validator.is_valid(example), (name, example)


@pytest.mark.parametrize(
    "text",
    [
        "{title: t, sessions: {}, steps: [{a: x}]}",
        "{title: t, sessions: {a: {}}, steps: []}",
        "{title: t, sessions: {a: {}}, steps: [{a: x, count: many}]}",
        "{title: t, sessions: {a: {}}, steps: [{a: x}], orders: some}",
        "{title: t, sessions: {a: {}}, steps: [{a: x}], control: []}",
    ],
)
def test_what_has_another_form_is_refused(text):
    validator = jsonschema_rs.Draft202012Validator(json_schema("scenario"))
    assert not validator.is_valid(yaml.safe_load(text))
