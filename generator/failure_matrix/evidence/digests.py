"""Digests that tell when evidence is stale: of a scenario with its statements and tables, and of a matrix as played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from decimal import Decimal
from typing import Any

from failure_matrix.evidence.playbook import Playbook
from failure_matrix.evidence.scenario import Scenario
from failure_matrix.model import Action, Failure, Matrix, Observation, State
from failure_matrix.problems import Location

LENGTH = 16
SAID = frozenset({"title", "summary", "note", "shows"})
"""What is only said about a scenario. Another wording makes no evidence stale."""


def digest_of_observing(playbook: Playbook | None) -> str:
    """The digest of what all scenarios of a matrix have in common: how a state is recognised; empty without one."""
    if playbook is None:
        return ""
    return _digest([_observations(playbook.matrix), playbook.settings, _table(playbook.matrix)])


def digest_of_scenario(scenario: Scenario, observing: str) -> str:
    """The digest of all that a scenario's outcome follows from, `digest_of_observing` among it."""
    return _digest([scenario, observing])


def digest_of_playbook(playbook: Playbook) -> str:
    """The digest of all that the walk, the constraints and the mutants follow from."""
    matrix = playbook.matrix
    return _digest(
        [
            playbook.tables,
            playbook.settings,
            _observations(matrix),
            _table(matrix),
            [_action(each) for each in matrix.actions.values()],
            [_state(each) for each in matrix.states.values()],
            [_failure(each) for each in matrix.failures.values()],
            [
                matrix.start and (matrix.start.action.id, matrix.start.state),
                matrix.authority and matrix.authority.table,
            ],
            [(clause.when, clause.constraint) for clause in matrix.impossible],
        ]
    )


def _observations(matrix: Matrix) -> list[Any]:
    return [_observation(each) for each in matrix.observations.values()]


def _table(matrix: Matrix) -> list[Any]:
    return [[state.id, state.when] for state in matrix.states.values()]


def _observation(observation: Observation) -> list[Any]:
    return [observation.id, observation.value_ids, observation.sql, observation.file, observation.digest]


def _action(action: Action) -> list[Any]:
    return [action.id, action.by and action.by.id, action.requires, action.sets, action.keeps, action.run]


def _state(state: State) -> list[Any]:
    permitted = [(cell.action.id, cell.targets) for cell in state.permitted]
    return [state.id, permitted, [cell.action.id for cell in state.forbidden]]


def _failure(failure: Failure) -> list[Any]:
    return [failure.id, [(each.state, each.targets, each.requires, each.sets) for each in failure.outcomes]]


def _digest(value: object) -> str:
    text = json.dumps(_plain(value), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def default_of(one: Field[Any]) -> object:
    """A field's default. What has it is left out, so that a field that is new to the code makes nothing stale."""
    return one.default if one.default_factory is MISSING else one.default_factory()


def _plain(value: object) -> Any:
    """A value without places and wording, ready for JSON."""
    if isinstance(value, Location):
        return None
    if is_dataclass(value) and not isinstance(value, type):
        meant = [each for each in fields(value) if each.name not in SAID]
        named = {each.name: its for each in meant if (its := getattr(value, each.name)) != default_of(each)}
        return [type(value).__name__, _plain(named)]
    if isinstance(value, Mapping):
        return {str(key): _plain(its) for key, its in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted(str(each) for each in value)
    return str(value) if isinstance(value, Decimal) else value
