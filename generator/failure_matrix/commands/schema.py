"""Print the JSON Schema that matrices are read by. Editors complete and check YAML with it.

examples:
  failure-matrix schema
  failure-matrix schema owners --output owners.schema.json

In the first line of a YAML file, this makes editors with a YAML language server use it:
  # yaml-language-server: $schema=matrix.schema.json
"""

from __future__ import annotations

import argparse
from pathlib import Path

from failure_matrix.commands.output import write

NAME = "schema"
SUMMARY = "print the JSON Schema of a matrix, for editors"

FORMS = ("matrix", "owners", "settings", "scenario")
"""The kinds of file, written down here so that the help doesn't have to import the reader."""


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "file",
        nargs="?",
        choices=FORMS,
        default="matrix",
        help="which file's schema (default: %(default)s)",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write it to a file")


def run(arguments: argparse.Namespace) -> int:
    """Print the schema, and return the exit code."""
    from failure_matrix.schema import schema_text

    write(schema_text(arguments.file), arguments.output)
    return 0
