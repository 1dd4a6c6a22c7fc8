"""What evidence showed, as JSON that lives beside the matrices: the same on every machine and every version.

Statements have their literal values. There are no times, process numbers or random names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from failure_matrix.evidence.connection import Result
    from failure_matrix.evidence.constraints import ConstraintsShown
    from failure_matrix.evidence.mutants import MutantRun
    from failure_matrix.evidence.orders import OrdersRun
    from failure_matrix.evidence.playing import Seen
    from failure_matrix.evidence.running import ControlPlayed, Played
    from failure_matrix.evidence.scenario import Scenario, Step
    from failure_matrix.evidence.walked import Found, Walked

Json = dict[str, Any]
FOLDER = "evidence"
FORM = 1


def scenario_record(digest: str, played: Played, controls: Iterable[ControlPlayed]) -> Json:
    """The record of a scenario that was run step by step."""
    cells = [{"state": each.state, "action": each.action, "target": each.target} for each in played.cells]
    controls_played = [_control(each) for each in controls]
    return {
        **_head(digest, played.scenario),
        "holds": not played.breaks and all(each["holds"] for each in controls_played),
        "steps": _steps(zip(played.scenario.steps, played.steps, strict=True)),
        "then": _steps(zip(played.scenario.then, played.then, strict=True)),
        "breaks": [str(each) for each in played.breaks],
        "controls": controls_played,
        "cells": cells,
    }


def orders_record(digest: str, scenario: Scenario, run: OrdersRun) -> Json:
    """The record of a scenario of which all orders were run, or a part of them."""
    shown = run.counterexample
    assert scenario.orders is not None
    return {
        **_head(digest, scenario),
        "holds": run.holds(scenario.orders),
        "expected": {"orders": scenario.orders.count, "broken": scenario.orders.broken},
        "orders": run.count,
        "broken": run.broken,
        "limited": run.limited,
        "counterexample": None
        if shown is None
        else {
            "place": shown.place,
            "steps": _steps(shown.steps),
            "rows": [list(row) for row in shown.rows],
            "at_end": shown.at_end,
        },
    }


def walk_record(walked: Walked) -> Json:
    """The record of a walk."""
    cells: dict[str, Json] = {}
    for (state, event), cell in sorted(walked.cells.items()):
        cells.setdefault(state, {})[event] = {
            "tried": cell.tried,
            "held": cell.held,
            "unchanged": cell.unchanged,
            "targets": sorted(cell.targets),
        }
    return {
        "holds": not walked.found,
        "places": len(walked.places),
        "tried": walked.tried,
        "beyond": walked.beyond,
        "limited": walked.limited,
        "states": dict(sorted(walked.states.items())),
        "cells": cells,
        "found": [_found(each) for each in walked.found],
    }


def constraints_record(shown: ConstraintsShown) -> Json:
    """The record of the constraints that `impossible` names."""
    clauses = [
        {
            "clause": each.clause,
            "constraint": each.constraint,
            "excluded": each.excluded,
            "accepted": each.accepted,
            "missing": each.is_missing,
            "holds": each.holds,
        }
        for each in shown.clauses
    ]
    refused = [dict(key) for key, accepted in shown.possible.items() if not accepted]
    return {
        "holds": not refused and all(each["holds"] for each in clauses),
        "rows": shown.rows,
        "limited": shown.limited,
        "clauses": clauses,
        "possible": len(shown.possible),
        "refused": refused,
    }


def mutants_record(runs: Iterable[MutantRun]) -> list[Json]:
    """The record of the conditions that were left out."""
    return [
        {
            "action": run.mutant.action,
            "condition": run.mutant.condition,
            "missed_by": run.missed_by,
            "invalid": run.invalid,
        }
        for run in runs
    ]


def _head(digest: str, scenario: Scenario) -> Json:
    return {
        "title": scenario.title,
        "summary": scenario.summary,
        "digest": digest,
        "place": scenario.location.path,
        "sessions": list(scenario.sessions),
    }


def _steps(steps: Iterable[tuple[Step, Seen]]) -> list[Json]:
    return [_step(step, seen) for step, seen in steps]


def _step(step: Step, seen: Seen) -> Json:
    record: Json = {"session": step.session, "ran": seen.text}
    if seen.result is None:
        record["waits"] = list(seen.waits)
    else:
        record |= _result(seen.result)
    if seen.woke:
        record["woke"] = {name: _result(result) for name, result in seen.woke}
    if step.state is not None:
        record["state"] = {"subject": dict(step.state.subject), "is": step.state.state}
    if step.note:
        record["note"] = step.note
    return record


def _result(result: Result) -> Json:
    if result.failed:
        return {"error": result.sqlstate}
    return {"count": result.count} if result.rows is None else {"rows": [list(row) for row in result.rows]}


def _control(played: ControlPlayed) -> Json:
    control = played.control
    return {
        "cut": control.cut,
        "from": control.source,
        "broke": list(played.broke),
        "holds": played.holds,
        "shows": control.shows,
    }


def _found(found: Found) -> Json:
    finding = found.finding
    return {
        "kind": finding.kind,
        "message": finding.message,
        "at": list(finding.path),
        "state": finding.state,
        "event": finding.event,
        "way": list(found.way),
    }


def text_of(record: Mapping[str, Any]) -> str:
    """A record as the text of its file."""
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def path_of(folder: Path, suite: str) -> Path:
    """Where a suite's record is, by the folder of the matrices."""
    return folder / FOLDER / f"{suite}.json"
