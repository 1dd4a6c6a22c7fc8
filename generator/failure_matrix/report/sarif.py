"""Problems in SARIF 2.1.0, the form that code scanning services read.

Columns count characters here too, which SARIF calls `unicodeCodePoints`. An accepted problem is a result with a
suppression; where a run has one suppression, every result says whether it is suppressed, as the standard asks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from failure_matrix.model import Acceptance
from failure_matrix.problems import Location, Problem
from failure_matrix.report.contents import Report, end_of, fingerprints

if TYPE_CHECKING:
    from failure_matrix.checks.rule import Rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "failureMatrix/v1"


def as_sarif(report: Report, version: str) -> str:
    """The report as a SARIF log with one run of this tool, whose version is given."""
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver(report, version)},
                "columnKind": "unicodeCodePoints",
                "results": results(report),
            }
        ],
    }
    return json.dumps(log, indent=2) + "\n"


def driver(report: Report, version: str) -> dict[str, Any]:
    """The tool and its rules."""
    rules = [rule_object(rule, report) for _, rule in sorted(report.rules.items())]
    return {"name": "failure-matrix", "version": version, "rules": rules}


def rule_object(rule: Rule, report: Report) -> dict[str, Any]:
    """A rule with its page, so that a service can show it beside the result."""
    contents: dict[str, Any] = {
        "id": rule.number,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.page.strip(), "markdown": rule.page.strip()},
        "defaultConfiguration": {"level": rule.level},
    }
    address = report.rule_address(rule.number)
    return contents | {"helpUri": address} if address else contents


def results(report: Report) -> list[dict[str, Any]]:
    """The problems, then the accepted ones."""
    indexes = {number: index for index, number in enumerate(sorted(report.rules))}
    acceptances = [None] * len(report.problems) + [accepted.acceptance for accepted in report.accepted]
    problems = [*report.problems, *(accepted.problem for accepted in report.accepted)]
    return [
        result(problem, fingerprint, indexes) | {"suppressions": suppressions(acceptance)}
        for problem, fingerprint, acceptance in zip(problems, fingerprints(problems), acceptances, strict=True)
    ]


def result(problem: Problem, fingerprint: str, indexes: Mapping[str, int]) -> dict[str, Any]:
    """One problem at its place, with what it has to do with other places."""
    contents: dict[str, Any] = {
        "ruleId": problem.rule,
        "level": problem.level,
        "message": {"text": f"{problem.sentence}\n{problem.remedy}".strip()},
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if problem.rule in indexes:
        contents["ruleIndex"] = indexes[problem.rule]
    if problem.location.path:
        contents["locations"] = [{"physicalLocation": physical(problem.location)} | logical(problem)]
    if problem.related:
        contents["relatedLocations"] = [
            {"id": number, "physicalLocation": physical(related.location), "message": {"text": related.message}}
            for number, related in enumerate(problem.related, start=1)
        ]
    return contents


def physical(location: Location) -> dict[str, Any]:
    """A span in a file. The file's address is relative to the root of the sources."""
    end_line, end_column = end_of(location)
    return {
        "artifactLocation": {"uri": quote(location.path), "uriBaseId": "%SRCROOT%"},
        "region": {
            "startLine": location.line,
            "startColumn": location.column,
            "endLine": end_line,
            "endColumn": end_column,
        },
    }


def logical(problem: Problem) -> dict[str, Any]:
    """The place in the matrix, such as `design-export.leased.permitted.publish`."""
    if not problem.address:
        return {}
    name = f"{problem.matrix}.{problem.address}" if problem.matrix else problem.address
    return {"logicalLocations": [{"fullyQualifiedName": name}]}


def suppressions(acceptance: Acceptance | None) -> list[dict[str, Any]]:
    """How an accepted problem is suppressed: in the source, with the reason, the person and the end."""
    if acceptance is None:
        return []
    by = f" Accepted by {acceptance.by}." if acceptance.by else ""
    until = f" Until {acceptance.until}." if acceptance.until else ""
    return [{"kind": "inSource", "status": "accepted", "justification": f"{acceptance.because}{by}{until}".strip()}]
