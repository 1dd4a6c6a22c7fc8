"""Records of parts of the evidence, each run by a job of its own, put together to the record of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Record = Mapping[str, Any]


def joined(parts: Sequence[Record]) -> dict[str, Any]:
    """The record of a suite from those of all its parts. Raises `ValueError` where one is missing or there twice."""
    expected = [[number, len(parts)] for number in range(1, len(parts) + 1)]
    there = sorted(part["part"] for part in parts)
    if there != expected:
        raise ValueError(f"Parts {there} of a record were given; expected {expected}.")
    whole: dict[str, Any] = {}
    scenarios: dict[str, Any] = {}
    for part in parts:
        whole |= part
        for name, record in part["scenarios"].items():
            scenarios[name] = _joined_orders(scenarios[name], record) if name in scenarios else record
    del whole["part"]
    whole["scenarios"] = dict(sorted(scenarios.items()))
    whole["holds"] = all_hold(whole)
    return whole


def _joined_orders(one: Record, two: Record) -> dict[str, Any]:
    found = [each["counterexample"] for each in (one, two) if each["counterexample"] is not None]
    both = {
        **one,
        "orders": one["orders"] + two["orders"],
        "broken": one["broken"] + two["broken"],
        "limited": one["limited"] or two["limited"],
        "counterexample": min(found, key=lambda each: (len(each["steps"]), each["place"]), default=None),
    }
    both["holds"] = not both["limited"] and all(
        both["expected"][name] in (None, both[name]) for name in ("orders", "broken")
    )
    return both


def all_hold(record: Record) -> bool:
    """Whether everything holds that a record speaks of."""
    parts = [*record["scenarios"].values(), record.get("walk", {}), record.get("constraints", {})]
    return all(part.get("holds", True) for part in parts)
