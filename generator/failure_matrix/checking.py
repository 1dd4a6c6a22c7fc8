"""The first half of the way: read the matrices and what is recorded of them, and check them by every rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from failure_matrix import loader, source
from failure_matrix.checks import Checked, check
from failure_matrix.evidence.shown import known
from failure_matrix.model import Project


@source.without_garbage_collector()
def read_and_check(folder: Path, root: Path, today: date) -> tuple[Project, Checked]:
    """The project of a folder of matrices, with the text of its scenarios too, and what the rules say of it.

    Paths are relative to `root`. Raises `NoMatrix` where there are none.
    """
    loaded = loader.load(folder, root)
    found = known(folder, root, loaded.project)
    project = replace(loaded.project, texts={**loaded.project.texts, **found.texts})
    return project, check(project, [*loaded.problems, *found.problems], today, found.evidence)
