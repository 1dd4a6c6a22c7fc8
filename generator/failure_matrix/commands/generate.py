"""Write the pages as plain Markdown with their assets, for other builders of the same sources.

examples:
  failure-matrix generate docs/matrices
  failure-matrix generate docs/matrices --matrix ../service/matrix
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from failure_matrix.commands.output import progress, wants_colour

NAME = "generate"
SUMMARY = "write the pages as Markdown, for other builders"


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("directory", type=Path, metavar="DIR", help="where the pages go")
    parser.add_argument(
        "--matrix", type=Path, default=Path("matrix"), metavar="FOLDER", help="the matrices (default: %(default)s)"
    )
    parser.add_argument(
        "--zensical", action="store_true", help="for Zensical, which reads links as relative to the file"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the pages, and return the exit code."""
    from failure_matrix import building
    from failure_matrix.report import Report, as_text

    with progress(f"Writing the pages to {arguments.directory}"):
        made = building.generate(arguments.directory, arguments.matrix, from_file=arguments.zensical)
    report = Report.of(made.project, made.checked)
    if report.problems:
        print(as_text(report, colour=wants_colour("auto", sys.stderr, os.environ)), file=sys.stderr, end="")
    return 0 if made.site else 1
