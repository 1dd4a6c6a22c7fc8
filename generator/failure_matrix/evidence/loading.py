"""The scenarios of a folder, read: one suite for each folder under `scenarios`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from yaml.nodes import Node

from failure_matrix import source
from failure_matrix.evidence.nodes import entries, given_values, items, parameter, text
from failure_matrix.evidence.playbook import Playbook, playbook
from failure_matrix.evidence.reading import ScenarioReader
from failure_matrix.evidence.scenario import Scenario
from failure_matrix.evidence.settings import FileDeed, FileEffect, Settings, Walk
from failure_matrix.files import content, is_yaml, reader, relative
from failure_matrix.model import Matrix, Project
from failure_matrix.nearest import listed, nearest
from failure_matrix.problems import Location, Problem
from failure_matrix.schema import shape, walk
from failure_matrix.source import Document

SCENARIOS = "scenarios"
WALK = "walk"
"""The name, without its ending, of the file that says how a matrix is played."""

DEEDS: tuple[FileDeed, ...] = ("write", "remove", "damage")


@dataclass(frozen=True, slots=True)
class Suite:
    """The scenarios of one folder, and the playbook of the matrix of the same name, where there is one."""

    id: str
    scenarios: tuple[Scenario, ...]
    playbook: Playbook | None = None


@dataclass(frozen=True, slots=True)
class Suites:
    """All suites that could be read, what is wrong with the others, and the text of each file that was read."""

    suites: tuple[Suite, ...]
    problems: tuple[Problem, ...]
    texts: Mapping[str, str]


def load_suites(folder: Path, root: Path, project: Project) -> Suites:
    """Read the scenarios of the matrices in a folder. Paths in locations are relative to `root`.

    A matrix that names its tables has a suite even without a scenario. One that could not be read has none, since
    what would be wrong with its scenarios follows from that.
    """
    loader = _Loader(folder, root)
    with_tables = [each.id for each in project.matrices.values() if each.tables]
    folders = [each.name for each in sorted((folder / SCENARIOS).glob("*")) if each.is_dir()]
    unread = {each.stem for each in folder.iterdir() if is_yaml(each.name)} - set(project.matrices)
    names = sorted({*with_tables, *folders} - unread)
    suites = tuple(loader.suite(name, project.matrices.get(name)) for name in names)
    return Suites(suites, tuple(loader.problems), loader.texts)


class _Loader:
    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder
        self.root = root
        self.read_text = reader(root)
        self.problems: list[Problem] = []
        self.texts: dict[str, str] = {}

    def suite(self, name: str, matrix: Matrix | None) -> Suite:
        place = self.folder / SCENARIOS / name
        book = self._playbook(place, matrix) if matrix is not None and matrix.tables else None
        files = {file.name: self._sql(file) for file in sorted(place.glob("*.sql"))}
        scenarios = []
        for path in sorted(place.glob("*.yml")):
            document = self._document(path, "scenario") if path.stem != WALK else None
            if document is not None:
                reader = ScenarioReader(document, matrix, files)
                scenarios.append(reader.read(book.tables if book is not None else ""))
                self.problems += reader.problems
        return Suite(name, tuple(scenarios), book)

    def _playbook(self, place: Path, matrix: Matrix) -> Playbook:
        path = place / f"{WALK}.yml"
        document = self._document(path, WALK) if path.is_file() else None
        settings = read_settings(document) if document is not None else Settings()
        if document is not None:
            self.problems += settings_problems(document, matrix)
        return playbook(matrix, self._tables(matrix), settings)

    def _tables(self, matrix: Matrix) -> str:
        """The SQL that creates a matrix's tables; empty where its file can't be read."""
        try:
            return self.read_text(relative(self.folder / matrix.tables, self.root))
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            message = f"The tables' file `{matrix.tables}` can't be read: {why}."
            remedy = f"It is looked for in the folder of the matrices, `{self.folder.name}`."
            place = matrix.locate(("tables",))
            self.problems.append(Problem("103", "error", message, place, remedy, matrix=matrix.id, address="tables"))
            return ""

    def _sql(self, path: Path) -> str:
        """The SQL of a file beside the scenarios; empty where it can't be read."""
        try:
            return self.read_text(relative(path, self.root))
        except (OSError, ValueError) as error:
            self._unreadable(path, error.strerror if isinstance(error, OSError) else error)
            return ""

    def _unreadable(self, path: Path, why: object) -> None:
        self.problems.append(
            Problem("100", "error", f"The file can't be read: {why}.", Location(relative(path, self.root)))
        )

    def _document(self, path: Path, form: str) -> Document | None:
        """A file as a document, where neither its YAML nor its form is wrong."""
        name = relative(path, self.root)
        try:
            document, self.texts[name], problems = source.read(name, content(path))
        except OSError as error:
            self._unreadable(path, error.strerror)
            return None
        if document is not None:
            _, problems = walk(document, shape(form))
        self.problems += problems
        return None if problems else document


def settings_problems(document: Document, matrix: Matrix) -> Iterator[Problem]:
    """What a `walk.yml` names that its matrix does not have."""
    parts = entries(document.root)
    for part, kind, known in (("files", "action", matrix.actions), ("subjects", "parameter", matrix.parameters)):
        for name in entries(parts.get(part)):
            if name not in known:
                near = nearest(name, known)
                remedy = f"Did you mean `{near}`?" if near else f"Known: {listed(known) or 'none'}."
                place = document.locate_key((part, name))
                yield Problem("103", "error", f"There is no {kind} `{name}`.", place, remedy, matrix=matrix.id)


def read_settings(document: Document) -> Settings:
    """The settings of a `walk.yml`."""
    parts = entries(document.root)
    subjects = {
        name: tuple(parameter(each) for each in items(node)) for name, node in entries(parts.get("subjects")).items()
    }
    clock = tuple(Decimal(text(each)) for each in items(parts.get("clock")))
    limit = int(text(parts.get("limit")) or Walk().limit)
    files = {name: tuple(_file_effects(entries(node))) for name, node in entries(parts.get("files")).items()}
    return Settings(given_values(parts.get("values")), files, Walk(subjects, clock, limit))


def _file_effects(parts: Mapping[str, Node]) -> Iterator[FileEffect]:
    for deed in DEEDS:
        if deed in parts:
            yield FileEffect(deed, text(parts[deed]), text(parts.get("if-no-rows")) == "true")
