"""Write the pages as plain Markdown with their assets, for other builders of the same sources.

examples:
  failure-matrix generate docs/matrices
  failure-matrix generate docs/matrices --matrix ../service/matrix
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "generate"
SUMMARY = "write the pages as Markdown, for other builders"


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("directory", type=Path, metavar="DIR", help="where the pages go")
    parser.add_argument(
        "--matrix", type=Path, default=Path("matrix"), metavar="FOLDER", help="the matrices (default: %(default)s)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the pages, and return the exit code."""
    from failure_matrix import building

    return building.generate(arguments.directory, arguments.matrix)
