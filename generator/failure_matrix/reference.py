"""The reference of the form, made from its JSON Schema: every key, what it says, and an example."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from failure_matrix.schema import json_schema

Json = Mapping[str, Any]

KINDS = {"string": "text", "integer": "whole number", "boolean": "true or false", "array": "list", "object": "mapping"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A key of the form: where it stands, what it is called and means, what it takes, and an example as YAML."""

    key: str
    title: str
    says: str
    kind: str
    required: bool
    example: str

    @property
    def anchor(self) -> str:
        """The entry's id on the page."""
        return self.key.replace("…", "x").replace(".", "-")


@dataclass(frozen=True, slots=True)
class Section:
    """A key at the top of a file, with all keys inside it."""

    entry: Entry
    inside: tuple[Entry, ...]


def sections(form: str) -> tuple[Section, ...]:
    """The keys of a form (`matrix`, `owners` or `settings`), in the schema's order."""
    schema = json_schema(form)
    found = []
    for key, entry, below in _keys(schema, schema, ""):
        found.append(Section(entry, tuple(_entries(below, schema, key))))
    return tuple(found)


def _entries(shape: Json, schema: Json, prefix: str) -> Iterator[Entry]:
    """All entries under a shape, each before those inside it."""
    for each in _alternatives(shape, schema):
        for key, entry, below in _keys(each, schema, prefix):
            yield entry
            yield from _entries(below, schema, key)
        if isinstance(other := each.get("additionalProperties"), dict):
            yield from _entries(_resolved(other, schema), schema, f"{prefix}.…")
        if isinstance(items := each.get("items"), dict):
            yield from _entries(_resolved(items, schema), schema, prefix)


def _keys(shape: Json, schema: Json, prefix: str) -> Iterator[tuple[str, Entry, Json]]:
    """The named keys of one mapping: where each stands, its entry, and the shape of its value."""
    for name, raw in shape.get("properties", {}).items():
        below = _resolved(raw, schema)
        key = f"{prefix}.{name}" if prefix else name
        examples = raw.get("examples") or below.get("examples") or [""]
        entry = Entry(
            key,
            raw.get("title") or below.get("title", ""),
            raw.get("description") or below.get("description", ""),
            _kind(below, schema),
            name in shape.get("required", ()),
            flow(examples[0]),
        )
        yield key, entry, below


def _alternatives(shape: Json, schema: Json) -> list[Json]:
    """The shapes that a value may have."""
    return [_resolved(each, schema) for each in shape["anyOf"]] if "anyOf" in shape else [shape]


def _resolved(shape: Json, schema: Json) -> Json:
    """A shape with its reference followed."""
    if "$ref" not in shape:
        return shape
    target: Json = schema["$defs"][shape["$ref"].rsplit("/", 1)[1]]
    return {**_resolved(target, schema), **{key: value for key, value in shape.items() if key != "$ref"}}


def _kind(shape: Json, schema: Json) -> str:
    """What a value has to be, in words."""
    if "enum" in shape:
        return " or ".join(shape["enum"])
    if "const" in shape:
        return str(shape["const"])
    kinds = []
    for each in _alternatives(shape, schema):
        named = each.get("type", "object" if "properties" in each else "")
        # A text may look like a number: the schema has both, so that editors take what the reader takes.
        kinds.append(KINDS.get("string" if "string" in named else named, named))
    return " or ".join(dict.fromkeys(kind for kind in kinds if kind))


def flow(value: object) -> str:
    """A value as YAML on one line, quoted only where it has to be."""
    match value:
        case Mapping():
            return "{" + ", ".join(f"{key}: {flow(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(flow(each) for each in value) + "]"
        case str():
            return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)
        case _:
            return json.dumps(value)


def _is_plain(text: str) -> bool:
    """Whether a text needs no quotes inside a flow mapping."""
    return bool(text) and not set(text) & set("{}[],:#&*!|>'\"%@`") and text == text.strip() and not text[0].isdigit()
