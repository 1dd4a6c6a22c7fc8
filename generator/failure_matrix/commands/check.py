"""Check the matrices of a folder and print their problems, the worst first.

examples:
  failure-matrix check                             the matrices in matrix/
  failure-matrix check --strict                    warnings fail too
  failure-matrix check --rule 201 --rule overlap   these rules alone, by number or name
  failure-matrix check --explain 202               why a rule exists, with an example
  failure-matrix check --fix                       mend what can have been meant in one way only
  failure-matrix check --format github             annotations in GitHub Actions
  failure-matrix check --format sarif --output failure-matrix.sarif
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from failure_matrix.commands.output import progress, wants_colour, write
from failure_matrix.commands.version import version

if TYPE_CHECKING:
    from failure_matrix.report import Report

NAME = "check"
SUMMARY = "check the matrices and print their problems"


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=Path("matrix"),
        metavar="MATRIX_FOLDER",
        help="the matrices (default: %(default)s)",
    )
    parser.add_argument("--rule", action="append", default=[], metavar="RULE", help="report this rule; repeatable")
    parser.add_argument("--explain", metavar="RULE", help="print a rule's page and check nothing")
    parser.add_argument("--format", choices=("text", "json", "sarif", "github", "gitlab"), default="text")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the report to a file")
    parser.add_argument("--strict", action="store_true", help="exit with 1 on warnings too")
    parser.add_argument("--fix", action="store_true", help="mend what is safe to mend, and report the rest")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def run(arguments: argparse.Namespace) -> int:
    """Check the folder, print the report, and return the exit code."""
    if arguments.explain is not None:
        return explain(arguments)
    wanted = {rule_number(name, arguments.fail) for name in arguments.rule}
    if arguments.fix:
        from failure_matrix.commands import fixing
        from failure_matrix.files import project_folder

        fixing.fix(arguments.folder, project_folder(arguments.folder), wanted)
    with progress(f"Checking {arguments.folder}"):
        report = checked(arguments.folder)
    report = report.only(wanted) if wanted else report
    write(printed(report, arguments), arguments.output)
    if arguments.output is not None:
        print(report.summary(), file=sys.stderr)
    failed = report.count("error") or (arguments.strict and report.count("warning"))
    return 1 if failed else 0


def checked(folder: Path) -> Report:
    """The report on the matrices of a folder.

    Raises `NoMatrix` where there are none.
    """
    from failure_matrix import clock
    from failure_matrix.checking import read_and_check
    from failure_matrix.files import project_folder
    from failure_matrix.report import Report

    root = project_folder(folder)
    project, found = read_and_check(folder, root, clock.today())
    return Report.of(project, found, site_url(root / "mkdocs.yml"))


def site_url(configuration: Path) -> str:
    """Where the site is published, as far as MkDocs' configuration says it in plain words; else empty."""
    from failure_matrix import source

    if not configuration.is_file():
        return ""
    document, _, _ = source.read(configuration.name, configuration.read_bytes())
    entries = document.root.value if document else []
    settings = {key.value: value.value for key, value in entries if isinstance(key.value, str)}
    address = str(settings.get("site_url"))
    known = address.startswith(("https://", "http://")) and settings.get("use_directory_urls") != "false"
    return address if known else ""


def printed(report: Report, arguments: argparse.Namespace) -> str:
    """The report in the form that the command line asks for."""
    from failure_matrix.report import as_github, as_gitlab, as_json, as_sarif, as_text

    colour = arguments.output is None or arguments.color == "always"
    forms: Mapping[str, Callable[[Report], str]] = {
        "text": lambda report: as_text(report, colour=colour and wants_colour(arguments.color, sys.stdout, os.environ)),
        "json": as_json,
        "sarif": lambda report: as_sarif(report, version()),
        "github": as_github,
        "gitlab": as_gitlab,
    }
    return forms[arguments.format](report)


def explain(arguments: argparse.Namespace) -> int:
    """Print the page of a rule."""
    from failure_matrix.checks import RULES

    number = rule_number(arguments.explain, arguments.fail)
    rule = next(rule for rule in RULES if rule.number == number)
    write(f"# {rule.number} {rule.name} ({rule.level})\n\n{rule.page.strip()}\n", arguments.output)
    return 0


def rule_number(name: str, fail: Callable[[str], None]) -> str:
    """The number of the rule that has a number or a name. The command ends where there is none."""
    from failure_matrix.checks import RULES
    from failure_matrix.nearest import nearest

    numbers = {rule.number: rule.number for rule in RULES} | {rule.name: rule.number for rule in RULES}
    if name not in numbers:
        near = nearest(name, numbers)
        fail(f"no rule is called '{name}'" + (f"; did you mean '{near}'?" if near else ""))
    return numbers[name]
