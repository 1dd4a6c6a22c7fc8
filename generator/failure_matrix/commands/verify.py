"""Run the evidence of the matrices against PostgreSQL, and record it in matrix/evidence/.

The server is one of its own, that pip brings along: pip install 'failure-matrix[verify]'. Nothing of it is left.
A record is written only when everything held.

examples:
  failure-matrix verify                                           everything
  failure-matrix verify --matrix design-export                    one matrix
  failure-matrix verify --matrix design-export --scenario zombie  one scenario of it
  failure-matrix verify --versions 18,17,15                       on several versions, which have to agree
  failure-matrix verify --dsn postgresql://localhost/scratch      in a schema of its own on another server
  failure-matrix verify --check                                   write nothing, and fail where a record would change
  failure-matrix verify --shard 1/3 --json --output part1.json    the first of three parts of the work
  failure-matrix verify --join part1.json --join part2.json --join part3.json
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from failure_matrix.commands.output import CannotWrite, wants_colour, write

if TYPE_CHECKING:
    from failure_matrix.evidence.verifying import Options, Verified
    from failure_matrix.model import Project
    from failure_matrix.report import Report

NAME = "verify"
SUMMARY = "run the statements of the matrices against PostgreSQL, and record what they do"


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("folder", type=Path, nargs="?", default=Path("matrix"), metavar="MATRIX_FOLDER")
    parser.add_argument("--matrix", action="append", default=[], metavar="ID", help="this matrix; repeatable")
    parser.add_argument("--scenario", action="append", default=[], metavar="ID", help="this scenario; repeatable")
    server = parser.add_mutually_exclusive_group()
    server.add_argument("--dsn", default="", metavar="DSN", help="an existing server, instead of one of its own")
    server.add_argument("--versions", default="", metavar="LIST", help="such as 18,17: versions that are installed")
    parser.add_argument("--check", action="store_true", help="write nothing; print how the records would change")
    parser.add_argument("--accept-failures", action="store_true", help="record what does not hold too")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="the i-th of n parts of the work")
    parser.add_argument("--join", action="append", type=Path, default=[], metavar="FILE", help="a part's output")
    parser.add_argument("--json", action="store_true", help="print the records and the problems as JSON")
    parser.add_argument("--output", type=Path, metavar="FILE", help="print to a file")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write a report for continuous integration")


def run(arguments: argparse.Namespace) -> int:
    """Verify, print what is wrong, write the records where all held, and return the exit code.

    Raises `NoDatabase` where no server can be had.
    """
    from failure_matrix import loader
    from failure_matrix.files import project_folder
    from failure_matrix.report.junit import as_junit

    folder, root = arguments.folder.resolve(), project_folder(arguments.folder)
    project = loader.load(folder, root).project
    chosen = options(arguments, folder, root, project)
    verified = joined(arguments, folder, root) if arguments.join else verify(folder, root, chosen)
    report = standing(project, verified, root)
    write(printed(arguments, report, verified), arguments.output)
    if arguments.junit is not None:
        write(as_junit(verified.records, verified.problems), arguments.junit)
    return conclude(arguments, folder, verified)


def verify(folder: Path, root: Path, chosen: Options) -> Verified:
    """Run everything, and say meanwhile what is being run."""
    from failure_matrix.evidence import verifying

    try:
        return verifying.verify(folder, root, chosen, progress())
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")


def conclude(arguments: argparse.Namespace, folder: Path, verified: Verified) -> int:
    """Write the records, or compare them with those that are there. The exit code."""
    from failure_matrix.evidence import verifying

    failed = not verified.holds
    if arguments.shard != "1/1":
        return int(failed)
    if arguments.check:
        changes = verifying.differences(folder, verified)
        sys.stderr.write("".join(changes.values()))
        return int(failed or bool(changes))
    if failed and not arguments.accept_failures:
        print("Nothing was recorded, since not everything held.", file=sys.stderr)
        return 1
    try:
        for path in verifying.write(folder, verified):
            print(f"Recorded in {os.path.relpath(path)}", file=sys.stderr)
    except OSError as reason:
        raise CannotWrite(f"Cannot write {reason.filename}: {reason.strerror}.") from reason
    return 0


def options(arguments: argparse.Namespace, folder: Path, root: Path, project: Project) -> Options:
    """What the command line asks for. The command ends where it asks for what does not exist."""
    from failure_matrix.evidence.loading import load_suites
    from failure_matrix.evidence.verifying import Options

    suites = load_suites(folder, root, project).suites
    known(arguments.matrix, "matrix with tables or scenarios", [suite.id for suite in suites], arguments.fail)
    asked = [suite for suite in suites if not arguments.matrix or suite.id in arguments.matrix]
    known(arguments.scenario, "scenario", [each.id for suite in asked for each in suite.scenarios], arguments.fail)
    if arguments.scenario:
        asked = [suite for suite in asked if any(each.id in arguments.scenario for each in suite.scenarios)]
    shard = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", arguments.shard)
    if shard is None or int(shard[1]) > int(shard[2]):
        arguments.fail(f"--shard is {arguments.shard!r}; such as 2/3 is expected")
    assert shard is not None
    versions = tuple(part.strip() for part in arguments.versions.split(",") if part.strip())
    parts = (int(shard[1]), int(shard[2]))
    matrices = tuple(suite.id for suite in asked)
    return Options(matrices, tuple(arguments.scenario), arguments.dsn, versions or ("",), parts)


def known(words: Collection[str], kind: str, all_of_them: Collection[str], fail: Callable[[str], None]) -> None:
    """End the command where one of the words is none of those that there are."""
    from failure_matrix.nearest import nearest

    for word in words:
        if word not in all_of_them:
            near = nearest(word, all_of_them)
            fail(f"there is no {kind} '{word}'" + (f"; did you mean '{near}'?" if near else ""))


def joined(arguments: argparse.Namespace, folder: Path, root: Path) -> Verified:
    """What several parts of the work found, from what each printed with --json."""
    from failure_matrix.evidence import verifying

    try:
        parts: list[dict[str, Any]] = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.join]
        whole = verifying.join(folder, root, [part["records"] for part in parts])
        versions = sorted({version for part in parts for version in part["versions"]})
        return replace(whole, versions=tuple(versions))
    except OSError as reason:
        arguments.fail(f"{reason.filename} can't be read: {reason.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError) as reason:
        arguments.fail(f"these are not all parts of one run: {reason}")
    raise AssertionError("the command has ended")


def standing(project: Project, verified: Verified, root: Path) -> Report:
    """The report on what is wrong, known and accepted problems left out."""
    from failure_matrix.checks import RULES, unaccepted
    from failure_matrix.commands.check import site_url
    from failure_matrix.report import Report

    rules = {rule.number: rule for rule in RULES}
    problems = unaccepted(project, verified.problems)
    return Report(problems, (), verified.texts, rules, len(project.matrices), site_url(root / "mkdocs.yml"))


def printed(arguments: argparse.Namespace, report: Report, verified: Verified) -> str:
    """What was found: as text, or as JSON with the records."""
    from failure_matrix.report import as_text
    from failure_matrix.report.json_object import problem_object

    if arguments.json:
        problems = [problem_object(problem, report) for problem in report.problems]
        found = {"versions": verified.versions, "holds": verified.holds, "problems": problems}
        return json.dumps({**found, "records": verified.records}, indent=1) + "\n"
    problems_text = as_text(report, colour=arguments.output is None and wants_colour("auto", sys.stdout, os.environ))
    return problems_text + "".join(f"{line}\n" for line in summary(verified))


def summary(verified: Verified) -> list[str]:
    """What was run, a line for each suite."""
    lines = []
    for suite, record in verified.records.items():
        scenarios, walk = record["scenarios"].values(), record.get("walk")
        hold = sum(each["holds"] for each in scenarios)
        orders = sum(each.get("orders", 0) for each in scenarios)
        words = f"{hold} of {len(scenarios)} scenarios hold, {orders} orders were run"
        walked = f", the walk tried {walk['tried']} times in {walk['places']} places" if walk else ""
        lines.append(f"{suite}: {words}{walked}.")
    return [*lines, f"Run on PostgreSQL {', '.join(verified.versions)}."] if verified.versions else lines


def progress() -> Callable[[str], None]:
    """Says on standard error what is being run: in one line where somebody watches, else a line for each part."""

    def show(what: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{what} …")
        elif not re.search(r"(order|mutant) \d+$", what):
            sys.stderr.write(f"{what}\n")
        sys.stderr.flush()

    return show
