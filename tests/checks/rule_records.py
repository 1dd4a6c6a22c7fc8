"""A record in which everything holds, over which the examples about evidence are laid."""

from __future__ import annotations

from typing import Any

from failure_matrix.evidence.digests import digest_of_observing, digest_of_playbook, digest_of_scenario
from failure_matrix.evidence.loading import Suite
from failure_matrix.evidence.recorded import FORM
from failure_matrix.evidence.shown import cells_of

Json = dict[str, Any]


def record_of(suite: Suite) -> Json:
    """What would be recorded of a suite where all of it held."""
    assert suite.playbook is not None
    cells: dict[str, Json] = {}
    for state, event in cells_of(suite.playbook.matrix):
        cells.setdefault(state, {})[event] = {"tried": 1, "held": 1, "unchanged": 1, "targets": [state]}
    walk = {"holds": True, "places": 4, "tried": 9, "beyond": 0, "limited": False, "states": {}, "cells": cells}
    return {
        "form": FORM,
        "suite": suite.id,
        "holds": True,
        "scenarios": {
            each.id: {
                "title": each.title,
                "place": each.location.path,
                "holds": True,
                "digest": digest_of_scenario(each, digest_of_observing(suite.playbook)),
            }
            for each in suite.scenarios
        },
        "digest": digest_of_playbook(suite.playbook),
        "walk": {**walk, "found": []},
        "mutants": [],
        "versions": ["17", "18"],
    }


def laid_on(record: Json, fragment: Json) -> Json:
    """A record with a fragment laid over it: an object joins its namesake, `null` takes a key away."""
    whole = dict(record)
    for name, value in fragment.items():
        if value is None:
            whole.pop(name, None)
        elif isinstance(value, dict) and isinstance(whole.get(name), dict):
            whole[name] = laid_on(whole[name], value)
        else:
            whole[name] = value
    return whole
