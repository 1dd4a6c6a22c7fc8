"""`verify`: everything is run, on each version that was asked for, and recorded."""

from __future__ import annotations

import contextlib
import difflib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from failure_matrix.evidence.binaries import choose
from failure_matrix.evidence.complaints import differing_versions, old_version, suite_problems
from failure_matrix.evidence.constraints import show_constraints
from failure_matrix.evidence.digests import digest_of_observing, digest_of_playbook, digest_of_scenario
from failure_matrix.evidence.loading import Suite, load_suites
from failure_matrix.evidence.mutants import Hunter
from failure_matrix.evidence.orders import run_orders
from failure_matrix.evidence.parts import all_hold, joined
from failure_matrix.evidence.record import (
    FORM,
    Json,
    constraints_record,
    mutants_record,
    orders_record,
    path_of,
    scenario_record,
    text_of,
    walk_record,
)
from failure_matrix.evidence.running import Runner
from failure_matrix.evidence.scenario import Scenario
from failure_matrix.evidence.server import Server, embedded, existing
from failure_matrix.evidence.stage import BadSchema
from failure_matrix.evidence.walking import walker
from failure_matrix.loader import load
from failure_matrix.model import Project
from failure_matrix.problems import Problem, worst_first

WHOLE = (1, 1)
ORDER = ("form", "suite", "scenarios", "digest", "walk", "constraints", "mutants", "holds", "versions")
"""The order of a record's parts, whoever put them together."""

Progress = Callable[[str], None]
"""Called with what is being run."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to verify: ids of matrices and of scenarios (all where empty), and on what.

    `versions` are those of the embedded server (`18`, `17.10`); `dsn` names a server instead. `parts` is `(i, n)`: the
    i-th of n parts of everything, so that several jobs can share the work. See `join`.
    """

    matrices: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    dsn: str = ""
    versions: tuple[str, ...] = ("",)
    parts: tuple[int, int] = WHOLE
    with_mutants: bool = True


@dataclass(frozen=True, slots=True)
class Verified:
    """What verifying gave: a record for each suite, what is wrong, and the text of each file that was read."""

    records: Mapping[str, Json]
    problems: tuple[Problem, ...]
    texts: Mapping[str, str]
    versions: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was contradicted."""
        return not any(problem.level == "error" for problem in self.problems)


def verify(
    folder: Path,
    root: Path,
    options: Options = Options(),
    progress: Progress = lambda _: None,
) -> Verified:
    """Run the evidence of the matrices in a folder. Paths in problems are relative to `root`.

    Nothing is written: see `write`. Raises `NoDatabase` where a server can't be started or reached, and `NoMatrix`.
    """
    loaded = load(folder, root)
    suites = load_suites(folder, root, loaded.project)
    problems = [*loaded.problems, *suites.problems]
    chosen = [suite for suite in suites.suites if not options.matrices or suite.id in options.matrices]
    records: dict[str, Json] = {}
    versions = []
    for server in _servers(options):
        versions.append(server.version)
        problems += old_version(server.version, folder.name)
        for suite in chosen:
            record, told = _SuiteRun(server, suite, options, loaded.project, progress).run()
            problems += told
            first = records.setdefault(suite.id, record)
            problems += differing_versions(suite, first, record, versions)
    texts = {**loaded.project.texts, **suites.texts}
    return Verified(records, worst_first(problems), texts, tuple(versions))


def _servers(options: Options) -> Iterator[Server]:
    if options.dsn:
        with existing(options.dsn) as server:
            yield server
        return
    for version in options.versions:
        choose(version)
    for version in options.versions:
        with embedded(version) as server:
            yield server


class _SuiteRun:
    def __init__(self, server: Server, suite: Suite, options: Options, project: Project, progress: Progress) -> None:
        self._server = server
        self._suite = suite
        self._observing = digest_of_observing(suite.playbook)
        self._options = options
        self._project = project
        self._progress = progress
        self._runner = Runner(server, suite.playbook)
        self._problems: list[Problem] = []

    def run(self) -> tuple[Json, list[Problem]]:
        with self._runner:
            return self._run()

    def _run(self) -> tuple[Json, list[Problem]]:
        book = self._suite.playbook
        record: Json = {"form": FORM, "suite": self._suite.id}
        record["scenarios"] = {each.id: self._scenario(each) for each in self._chosen()}
        if book is not None and not self._options.scenarios and self._options.parts[0] == 1:
            with self._schema_problems(), walker(self._server, book) as walking:
                record["digest"] = digest_of_playbook(book)
                self._say("the walk")
                walking.walk()
                record["walk"] = walk_record(walking.walked)
                self._say("the constraints")
                record["constraints"] = constraints_record(show_constraints(self._server, book, walking.walked))
                if self._options.with_mutants:
                    hunter = Hunter(self._server, self._runner, walking, self._holding(record))
                    runs = hunter.hunt(lambda number: self._say(f"mutant {number}"))
                    record["mutants"] = mutants_record(runs)
        record["holds"] = all_hold(record)
        if self._options.parts != WHOLE:
            return {**record, "part": list(self._options.parts)}, self._problems
        return record, [*self._problems, *suite_problems(self._suite, record)]

    def _chosen(self) -> list[Scenario]:
        """The scenarios that were asked for. All orders are split into parts; other scenarios are dealt out."""
        wanted = self._options.scenarios
        part, parts = self._options.parts
        dealt = [each for number, each in enumerate(self._suite.scenarios) if each.orders or number % parts == part - 1]
        return [each for each in dealt if not wanted or each.id in wanted]

    def _holding(self, record: Json) -> tuple[Scenario, ...]:
        """The scenarios that hold, among them those that another part records."""
        recorded = record["scenarios"]
        return tuple(each for each in self._suite.scenarios if self._holds(each, recorded.get(each.id)))

    def _holds(self, scenario: Scenario, record: Json | None) -> bool:
        if record is None:
            return not self._runner.run(scenario).breaks
        is_part = scenario.orders is not None and self._options.parts != WHOLE
        return is_part or bool(record["holds"])

    def _scenario(self, scenario: Scenario) -> Json:
        digest = digest_of_scenario(scenario, self._observing)
        self._say(scenario.id)
        with self._schema_problems(scenario):
            if scenario.orders is not None:
                run = run_orders(
                    self._server,
                    scenario,
                    self._suite.playbook,
                    shard=self._options.parts,
                    progress=lambda count: self._say(f"{scenario.id}, order {count}") if count % 100 == 0 else None,
                )
                return orders_record(digest, scenario, run)
            played = self._runner.run(scenario)
            controls = [self._runner.control(scenario, control) for control in scenario.controls]
            return scenario_record(digest, played, controls)
        return {"title": scenario.title, "digest": digest, "place": scenario.location.path, "holds": False}

    @contextlib.contextmanager
    def _schema_problems(self, scenario: Scenario | None = None) -> Iterator[None]:
        """Tables that can't be created are a problem of the scenario's, or of the matrix's."""
        try:
            yield
        except BadSchema as bad:
            book = self._suite.playbook
            place = scenario.location if scenario or book is None else book.matrix.locate(("tables",))  # type: ignore[union-attr]
            message = f"The tables or the rows can't be made: {bad}"
            self._problems.append(Problem("602", "error", message, place, matrix=self._suite.id))

    def _say(self, what: str) -> None:
        self._progress(f"{self._suite.id}: {what}")


def write(folder: Path, verified: Verified) -> list[Path]:
    """Write the records beside the matrices. Parts that were not run keep what is recorded of them."""
    written = []
    for suite, record in verified.records.items():
        path = path_of(folder, suite)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text_of(_merged(stored(path), record, verified.versions)), encoding="utf-8")
        written.append(path)
    return written


def join(folder: Path, root: Path, parts: Sequence[Mapping[str, Json]]) -> Verified:
    """What was verified in parts, as if it had been in one go: from the `records` of each part, in any order.

    Raises `ValueError` where a part is missing.
    """
    loaded = load(folder, root)
    suites = load_suites(folder, root, loaded.project)
    records = {suite: joined([part[suite] for part in parts]) for suite in parts[0]}
    told = [each for suite in suites.suites if suite.id in records for each in suite_problems(suite, records[suite.id])]
    problems = worst_first([*loaded.problems, *suites.problems, *told])
    return Verified(records, problems, {**loaded.project.texts, **suites.texts}, ())


def differences(folder: Path, verified: Verified) -> dict[str, str]:
    """What would change in each suite's record if it were written, as a unified diff. The versions don't count."""
    found = {}
    for suite, record in verified.records.items():
        old = stored(path_of(folder, suite))
        before, after = _lines(old), _lines(_merged(old, record, ()))
        if before != after:
            name = path_of(folder, suite).relative_to(folder.parent).as_posix()
            found[suite] = "".join(difflib.unified_diff(before, after, f"{name} (recorded)", f"{name} (now)"))
    return found


def _lines(record: Json) -> list[str]:
    return text_of({name: value for name, value in record.items() if name != "versions"}).splitlines(keepends=True)


def stored(path: Path) -> Json:
    """A record as it is stored; empty where there is none, or a file that is none."""
    try:
        record: Json = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record


def _merged(old: Json, new: Json, versions: tuple[str, ...]) -> Json:
    """A record as it is to be stored.

    Where a part was run, the whole was run on the versions that both have. Where nothing changed, the versions on which
    it was run before count too.
    """
    whole = "walk" in new or not old or ("digest" not in old and set(old["scenarios"]) <= set(new["scenarios"]))
    scenarios: dict[str, Any] = new["scenarios"] if whole else {**old["scenarios"], **new["scenarios"]}
    majors = sorted({version.split(".")[0] for version in versions})
    majors = majors if whole else [version for version in majors if version in old.get("versions", majors)]
    merged = {**({} if whole else old), **new, "scenarios": dict(sorted(scenarios.items())), "versions": majors}
    merged["holds"] = all_hold(merged)
    if {**merged, "versions": []} == {**old, "versions": []}:
        merged["versions"] = sorted({*old["versions"], *majors})
    return {name: merged[name] for name in sorted(merged, key=ORDER.index)}
