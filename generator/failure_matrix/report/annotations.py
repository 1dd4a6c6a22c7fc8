"""Problems as the annotations of GitHub and GitLab, which show them beside the changed lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from failure_matrix.problems import Level, Problem
from failure_matrix.report.contents import Report, end_of, fingerprints
from failure_matrix.report.snippet import visible

GITHUB_COMMANDS: Mapping[Level, str] = {"error": "error", "warning": "warning", "note": "notice"}
GITLAB_SEVERITIES: Mapping[Level, str] = {"error": "major", "warning": "minor", "note": "info"}


def as_github(report: Report) -> str:
    """The report as workflow commands, one a line. GitHub shows the first ten of a level, so the worst lead."""
    return "".join(f"{github_command(problem, report)}\n" for problem in report.problems)


def github_command(problem: Problem, report: Report) -> str:
    """One problem as a workflow command."""
    properties = ",".join(f"{name}={github_property(value)}" for name, value in github_properties(problem, report))
    lines = (problem.sentence, *problem.remedy.split("\n")) if problem.remedy else (problem.sentence,)
    message = github_data("\n".join(visible(line) for line in lines))
    return f"::{GITHUB_COMMANDS[problem.level]} {properties}::{message}"


def github_properties(problem: Problem, report: Report) -> list[tuple[str, str]]:
    """Where an annotation stands, and its title. GitHub takes columns within a single line alone."""
    place = problem.location
    end_line, end_column = end_of(place)
    properties = [("title", report.rule_title(problem.rule))]
    if place.path:
        properties += [("file", visible(place.path)), ("line", str(place.line)), ("endLine", str(end_line))]
    if place.path and place.line == end_line:
        properties += [("col", str(place.column)), ("endColumn", str(end_column))]
    return properties


def github_data(text: str) -> str:
    """Text escaped as a workflow command's message has to be."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """Text escaped as a workflow command's property has to be."""
    return github_data(text).replace(":", "%3A").replace(",", "%2C")


def as_gitlab(report: Report) -> str:
    """The report as a Code Quality report of GitLab."""
    entries = [
        gitlab_entry(problem, fingerprint, report)
        for problem, fingerprint in zip(report.problems, fingerprints(report.problems), strict=True)
    ]
    return json.dumps(entries, indent=2) + "\n"


def gitlab_entry(problem: Problem, fingerprint: str, report: Report) -> dict[str, Any]:
    """One problem as GitLab shows it in a merge request."""
    place = problem.location
    return {
        "check_name": report.rule_title(problem.rule),
        "description": f"{problem.sentence} {problem.remedy}".strip(),
        "severity": GITLAB_SEVERITIES[problem.level],
        "fingerprint": fingerprint,
        "location": {"path": place.path, "lines": {"begin": place.line, "end": end_of(place)[0]}},
    }
