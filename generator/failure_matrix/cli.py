"""The command line: from argv to one function of one command, and from what happened to an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from failure_matrix.commands import build, census, check, diagnose, generate, init, links, schema, serve, verify
from failure_matrix.commands.version import PrintVersion
from failure_matrix.errors import CannotGoOn

COMMANDS = (check, build, serve, diagnose, census, links, generate, verify, schema, init)
"""In the order of the help. Each has `NAME`, `SUMMARY`, `describe(parser)` and `run(arguments)`."""

INTERRUPTED = 130
NOBODY_READS_ON = 141
COULD_NOT_RUN = 3

EPILOG = """\
Start with `failure-matrix init`, which writes a small matrix that works. Then edit it, and
`failure-matrix check` it. `failure-matrix COMMAND --help` has examples for each command.

exit codes:
  0  fine
  1  problems were found
  2  the command was called in a wrong way
  3  it could not run: no matrix, no Graphviz, no PostgreSQL, a file that cannot be written
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name, and return its exit code."""
    arguments = parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except CannotGoOn as reason:
        print(f"failure-matrix: {reason}", file=sys.stderr)
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # What is left in the buffer would fail again when Python ends, and would be reported then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS_ON
    return code


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    whole = argparse.ArgumentParser(
        prog="failure-matrix",
        description="Failure matrices of jobs and exports: checked, proven, and rendered into a site.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action=PrintVersion, help="print the version and end")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        part = commands.add_parser(
            command.NAME,
            help=command.SUMMARY,
            description=command.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.describe(part)
        part.set_defaults(run=command.run, fail=part.error)
    return whole
