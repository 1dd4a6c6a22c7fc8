"""The reader accepts what the JSON Schema accepts and refuses what it refuses: an independent validator is asked.

Mutations of whole matrices are written as YAML and read by the reader; the same data go to jsonschema-rs. Only the
form is compared, so the rules that no schema can state (references, ranges, dates) are left out.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from failure_matrix import source
from failure_matrix.schema import json_schema, shape, walk

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent
FILES = {
    "matrix": [HERE / "whole/matrix/whole.yml", REPOSITORY / "matrix/design-export.yml"],
    "owners": [HERE / "whole/matrix/owners.yml", REPOSITORY / "matrix/owners.yml"],
    "settings": [HERE / "whole/matrix/settings.yml"],
}
VALIDATORS = {name: jsonschema_rs.Draft202012Validator(dict(json_schema(name))) for name in FILES}

Data = Any


class Quoted(str):
    """A text in quotes, which nobody takes for anything else."""


class Plain(yaml.SafeLoader):
    """Every scalar a text, as written."""

    def construct_scalar(self, node: Any) -> str:
        return Quoted(node.value) if node.style else str(node.value)


Plain.yaml_implicit_resolvers = {}
Plain.add_constructor("tag:yaml.org,2002:str", Plain.construct_scalar)


def data_of(text: str) -> Data:
    return yaml.load(text, Loader=Plain)


DATA = {name: [data_of(file.read_text(encoding="utf-8")) for file in files] for name, files in FILES.items()}


def as_json(data: Data) -> Data:
    """What an editor makes of plain texts: numbers, truth values and nothing where they look like it."""
    if isinstance(data, dict):
        return {str(name): as_json(value) for name, value in data.items()}
    if isinstance(data, list):
        return [as_json(value) for value in data]
    if isinstance(data, Quoted):
        return str(data)
    if data in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[data]
    if isinstance(data, str) and re.fullmatch(r"0|[1-9][0-9]*", data):
        return int(data)
    return float(data) if isinstance(data, str) and re.fullmatch(r"[0-9]+\.[0-9]+", data) else data


class Writer(yaml.SafeDumper):
    """Texts plain where they can be, nothing for `None`, and no aliases."""

    def ignore_aliases(self, _: Data) -> bool:
        return True


Writer.yaml_implicit_resolvers = {}
Writer.add_representer(Quoted, lambda writer, data: writer.represent_scalar("tag:yaml.org,2002:str", data, style='"'))
Writer.add_representer(type(None), lambda writer, _: writer.represent_scalar("tag:yaml.org,2002:str", "", style=""))


def as_yaml(data: Data, flow: bool) -> str:
    return yaml.dump(data, Dumper=Writer, allow_unicode=True, default_flow_style=flow, sort_keys=False, width=200)


def places(data: Data) -> Iterator[tuple[Data, Any]]:
    """Every container with each of its keys or indexes."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(entries):
        yield data, key
        yield from places(value)


WORDS = [
    "ready",
    "none",
    "x",
    "Not an id",
    "true",
    "1",
    "12",
    "1.10",
    "null",
    "",
    Quoted("true"),
    Quoted("1"),
    " ",
    "outside",
    "owner",
    "to",
    "413",
    "2027-01-01",
    "é",
]
KEYS = [*WORDS, "run", "from", "values", "ranges", "title", "when"]
VALUES: list[Data] = [None, [], {}, ["a"], ["a", "a"], ["a", "b"], {"a": "b"}, {"none": "x"}, [["a"]], [{}], *WORDS]


def mutate(data: Data, rng: random.Random) -> Data:
    """A copy in which something was deleted, renamed, doubled, replaced, or moved from elsewhere."""
    data = copy.deepcopy(data)
    container, key = rng.choice(list(places(data)))
    kind = rng.randrange(6)
    if kind == 0:
        del container[key]
    elif kind == 1:
        container[key] = copy.deepcopy(rng.choice(VALUES))
    elif kind == 2:
        container[key] = [container[key]]
    elif kind == 3:
        other, name = rng.choice(list(places(data)))
        container[key] = copy.deepcopy(other[name])
    elif isinstance(container, dict):
        container[rng.choice([*WORDS, "run", "from", "values", "ranges", "title", "when"])] = copy.deepcopy(
            container[key]
        )
        if kind == 4:
            container.pop(key, None)
    else:
        container.append(copy.deepcopy(container[key]))
    return data


def reader_accepts(name: str, text: str) -> bool:
    document, _, problems = source.read("x.yml", text)
    if document is None:
        assert problems
        return False
    return not walk(document, shape(name))[1]


@pytest.mark.parametrize("name", FILES)
def test_the_originals_are_accepted_by_both(name: str) -> None:
    for file, data in zip(FILES[name], DATA[name], strict=True):
        assert reader_accepts(name, file.read_text(encoding="utf-8"))
        assert VALIDATORS[name].is_valid(as_json(data))
        assert reader_accepts(name, as_yaml(data, flow=True))


@pytest.mark.parametrize("name", FILES)
@given(seed=st.integers(0, 2**32), index=st.integers(0, 1), flow=st.booleans(), count=st.integers(1, 3))
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_mutations_are_accepted_or_refused_by_both(name: str, seed: int, index: int, flow: bool, count: int) -> None:
    rng = random.Random(seed)
    data = DATA[name][index % len(DATA[name])]
    for _ in range(count):
        data = mutate(data, rng) if list(places(data)) else data
    text = as_yaml(data, flow)
    expected = isinstance(data, dict) and bool(data) and VALIDATORS[name].is_valid(as_json(data))
    assert reader_accepts(name, text) == (expected or (data == {} and name == "settings")), text


def test_both_verdicts_are_seen_often() -> None:
    """Else agreement would say little."""
    verdicts = [
        VALIDATORS["matrix"].is_valid(as_json(mutate(DATA["matrix"][0], random.Random(seed)))) for seed in range(300)
    ]
    assert 60 < sum(verdicts) < 240


@pytest.mark.parametrize("name", FILES)
def test_the_forms_are_json_schemas(name: str) -> None:
    jsonschema_rs.meta.validate(dict(json_schema(name)))


@pytest.mark.parametrize("name", FILES)
def test_every_key_says_what_it_is_and_gives_an_example_that_fits(name: str) -> None:
    schema = dict(json_schema(name))
    for path, part in described(schema):
        assert {"title", "description", "examples"} <= part.keys(), path
        wrapped = jsonschema_rs.Draft202012Validator({**part, "$defs": schema["$defs"]})
        for example in part["examples"]:
            assert wrapped.is_valid(example), (path, example)


def described(schema: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every property of a schema, with what it refers to put in its place where it says nothing itself."""
    definitions = schema["$defs"]
    for owner, part in [("", schema), *((f"{name}.", part) for name, part in definitions.items())]:
        yield from ((f"{path}{owner}{key}", resolved(value, definitions)) for key, value in properties(part))


def properties(part: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(part, dict):
        yield from part.get("properties", {}).items()
        for key, value in part.items():
            if key != "$defs":
                yield from properties(value)
    elif isinstance(part, list):
        for value in part:
            yield from properties(value)


def resolved(part: Any, definitions: Any) -> Any:
    if "$ref" in part and "title" not in part:
        return definitions[part["$ref"].removeprefix("#/$defs/")]
    return part
