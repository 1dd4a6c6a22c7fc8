"""The JSON Schemas, and what a walk over nodes needs to know of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

NAMES = ("matrix", "owners", "settings")
"""The forms: of a matrix, of `owners.yml` and of `settings.yml`."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scalar:
    """What a single value has to be. `expected` says it in words."""

    expected: str
    pattern: re.Pattern[str] | None = None
    words: tuple[str, ...] = ()
    kind: str = "string"
    refused: str = ""
    may_be_empty: bool = False


@dataclass(frozen=True, slots=True)
class Array:
    """What a list has to be."""

    items: Shape
    at_least: int
    at_most: int | None
    unique: bool


@dataclass(frozen=True, slots=True)
class Object:
    """What a mapping has to be: known keys, or any keys of one form, and which have to be there.

    Of the `choices`, one key at most may be there, and one has to be where `needs_choice` is set.
    """

    keys: Mapping[str, Shape]
    other: Shape | None
    key: Scalar | None
    required: tuple[str, ...]
    choices: tuple[str, ...]
    needs_choice: bool
    at_least: int
    at_most: int | None

    def accepts(self, key: str) -> bool:
        """Whether a key may be chosen by the author."""
        rule = self.key
        return rule is not None and key != rule.refused and rule.pattern is not None and bool(rule.pattern.search(key))


@dataclass(frozen=True, slots=True)
class Shape:
    """What a value has to be: one of a scalar, a list and a mapping. `description` is a sentence about it."""

    description: str = ""
    scalar: Scalar | None = None
    array: Array | None = None
    object: Object | None = None


def schema_text(name: str) -> str:
    """The text of a JSON Schema, by the form's name (`matrix`, `owners` or `settings`)."""
    return Path(__file__).with_name(f"{name}.schema.json").read_text(encoding="utf-8")


@cache
def json_schema(name: str) -> Json:
    """A JSON Schema (2020-12), by the form's name."""
    schema: Json = json.loads(schema_text(name))
    return schema


@cache
def shape(name: str) -> Shape:
    """What a file of a form has to be."""
    schema = json_schema(name)
    return _Compiler(schema["$defs"]).shape(schema)


class _Compiler:
    """Turns schemas into shapes. Of JSON Schema it knows what the forms use, and no more."""

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self.definitions = definitions

    def shape(self, schema: Json) -> Shape:
        schema = self.resolved(schema)
        if "anyOf" in schema:
            return self.any_of(schema)
        about = schema.get("description", "")
        if schema.get("type") == "object":
            return Shape(about, object=self.object(schema))
        if schema.get("type") == "array":
            return Shape(about, array=self.array(schema))
        return Shape(about, scalar=self.scalar(schema))

    def resolved(self, schema: Json) -> Json:
        """The schema with what it refers to. What stands beside the reference goes before."""
        if "$ref" not in schema:
            return schema
        target = self.resolved(self.definitions[schema["$ref"].removeprefix("#/$defs/")])
        return {**target, **schema}

    def any_of(self, schema: Json) -> Shape:
        """The alternatives in one. Each is of another kind, so that a value's kind tells which one is meant."""
        merged = Shape(schema.get("description", ""))
        for alternative in map(self.shape, schema["anyOf"]):
            if alternative.scalar:
                merged = replace(merged, scalar=alternative.scalar)
            if alternative.array:
                merged = replace(merged, array=alternative.array)
            if alternative.object:
                merged = replace(merged, object=alternative.object)
        return merged

    def scalar(self, schema: Json) -> Scalar:
        if "const" in schema:
            return Scalar(f"`{schema['const']}`", words=(str(schema["const"]),), kind="integer")
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if kinds == ["boolean"]:
            return Scalar("`true` or `false`", words=("true", "false"), kind="boolean")
        words = tuple(schema.get("enum", ()))
        expected = in_words(words) if words else schema.get("patternErrorMessage", "a text")
        pattern = re.compile(schema["pattern"].replace("$", r"\Z")) if "pattern" in schema else None
        refused = schema.get("not", {}).get("const", "")
        return Scalar(expected, pattern, words, "string", refused, "null" in kinds)

    def array(self, schema: Json) -> Array:
        return Array(
            items=self.shape(schema["items"]),
            at_least=schema.get("minItems", 0),
            at_most=schema.get("maxItems"),
            unique=schema.get("uniqueItems", False),
        )

    def object(self, schema: Json) -> Object:
        other = schema.get("additionalProperties", False)
        names = schema.get("propertyNames")
        one_of = [choice["required"][0] for choice in schema.get("oneOf", ())]
        return Object(
            keys={key: self.shape(value) for key, value in schema.get("properties", {}).items()},
            other=self.shape(other) if other else None,
            key=self.scalar(self.resolved(names)) if names else None,
            required=tuple(schema.get("required", ())),
            choices=tuple(one_of or schema.get("not", {}).get("required", ())),
            needs_choice=bool(one_of),
            at_least=schema.get("minProperties", 0),
            at_most=schema.get("maxProperties"),
        )


def in_words(words: tuple[str, ...]) -> str:
    """The words in a sentence: `a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
