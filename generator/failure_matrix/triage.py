"""What the triage page's script works with: the possible combinations, and what each state says, as plain data.

Observations, values, states and actions are numbers there, by their place in the author's order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from failure_matrix import urls
from failure_matrix.diagnose import Triage
from failure_matrix.model import OUTSIDE, Impossible, Matrix, State

Link = Callable[[str], str]
"""The address of a page by its key, as seen from the triage page."""


def data(triage: Triage, link: Link) -> dict[str, Any]:
    """Everything that the script needs to know, ready for JSON."""
    matrix = triage.matrix
    actions = {action: number for number, action in enumerate(matrix.actions)}
    return {
        "observations": [
            {"id": each.id, "title": each.title, "asks": each.question, "values": list(each.value_ids)}
            for each in matrix.observations.values()
        ],
        "actions": [{"title": each.title, "url": link(urls.element(matrix, each))} for each in matrix.actions.values()],
        "states": [state_data(triage, state, actions, link) for state in matrix.states.values()],
        "places": list(places(triage)),
        "rules": [rule_data(triage, number, rule) for number, rule in enumerate(matrix.impossible)],
    }


def state_data(triage: Triage, state: State, actions: Mapping[str, int], link: Link) -> dict[str, Any]:
    """What a state says: who decides, what it permits, what it forbids and why, how it is taken back."""
    found = {
        "title": state.title,
        "url": link(urls.element(triage.matrix, state)),
        "means": state.means,
        "owner": state.owner.title if state.owner else "",
        "contact": state.owner.contact if state.owner else "",
        "permitted": [actions[cell.action.id] for cell in state.permitted],
        "forbidden": [
            [actions[cell.action.id], cell.because, triage.prevented(state, cell.action)] for cell in state.forbidden
        ],
        "reversals": [[each.when, actions[each.do.id], each.until] for each in state.reversals],
        "irreversible": state.irreversible,
    }
    return {key: value for key, value in found.items() if value or key in ("permitted", "forbidden", "reversals")}


def places(triage: Triage) -> Iterator[list[Any]]:
    """The possible combinations: a state's number, -1 for the outside, and the values of what is restricted."""
    states = {state: number for number, state in enumerate(triage.matrix.states)} | {OUTSIDE: -1}
    for place in triage.places:
        yield [states[place.state], restricted(triage.matrix, triage.space.pattern(place.box))]


def restricted(matrix: Matrix, pattern: Mapping[str, tuple[str, ...]]) -> dict[int, list[int]]:
    """A pattern in numbers."""
    return {
        number: [observation.value_ids.index(value) for value in pattern[observation.id]]
        for number, observation in enumerate(matrix.observations.values())
        if observation.id in pattern
    }


def rule_data(triage: Triage, number: int, rule: Impossible) -> dict[str, Any]:
    """A rule of `impossible`: what it rules out and why, and whether it describes what is outside the matrix."""
    when = [restricted(triage.matrix, pattern.values) for pattern in rule.when]
    return {"when": when, "because": rule.because, "outside": number in triage.outside_clauses}
