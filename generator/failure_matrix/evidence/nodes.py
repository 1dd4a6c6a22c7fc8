"""Nodes of a scenario's file to plain values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from failure_matrix.evidence.scenario import Derived
from failure_matrix.evidence.statements import Parameter, Scalar

WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")


def entries(node: Node | None) -> dict[str, Node]:
    """The entries of a mapping; none where there is no mapping."""
    return {key.value: value for key, value in node.value} if isinstance(node, MappingNode) else {}


def items(node: Node | None) -> list[Node]:
    """The items of a list; none where there is no list."""
    return list(node.value) if isinstance(node, SequenceNode) else []


def of(parts: Mapping[str, Node], key: str) -> Iterable[tuple[str, Node]]:
    """The entries of the mapping under a key."""
    return entries(parts.get(key)).items()


def text(node: Node | None) -> str:
    """The text of a scalar, without blanks around it; empty where there is none."""
    return str(node.value).strip() if isinstance(node, ScalarNode) else ""


def cell(node: Node) -> str | None:
    """A cell of an expected row: `null` without quotes is null, `true` and `false` are as PostgreSQL writes them."""
    value = scalar(node)
    return str(value).lower()[0] if isinstance(value, bool) else None if value is None else str(value)


def scalar(node: Node) -> Scalar:
    """A value: without quotes, whole numbers, `null`, `true` and `false` are what they look like."""
    written = str(node.value)
    if not isinstance(node, ScalarNode) or node.style:
        return written
    if WHOLE_NUMBER.fullmatch(written):
        return int(written)
    constants: Mapping[str, Scalar] = {"null": None, "": None, "~": None, "true": True, "false": False}
    return constants.get(written, written)


def parameter(node: Node) -> Parameter:
    """A value of a parameter: a scalar or a list of them."""
    return [scalar(each) for each in items(node)] if isinstance(node, SequenceNode) else scalar(node)


def plain_values(node: Node | None) -> dict[str, Parameter]:
    """Values of parameters that are written out."""
    return {name: parameter(its) for name, its in entries(node).items() if not isinstance(its, MappingNode)}


def given_values(node: Node | None) -> dict[str, Parameter | Derived]:
    """Values of parameters, those that follow from others included."""
    values: dict[str, Parameter | Derived] = {}
    for name, its in entries(node).items():
        parts = entries(its)
        if "digest-of" in parts:
            values[name] = Derived(text(parts["digest-of"]), is_digest=True)
        elif "text" in parts:
            values[name] = Derived(text(parts["text"]))
        else:
            values[name] = parameter(its)
    return values
