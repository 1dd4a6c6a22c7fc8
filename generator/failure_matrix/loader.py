"""The matrices of a folder, resolved, and every problem in how they are written. Bad data never raises."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from failure_matrix import files, model, source
from failure_matrix.errors import NoMatrix
from failure_matrix.loading.matrix import Shared, load_matrix
from failure_matrix.loading.shared import load_owners, load_settings
from failure_matrix.loading.statements import ReadText
from failure_matrix.problems import Location, Problem, worst_first

OWNERS = "owners"
SETTINGS = "settings"
"""The names, without their ending, of the two files that are no matrices."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The project as far as it could be read, and what stands in the way of the rest, the worst first."""

    project: model.Project
    problems: tuple[Problem, ...]


def load(folder: Path, root: Path) -> Loaded:
    """Reads the matrices in a folder. Paths in locations are relative to `root`.

    A matrix with a problem is left out of the project; all others are in it. Raises `NoMatrix` where there is
    no such folder, or no matrix in it.
    """
    found = files.yaml_files(folder, root)
    if all(stem(path) in (OWNERS, SETTINGS) for path in (*found.texts, *found.broken)):
        raise NoMatrix(f"There is no matrix in {folder}. Write one, or begin with `failure-matrix init`.")
    return load_texts(found.texts, files.reader(root), found.broken)


@source.without_garbage_collector()
def load_texts(
    texts: Mapping[str, bytes | str], read: ReadText, broken: Mapping[str, tuple[str, str]] | None = None
) -> Loaded:
    """Reads matrices from texts, by the paths of their files; nothing but `read` touches a file.

    `read` gives the text of a file that a statement is quoted from. `broken` are files that could not be read,
    with a message and a remedy each.
    """
    problems = [unread(path, *said) for path, said in (broken or {}).items()]
    owners = load_owners({path: raw for path, raw in texts.items() if stem(path) == OWNERS}, problems)
    settings = load_settings({path: raw for path, raw in texts.items() if stem(path) == SETTINGS}, problems)
    shared = Shared(owners.names, owners.owners, read)
    seen = {**owners.texts, **settings.texts}
    matrices: dict[str, model.Matrix] = {}
    for path in sorted(path for path in texts if stem(path) not in (OWNERS, SETTINGS)):
        made = load_matrix(path, texts[path], shared)
        problems += made.problems
        seen.update(made.texts)
        if made.matrix is not None:
            matrices[made.matrix.id] = made.matrix
    project = model.Project(matrices, owners.owners, settings.levels, seen, owners.locate, settings.settings)
    return Loaded(project, worst_first(problems))


def stem(path: str) -> str:
    """The name of a file without its ending."""
    return posixpath.splitext(posixpath.basename(path))[0]


def unread(path: str, message: str, remedy: str) -> Problem:
    """The problem of a file that could not be opened."""
    return Problem("100", "error", message, Location(path), remedy)
