"""Tell which state a subject is in, what is safe there, and what is forbidden.

Without --observe and --dsn, it asks one question after the other, the one that tells most first.

With --dsn it runs the observations' queries: in a read-only transaction, in one snapshot, each for 5 seconds at most,
as a role that can't write. A role that can is refused before anything is asked.

examples:
  failure-matrix diagnose design-export
  failure-matrix diagnose design-export --observe job=running --observe lease=unknown
  failure-matrix diagnose design-export --dsn service=jobs-reader --param job=42 --param generation=3
  failure-matrix diagnose outbox-relay --param event=7 --dsn outbox-db=service=outbox --dsn consumer-db=service=inbox
  failure-matrix diagnose outbox-relay --param event=7 --dsn outbox-db=service=outbox --files /mnt/archive

exit codes:
  0  one state
  1  nothing follows from the matrix: it can't be read, or not each combination is in one state
  2  the command was called in a wrong way
  3  could not look: no matrix, no database, a role that can write, no query that gave an answer
  4  not distinguished: several states are left
  5  impossible: a rule was broken, or it is the wrong subject
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from failure_matrix.commands.output import write
from failure_matrix.errors import NoDatabase

if TYPE_CHECKING:
    from failure_matrix.checks.rule import Proof
    from failure_matrix.diagnose import Answers, Diagnosis, Triage
    from failure_matrix.evidence.asking import Places
    from failure_matrix.model import Matrix, Observation, Project
    from failure_matrix.problems import Problem

NAME = "diagnose"
SUMMARY = "tell a subject's state from what one observes, and what is safe"

UNKNOWN = "unknown"
EXIT_CODES = {"one state": 0, "not distinguished": 4, "impossible": 5}

FORM_AND_TABLE = "12"
"""The first digits of the rules that say whether a matrix can be read, and whether each combination is in one state."""

Fail = Callable[[str], None]


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("id", metavar="MATRIX", help="the matrix's id")
    parser.add_argument(
        "--matrix", type=Path, default=Path("matrix"), metavar="FOLDER", help="the matrices (default: %(default)s)"
    )
    parser.add_argument(
        "--observe",
        action="append",
        default=[],
        metavar="OBSERVATION=VALUE",
        help="what was observed; the value `unknown` where nobody can tell; repeatable",
    )
    add_places(parser)
    parser.add_argument(
        "--param", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the queries; repeatable"
    )
    parser.add_argument("--json", action="store_true", help="print an object for programs")


def add_places(parser: argparse.ArgumentParser) -> None:
    """The options that say where to look."""
    parser.add_argument(
        "--dsn",
        action="append",
        default=[],
        metavar="[SOURCE=]DSN",
        help="a database to look into, as libpq writes it; repeatable where a matrix has several",
    )
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="the folder that files are looked for in")


def run(arguments: argparse.Namespace) -> int:
    """Diagnose, print what was found, and return the exit code that tells it."""
    from failure_matrix.diagnose import Triage
    from failure_matrix.report.diagnosis import diagnosis_as_json, diagnosis_as_text

    proof = proof_of(arguments.id, arguments.matrix, arguments.fail)
    if proof is None:
        return 1
    triage = Triage(proof.matrix, proof.table, proof.effects)
    answers: Answers = told(arguments.observe, proof.matrix, arguments.fail)
    reasons: Mapping[str, str] = {}
    if arguments.dsn or arguments.files:
        seen, reasons = looked(arguments, proof, answers)
        answers = {name: {**seen, **answers}[name] for name in proof.matrix.observations if name in {**seen, **answers}}
    elif not answers and not arguments.json and sys.stdin.isatty():
        answers = asked_for(triage)
    found = triage.diagnose(answers)
    write((diagnosis_as_json if arguments.json else diagnosis_as_text)(proof.matrix, found, reasons), None)
    return EXIT_CODES[found.verdict]


def proof_of(id: str, folder: Path, fail: Fail) -> Proof | None:
    """The matrix of an id with what follows from it.

    None where nothing follows, since it can't be read or its combinations are not each in one state: the problems are
    printed then. Other problems, such as stale evidence, are no reason to leave somebody on call alone.
    """
    from failure_matrix import loader
    from failure_matrix.checks.rule import Proof
    from failure_matrix.files import project_folder

    loaded = loader.load(folder, project_folder(folder))
    known = set(loaded.project.matrices) | {problem.matrix for problem in loaded.problems if problem.matrix}
    known_word("matrix", id, known, fail)
    if any(problem.level == "error" and problem.matrix in ("", id) for problem in loaded.problems):
        print_problems(loaded.project, loaded.problems, id)
        return None
    proof = Proof(loaded.project.matrices[id])
    if not proof.table.sound:
        print_problems(loaded.project, loaded.problems, id)
        return None
    return proof


def print_problems(project: Project, problems: tuple[Problem, ...], id: str) -> None:
    """Print why nothing follows from a matrix."""
    from failure_matrix import clock
    from failure_matrix.checks import Checked, check
    from failure_matrix.report import Report, as_text

    checked = check(project, problems, clock.today())
    found = (each for each in checked.problems if each.matrix in ("", id) and each.rule[0] in FORM_AND_TABLE)
    print(as_text(Report.of(project, Checked(tuple(found), checked.accepted, checked.proofs))), file=sys.stderr, end="")


def told(given: list[str], matrix: Matrix, fail: Fail) -> dict[str, str | None]:
    """The answers of the command line."""
    observations = {name: each for each in matrix.observations.values() for name in (each.id, *each.aliases)}
    answers: dict[str, str | None] = {}
    for told_as, value in pairs("--observe", given, fail):
        known_word("observation", told_as, observations, fail)
        name, values = observations[told_as].id, observations[told_as].value_ids
        if value != UNKNOWN or UNKNOWN in values:
            known_word(f"value of {name}", value, (*values, UNKNOWN), fail)
        answers[name] = value if value in values else None
    return answers


def pairs(option: str, given: list[str], fail: Fail) -> list[tuple[str, str]]:
    """Options of the form NAME=VALUE, none of them twice."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            fail(f"{option} {text}: write it as NAME=VALUE")
        if name in found:
            fail(f"{option} names '{name}' twice")
        found[name] = value
    return list(found.items())


def known_word(kind: str, word: str, words: Collection[str], fail: Fail) -> None:
    """End the command where a word is none of the known ones, with the nearest of them."""
    from failure_matrix.nearest import nearest

    if word not in words:
        near = nearest(word, words)
        fail(
            f"no {kind} is called '{word}'" + (f"; did you mean '{near}'?" if near else f"; known: {', '.join(words)}")
        )


def looked(arguments: argparse.Namespace, proof: Proof, told: Answers) -> tuple[Answers, Mapping[str, str]]:
    """What the database and the files say, and why observations that nobody told gave no answer.

    Raises `NoDatabase` where none of them gave one.
    """
    from failure_matrix.evidence.asking import look

    matrix = proof.matrix
    subject = dict(pairs("--param", arguments.param, arguments.fail))
    for name in subject:
        known_word("parameter", name, matrix.parameters, arguments.fail)
    seen = look(matrix, proof.table, places(arguments, matrix), subject)
    if not seen.values:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in seen.unknown.items())
        raise NoDatabase(f"No observation gave an answer. {reasons}")
    return seen.values, {name: reason for name, reason in seen.unknown.items() if name not in told}


def places(arguments: argparse.Namespace, matrix: Matrix) -> Places:
    """Where the command line says to look."""
    from failure_matrix.evidence.asking import ANY, Places

    databases: dict[str, str] = {}
    for text in arguments.dsn:
        name, equals, dsn = text.partition("=")
        source, dsn = (name, dsn) if equals and name in matrix.sources else (ANY, text)
        if source in databases:
            arguments.fail(f"--dsn names {f'the source {source}' if source else 'a database'} twice")
        databases[source] = dsn
    return Places(databases, arguments.files)


def asked_for(triage: Triage) -> Answers:
    """The answers that somebody gives at the terminal, until one state is left or nothing tells more."""
    answers: dict[str, str | None] = {}
    found: Diagnosis = triage.diagnose(answers)
    while found.question is not None:
        answers[found.question.id] = one_answer(found.question)
        found = triage.diagnose(answers)
    return answers


def one_answer(observation: Observation) -> str | None:
    """One answer, asked for until it is one. An empty line is `unknown`, the end of the input too."""
    from failure_matrix.report.diagnosis import asked

    print("\n".join(asked(observation)))
    while True:
        try:
            given = input(f"{observation.id} [{UNKNOWN}]: ").strip() or UNKNOWN
        except EOFError:
            print()
            return None
        if given in observation.value_ids:
            print()
            return given
        if given == UNKNOWN:
            print()
            return None
        print(f"One of: {', '.join((*observation.value_ids, UNKNOWN))}")
