"""A diagnosis for people at a terminal, and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from failure_matrix.decision_table import words
from failure_matrix.diagnose import Diagnosis, Forbidden
from failure_matrix.model import Action, Impossible, Matrix, Observation, State

VERSION = 1

MOST = 12
"""Of more states than this, the rest is counted."""

UNKNOWN = "unknown"


def diagnosis_as_text(matrix: Matrix, found: Diagnosis, reasons: Mapping[str, str]) -> str:
    """A diagnosis for a terminal. `reasons` say why an observation gave no answer."""
    lines = [*_observed(found, reasons), *_verdict(found)]
    if found.states:
        lines += [*_safe(found), *_forbidden(found)]
        lines += _decides(found.states[0]) if found.verdict == "one state" else _next(found)
    return "\n".join([*lines, "", f"Matrix: {matrix.title} ({matrix.id})"]) + "\n"


def _observed(found: Diagnosis, reasons: Mapping[str, str]) -> Iterator[str]:
    yield from (f"{name}: {value or UNKNOWN}" for name, value in found.answers.items())
    yield from (f"{name}: no answer: {reason}" for name, reason in reasons.items())
    if found.answers or reasons:
        yield ""


def _verdict(found: Diagnosis) -> Iterator[str]:
    if found.verdict == "one state":
        yield from _state(found)
    elif found.states:
        number = f"one of {len(found.states)} states" if len(found.states) > 1 else found.states[0].title
        yield f"It is {number}{', or not in this matrix' if found.outside else ''}."
        yield from (f"  {state.title} ({state.id})" for state in found.states[:MOST])
        if len(found.states) > MOST:
            yield f"  and {len(found.states) - MOST} more"
        yield from (f"  not in this matrix: {rule.because}" for rule in found.outside)
    elif found.outside:
        yield "It is not, or no longer, in this matrix."
        yield from _because(found.outside)
    else:
        one = len(found.broken) == 1
        yield f"This cannot be. {'A rule' if one else 'One of these rules'} was broken, or it is the wrong subject:"
        yield from _because(found.broken)


def _because(rules: tuple[Impossible, ...]) -> Iterator[str]:
    return (f"  {rule.because}" for rule in rules)


def _state(found: Diagnosis) -> Iterator[str]:
    state = found.states[0]
    yield f"It is: {state.title} ({state.id})"
    if state.means:
        yield f"  {state.means}"
    yield f"  Recognised by: {' or '.join(recognised_by(found))}"


def recognised_by(found: Diagnosis) -> tuple[str, ...]:
    """The patterns of the one state left that the answers allow."""
    known = {name: value for name, value in found.answers.items() if value is not None}
    return tuple(
        words(pattern)
        for pattern in found.states[0].when
        if all(known.get(name, values[0]) in values for name, values in pattern.values.items() if values)
    )


def _safe(found: Diagnosis) -> Iterator[str]:
    yield from ("", "Safe now:")
    if not found.safe:
        yield "  nothing" if len(found.states) == 1 else "  nothing that all of these states permit"
    yield from (f"  ✓ {action.title} ({action.id})" for action in found.safe)


def _forbidden(found: Diagnosis) -> Iterator[str]:
    if found.forbidden:
        yield from ("", "Forbidden:")
    for ban in found.forbidden:
        free = "" if all(each.prevented for each in ban.by) else ". Nothing prevents it"
        yield f"  ✗ {ban.action.title} ({ban.action.id}){free}"
        for each in ban.by:
            yield f"      {f'{each.state.title}: ' if len(found.states) > 1 else ''}{each.because}"


def _decides(state: State) -> Iterator[str]:
    who = f"{state.owner.title}, {state.owner.contact}" if state.owner else "nobody"
    yield from ("", f"Who decides: {who}", "Taken back:")
    for reversal in state.reversals:
        until = f" Until: {reversal.until}" if reversal.until else ""
        yield f"  {reversal.when} → {reversal.do.title} ({reversal.do.id}){until}"
    if state.irreversible or not state.reversals:
        yield f"  It cannot be taken back. {state.irreversible}".rstrip()


def _next(found: Diagnosis) -> Iterator[str]:
    yield ""
    if found.question is None:
        yield "No other observation can tell these apart."
        return
    yield "Ask next:"
    yield from (f"  {line}" for line in asked(found.question))


def asked(observation: Observation) -> Iterator[str]:
    """A question, its answers, and where to get the answer."""
    yield f"{observation.title} ({observation.id}): {observation.question}".removesuffix(": ")
    yield from (f"  {value.id}: {value.meaning}" for value in observation.values)
    yield f"  {UNKNOWN}: {observation.unknown or 'nobody can tell'}"
    source = observation.source
    if source:
        yield f"In: {source.title}{f' ({source.access})' if source.access else ''}"
    for text in filter(None, (observation.sql, observation.file, observation.url, observation.digest)):
        yield from (f"  {line}" for line in text.strip().splitlines())


def diagnosis_as_json(matrix: Matrix, found: Diagnosis, reasons: Mapping[str, str]) -> str:
    """A diagnosis for programs. The object has a version; it is only added to while that stays the same."""
    contents = {
        "version": VERSION,
        "matrix": matrix.id,
        "verdict": found.verdict,
        "observed": {name: value for name, value in found.answers.items() if value is not None},
        "unknown": {name: "" for name, value in found.answers.items() if value is None} | dict(reasons),
        "states": [_state_object(state) for state in found.states],
        "recognised_by": list(recognised_by(found)) if found.verdict == "one state" else [],
        "outside": [rule.because for rule in found.outside],
        "broken": [rule.because for rule in found.broken],
        "question": _question_object(found.question) if found.question else None,
        "safe": [_action_object(action) for action in found.safe],
        "forbidden": [_forbidden_object(ban) for ban in found.forbidden],
    }
    return json.dumps(contents, indent=2) + "\n"


def _state_object(state: State) -> dict[str, Any]:
    return {
        "id": state.id,
        "title": state.title,
        "means": state.means,
        "owner": state.owner.title if state.owner else "",
        "contact": state.owner.contact if state.owner else "",
        "reversals": [{"when": each.when, "do": each.do.id, "until": each.until} for each in state.reversals],
        "irreversible": state.irreversible,
    }


def _question_object(observation: Observation) -> dict[str, Any]:
    return {
        "id": observation.id,
        "title": observation.title,
        "question": observation.question,
        "values": {value.id: value.meaning for value in observation.values},
    }


def _action_object(action: Action) -> dict[str, str]:
    return {"id": action.id, "title": action.title}


def _forbidden_object(ban: Forbidden) -> dict[str, Any]:
    by = [{"state": each.state.id, "because": each.because, "prevented": each.prevented} for each in ban.by]
    return {**_action_object(ban.action), "by": by}
