"""The matrices of a folder, resolved, and every problem in how they are written. Bad data never raises."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from failure_matrix import files, model, source
from failure_matrix.errors import NoMatrix
from failure_matrix.loading.matrix import load_matrix
from failure_matrix.loading.shared import File, load_owners, load_settings
from failure_matrix.loading.statements import ReadText
from failure_matrix.problems import Location, Problem, worst_first
from failure_matrix.syntax import Said

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
def load_texts(texts: Mapping[str, bytes | str], read: ReadText, unread: Mapping[str, Said] | None = None) -> Loaded:
    """Reads matrices from texts, by the paths of their files; nothing but `read` touches a file.

    `read` gives the text of a file that a statement is quoted from. `unread` are files that could not be read,
    with a message and a remedy each.
    """
    unread = unread or {}
    chosen = {stem(path): path for path in sorted(texts)}
    problems = [*unread_problems(unread), *passed_over(texts, chosen)]
    owners = load_owners(file(chosen.pop(OWNERS, None), texts), problems, any(stem(path) == OWNERS for path in unread))
    settings = load_settings(file(chosen.pop(SETTINGS, None), texts), problems)
    made = [load_matrix(path, texts[path], owners, read) for path in chosen.values()]
    seen = {**owners.texts, **settings.texts}
    for each in made:
        problems += each.problems
        seen.update(each.texts)
    matrices = {each.matrix.id: each.matrix for each in made if each.matrix is not None}
    project = model.Project(matrices, owners.owners, settings.levels, seen, owners.locate, settings.settings)
    return Loaded(project, worst_first(problems))


def stem(path: str) -> str:
    """The name of a file without its ending."""
    return posixpath.splitext(posixpath.basename(path))[0]


def file(path: str | None, texts: Mapping[str, bytes | str]) -> File | None:
    """The path and the content of a file, None where there is none."""
    return None if path is None else (path, texts[path])


def unread_problems(unread: Mapping[str, Said]) -> Iterator[Problem]:
    """The problems of files that could not be read."""
    for path, (message, remedy) in unread.items():
        yield Problem("100", "error", message, Location(path), remedy)


def passed_over(texts: Iterable[str], chosen: Mapping[str, str]) -> Iterator[Problem]:
    """The problems of files that differ from another one by their ending alone."""
    for path in texts:
        if chosen[stem(path)] != path:
            message = f"`{chosen[stem(path)]}` has the same name and is read; this file is not."
            yield Problem("102", "error", message, Location(path), "Delete one of the two.")
