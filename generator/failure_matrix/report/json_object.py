"""Problems for programs. The object has a version; what it holds is only added to while that stays the same."""

from __future__ import annotations

import json
from typing import Any

from failure_matrix.model import Acceptance
from failure_matrix.problems import LEVELS, Edit, Location, Problem
from failure_matrix.report.contents import Report, end_of

VERSION = 1


def as_json(report: Report) -> str:
    """The report as a JSON object."""
    contents = {
        "version": VERSION,
        "summary": {level: report.count(level) for level in LEVELS} | {"accepted": len(report.accepted)},
        "problems": [problem_object(problem, report) for problem in report.problems],
        "accepted": [
            problem_object(accepted.problem, report) | {"acceptance": acceptance_object(accepted.acceptance)}
            for accepted in report.accepted
        ],
    }
    return json.dumps(contents, indent=2) + "\n"


def problem_object(problem: Problem, report: Report) -> dict[str, Any]:
    """One problem. Strings that have nothing to say are empty rather than missing."""
    return {
        "rule": problem.rule,
        "name": report.rules[problem.rule].name if problem.rule in report.rules else "",
        "level": problem.level,
        "message": problem.sentence,
        "remedy": problem.remedy,
        "matrix": problem.matrix,
        "address": problem.address,
        "location": location_object(problem.location),
        "related": [
            {"message": related.message, "location": location_object(related.location)} for related in problem.related
        ],
        "fix": fix_object(problem.fix) if problem.fix else None,
        "page": report.rule_address(problem.rule),
    }


def location_object(location: Location) -> dict[str, Any]:
    """A span. Lines and columns count from 1, columns in characters; the end is the first one after the span."""
    end_line, end_column = end_of(location)
    return {
        "path": location.path,
        "line": location.line,
        "column": location.column,
        "end_line": end_line,
        "end_column": end_column,
    }


def fix_object(fix: Edit) -> dict[str, Any]:
    """A mend: the span, and what it is replaced by."""
    return {"location": location_object(fix.location), "replacement": fix.replacement}


def acceptance_object(acceptance: Acceptance) -> dict[str, Any]:
    """Why a problem is accepted, by whom and until when."""
    return {"because": acceptance.because, "by": acceptance.by, "until": acceptance.until}
