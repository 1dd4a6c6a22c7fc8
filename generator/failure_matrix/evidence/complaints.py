"""The problems of group 6: what evidence contradicts, does not show, or does not need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from failure_matrix.addresses import address
from failure_matrix.model import Matrix, Path
from failure_matrix.problems import Level, Location, Problem, Related

if TYPE_CHECKING:
    from failure_matrix.evidence.loading import Suite
    from failure_matrix.evidence.scenario import Scenario

Record = Mapping[str, Any]
SUPPORTED = ("15", "16", "17", "18")
"""The major versions of PostgreSQL that are supported by its makers and covered here."""


def suite_problems(suite: Suite, record: Record) -> Iterator[Problem]:
    """What a record, fresh from the run, says against its suite."""
    for scenario in suite.scenarios:
        if scenario.id in record["scenarios"]:
            yield from _scenario_problems(suite, scenario, record["scenarios"][scenario.id])
    if suite.playbook is not None:
        matrix = suite.playbook.matrix
        yield from _walk_problems(matrix, record.get("walk", {}))
        yield from _constraint_problems(matrix, record.get("constraints", {}))
        yield from _mutant_problems(matrix, record.get("mutants", ()))


def _scenario_problems(suite: Suite, scenario: Scenario, record: Record) -> Iterator[Problem]:
    steps = {each.number: each for each in scenario.steps}
    then = {each.number: each for each in scenario.then}
    for text in record.get("breaks", ()):
        words = text.removeprefix("Step ").split()
        place = then[int(words[1].strip(":"))] if words[0] == "then" else steps[int(words[0].strip(":"))]
        yield Problem("602", "error", f"“{scenario.title}” does not hold. {text}", place.location, matrix=suite.id)
    for control, played in zip(scenario.controls, record.get("controls", ()), strict=False):
        if not played["holds"]:
            expected, broke = _numbers(control.breaks), _numbers(played["broke"])
            message = f"Without `{control.cut}` {broke} broke; expected was that {expected} would."
            yield Problem("602", "error", message, control.location, matrix=suite.id)
    if scenario.orders is not None and "orders" in record and not record["holds"]:
        yield _orders_problem(suite, scenario, record)
    if scenario.orders is None and not scenario.controls:
        message = f"Nothing shows that “{scenario.title}” could fail: it has no control."
        remedy = "Name a condition whose loss breaks it, under `controls`."
        yield Problem("605", "warning", message, scenario.location, remedy, matrix=suite.id)


def _numbers(steps: Sequence[int]) -> str:
    if not steps:
        return "no step"
    return ("step " if len(steps) == 1 else "steps ") + ", ".join(str(number) for number in steps)


def _orders_problem(suite: Suite, scenario: Scenario, record: Record) -> Problem:
    orders = scenario.orders
    assert orders is not None
    count = "all" if orders.count is None else str(orders.count)
    message = (
        f"“{scenario.title}” does not hold: {record['broken']} of {record['orders']} orders break it;"
        f" expected {orders.broken} of {count}."
    )
    if record["limited"]:
        message += " There are more orders than may be run."
    shown = record["counterexample"]
    related = () if shown is None else (Related(f"The shortest way: {_way(shown['steps'])}", orders.location),)
    return Problem("602", "error", message, orders.location, related=related, matrix=suite.id)


def _way(steps: Sequence[Record]) -> str:
    return "; ".join(f"{each['session']}: {each['ran']}" for each in steps)


def _walk_problems(matrix: Matrix, record: Record) -> Iterator[Problem]:
    for found in record.get("found", ()):
        path = tuple(found["at"])
        way = Related(f"The way: {'; '.join(found['way'])}", matrix.locate(path))
        yield _problem("602", "error", found["message"], matrix, path, related=(way,))
    if record.get("limited"):
        message = f"The walk ended at its limit of {record['places']} places."
        yield _problem("601", "warning", message, matrix, ("title",), "Raise `limit`, or walk fewer subjects.")


def _constraint_problems(matrix: Matrix, record: Record) -> Iterator[Problem]:
    for clause in record.get("clauses", ()):
        path = ("impossible", str(clause["clause"]), "by")
        name = clause["constraint"]
        if clause["missing"]:
            yield _problem("602", "error", f"The tables have no constraint `{name}`.", matrix, path)
        elif clause["accepted"]:
            message = f"`{name}` lets a row through that is called impossible: {clause['accepted']}."
            yield _problem("602", "error", message, matrix, path)
        elif not clause["excluded"]:
            yield _problem("601", "warning", f"No row was found that `{name}` would have to refuse.", matrix, path)
    for combination in record.get("refused", ()):
        seen = ", ".join(f"{name}={value}" for name, value in combination.items())
        message = f"The tables' constraints refuse every row that is {seen}, which is called possible."
        yield _problem("602", "error", message, matrix, ("tables",))


def _mutant_problems(matrix: Matrix, runs: Sequence[Record]) -> Iterator[Problem]:
    for run in runs:
        path = ("actions", run["action"], "run")
        if run["invalid"]:
            message = f"“{run['action']}” without `{run['condition']}` is no valid SQL, so it says nothing."
            yield _problem("608", "error", message, matrix, path)
        elif not run["missed_by"]:
            message = f"Nothing misses `{run['condition']}` where “{run['action']}” is without it."
            remedy = "Write the scenario that shows what it is for, or cut it."
            yield _problem("606", "warning", message, matrix, path, remedy)


def _problem(  # noqa: PLR0913, PLR0917 - a problem has many parts
    rule: str,
    level: Level,
    message: str,
    matrix: Matrix,
    path: Path,
    remedy: str = "",
    related: tuple[Related, ...] = (),
) -> Problem:
    return Problem(rule, level, message, matrix.locate(path), remedy, related, matrix.id, address(path))


def old_version(version: str, folder: str) -> Iterator[Problem]:
    """A server whose version is past its end of life, or not covered."""
    if version.split(".", maxsplit=1)[0] not in SUPPORTED:
        message = f"PostgreSQL {version} is not among the versions that are covered: {', '.join(SUPPORTED)}."
        yield Problem("604", "warning", message, Location(folder))


def differing_versions(suite: Suite, first: Record, other: Record, versions: Sequence[str]) -> Iterator[Problem]:
    """Where a version showed something else than the first one."""
    for name, record in other["scenarios"].items():
        if record != first["scenarios"][name]:
            message = f"PostgreSQL {versions[-1]} shows something else than {versions[0]}."
            scenario = next(each for each in suite.scenarios if each.id == name)
            yield Problem("602", "error", message, scenario.location, matrix=suite.id)
    for part in ("walk", "constraints", "mutants"):
        if suite.playbook is not None and other.get(part) != first.get(part):
            message = f"PostgreSQL {versions[-1]} shows something else than {versions[0]} under `{part}`."
            yield _problem("602", "error", message, suite.playbook.matrix, ("title",))
