"""Count the subjects in each state, and tell the oldest of each, by one query made from the decision table.

The matrix says in `subjects` how they are listed. The query runs as `diagnose` looks: read-only, as a role that can't
write. States that only an observation elsewhere tells apart, such as one of a file, are counted together.

examples:
  failure-matrix census design-export --dsn service=jobs-reader
  failure-matrix census design-export --dsn service=jobs-reader --json
  failure-matrix census design-export --sql                           a view for dashboards, to be created

exit codes:
  0  counted
  1  nothing follows from the matrix: it can't be read, or not each combination is in one state
  2  the command was called in a wrong way
  3  could not look: no matrix, no `subjects`, no database, a role that can write
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from failure_matrix.commands.diagnose import proof_of
from failure_matrix.commands.output import progress, write

if TYPE_CHECKING:
    from failure_matrix.evidence.census import Census, Count

NAME = "census"
SUMMARY = "count the subjects in each state, by one query made from the decision table"

VERSION = 1
SECONDS = 60.0
"""How long counting may take."""


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("id", metavar="MATRIX", help="the matrix's id")
    parser.add_argument(
        "--matrix", type=Path, default=Path("matrix"), metavar="FOLDER", help="the matrices (default: %(default)s)"
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--dsn", metavar="DSN", help="the database of the subjects' source, as libpq writes it")
    what.add_argument("--sql", action="store_true", help="print a view of all subjects with their state")
    parser.add_argument("--json", action="store_true", help="print an object for programs")


def run(arguments: argparse.Namespace) -> int:
    """Count, or print the view, and return the exit code."""
    from failure_matrix.diagnose import Triage
    from failure_matrix.evidence.census import census
    from failure_matrix.evidence.looking import reading

    proof = proof_of(arguments.id, arguments.matrix, arguments.fail)
    if proof is None:
        return 1
    counting = census(Triage(proof.matrix, proof.table, proof.effects))
    if arguments.sql:
        write(counting.view(), None)
        return 0
    with progress("Counting"), reading(arguments.dsn, SECONDS) as reader:
        counts = counting.count(reader)
    write((as_json if arguments.json else as_text)(counting, counts), None)
    return 0


def as_text(counting: Census, counts: tuple[Count, ...]) -> str:
    """The counts as a table, and what was not asked."""
    rows = [(" or ".join(count.states) or "impossible", str(count.subjects), count.oldest) for count in counts]
    rows.insert(0, ("state", "subjects", "oldest"))
    wide, high = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = [f"{state:{wide}}  {number:>{high}}  {oldest}".rstrip() for state, number, oldest in rows]
    remarks = [remark for remark in counting.remarks() if remark.startswith("Not asked")]
    return "\n".join([*lines, *([""] if remarks else []), *remarks]) + "\n"


def as_json(counting: Census, counts: tuple[Count, ...]) -> str:
    """The counts for programs. No states are an impossible combination."""
    contents = {
        "version": VERSION,
        "matrix": counting.matrix.id,
        "counts": [
            {"states": list(count.states), "subjects": count.subjects, "oldest": count.oldest} for count in counts
        ],
        "not_asked": [observation.id for observation in counting.left_out],
    }
    return json.dumps(contents, indent=2) + "\n"
