"""What the checks found, as text for people and in the forms that programs and services read."""

from __future__ import annotations

from failure_matrix.report.annotations import as_github, as_gitlab
from failure_matrix.report.contents import Report, counted
from failure_matrix.report.json_object import as_json
from failure_matrix.report.sarif import as_sarif
from failure_matrix.report.text import as_text

__all__ = ["Report", "as_github", "as_gitlab", "as_json", "as_sarif", "as_text", "counted"]
