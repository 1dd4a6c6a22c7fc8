"""Problems that are known and accepted: kept apart from those that stand, and reported when they wear out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from failure_matrix.checks import (
    r901_acceptance_without_reason,
    r902_unused_acceptance,
    r903_expired_acceptance,
    r904_unacceptable_rule,
)
from failure_matrix.model import Acceptance, Matrix
from failure_matrix.problems import Problem, errors


@dataclass(frozen=True, slots=True)
class Accepted:
    """A problem that may stay, and the entry of `accept` that says why."""

    problem: Problem
    acceptance: Acceptance


@dataclass(frozen=True, slots=True)
class Sorted:
    """The problems of one matrix: those that stand, those of `accept` itself among them, and the accepted ones."""

    standing: tuple[Problem, ...]
    accepted: tuple[Accepted, ...]


def sort_out(
    matrix: Matrix,
    problems: Iterable[Problem],
    fixed: frozenset[str],
    today: date,
    unasked: frozenset[str] = frozenset(),
) -> Sorted:
    """Set the accepted problems of a matrix apart.

    `fixed` are the numbers of the rules that can't be accepted, `unasked` those that could find nothing for want of
    evidence: an entry for one of these is not called unused.
    """
    standing: list[Problem] = []
    accepted: list[Accepted] = []
    for problem in problems:
        acceptance = None if problem.rule in fixed else acceptance_of(problem, matrix.accepted)
        if acceptance is None:
            standing.append(problem)
        else:
            accepted.append(Accepted(problem, acceptance))
    worn = [
        *_unacceptable(matrix, fixed),
        *(() if errors(tuple(standing)) else _unused(matrix, accepted, fixed | unasked)),
        *_worn_out(matrix, accepted, today),
    ]
    return Sorted((*standing, *worn), tuple(accepted))


def acceptance_of(problem: Problem, acceptances: Iterable[Acceptance]) -> Acceptance | None:
    """The first entry of `accept` for the problem's rule whose place is the problem's address or lies above it."""
    for acceptance in acceptances:
        if acceptance.rule == problem.rule and f"{problem.address}.".startswith(f"{acceptance.at}."):
            return acceptance
    return None


def _unacceptable(matrix: Matrix, fixed: frozenset[str]) -> Iterator[Problem]:
    """The entries for rules that can't be accepted."""
    return (r904_unacceptable_rule.problem(matrix, each) for each in matrix.accepted if each.rule in fixed)


def _unused(matrix: Matrix, accepted: list[Accepted], fixed: frozenset[str]) -> Iterator[Problem]:
    """The entries that accept nothing. Not asked while an error stands, since it may hide their problems."""
    used = {each.acceptance.index for each in accepted}
    for acceptance in matrix.accepted:
        if acceptance.index not in used and acceptance.rule not in fixed:
            yield r902_unused_acceptance.problem(matrix, acceptance)


def _worn_out(matrix: Matrix, accepted: list[Accepted], today: date) -> Iterator[Problem]:
    """The entries that accept something without a reason, or whose day has gone by."""
    for acceptance in matrix.accepted:
        problems = [each.problem for each in accepted if each.acceptance.index == acceptance.index]
        if problems and not acceptance.because.strip():
            yield r901_acceptance_without_reason.problem(matrix, acceptance)
        if problems and acceptance.until and acceptance.until < today.isoformat():
            yield r903_expired_acceptance.problem(matrix, acceptance, problems)
