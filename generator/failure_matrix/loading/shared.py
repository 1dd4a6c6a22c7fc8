"""The two files that all matrices of a folder share: `owners.yml` and `settings.yml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from failure_matrix import model, source
from failure_matrix.loading.build import owner
from failure_matrix.loading.names import Names, clashes, names
from failure_matrix.loading.unplaced import mapping
from failure_matrix.problems import Location, Problem
from failure_matrix.schema import Broken, Data, shape, walk

KIND = "owner"
PLACE = "`owners.yml`, beside the matrix"

File = tuple[str, bytes | str]
"""A file's path and its content."""


@dataclass(frozen=True, slots=True)
class Owners:
    """The owners of a folder: their names, those that are whole, and where they stand."""

    names: Names
    owners: Mapping[str, model.Owner] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    locate: Callable[[model.Path], Location] = model.nowhere


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a folder."""

    levels: Mapping[str, model.LevelSetting] = field(default_factory=dict)
    settings: model.Settings = field(default_factory=model.Settings)
    texts: Mapping[str, str] = field(default_factory=dict)


def load_owners(file: File | None, problems: list[Problem], unread: bool) -> Owners:
    """The owners from `owners.yml`; adds what is wrong with it to the problems.

    `unread` says that there is such a file, and that it could not be read.
    """
    if file is None:
        return Owners(Names(KIND, None if unread else {}, PLACE))
    path, raw = file
    document, text, unreadable = source.read(path, raw)
    problems += unreadable
    if document is None:
        return Owners(Names(KIND, None, PLACE), texts={path: text})
    data, misfits = walk(document, shape("owners"))
    problems += (*misfits, *(problem.placed(document, "") for problem in clashes(data, "owners")))
    known = names(data, "owners", KIND)
    whole = {id: owner(id, entry) for id, entry in mapping(data.get("owners")).items() if is_whole(entry)}
    return Owners(known, whole, {path: text}, document.locate)


def is_whole(entry: Data) -> TypeGuard[dict[str, Data]]:
    """Whether an owner has what the model needs, and nothing broken."""
    if not isinstance(entry, dict) or "title" not in entry:
        return False
    return not any(isinstance(value, Broken) for value in entry.values())


def load_settings(file: File | None, problems: list[Problem]) -> Settings:
    """The settings from `settings.yml`; adds what is wrong with it to the problems."""
    if file is None:
        return Settings()
    path, raw = file
    document, text, unreadable = source.read(path, raw)
    problems += unreadable
    if document is None:
        return Settings(texts={path: text})
    data, misfits = walk(document, shape("settings"))
    problems += misfits
    if misfits:
        return Settings(texts={path: text})
    whole: dict[str, Any] = dict(data)
    levels = {
        rule: model.LevelSetting(rule, **entry, location=document.locate(("levels", rule)))
        for rule, entry in whole.get("levels", {}).items()
    }
    settings = model.Settings(whole.get("templates", ""), whole.get("engine", ""))
    return Settings(levels, settings, {path: text})
