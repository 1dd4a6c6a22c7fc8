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
from failure_matrix.schema import BROKEN, Data, shape, walk

KIND = "owner"


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


def load_owners(raw: Mapping[str, bytes | str], problems: list[Problem]) -> Owners:
    """The owners from `owners.yml`, given by its path; adds what is wrong with it to the problems."""
    path = only(raw, problems)
    if path is None:
        return Owners(Names(KIND, {}))
    document, text, unreadable = source.read(path, raw[path])
    problems += unreadable
    if document is None:
        return Owners(Names(KIND, None), texts={path: text})
    data, misfits = walk(document, shape("owners"))
    problems += (*misfits, *(problem.placed(document, "") for problem in clashes(data, "owners")))
    known = names(data, "owners", KIND)
    whole = {id: owner(id, entry) for id, entry in mapping(data.get("owners")).items() if is_whole(entry)}
    return Owners(known, whole, {path: text}, document.locate)


def is_whole(entry: Data) -> TypeGuard[dict[str, Data]]:
    """Whether an owner has what the model needs, and nothing broken."""
    return isinstance(entry, dict) and "title" in entry and BROKEN not in entry.values()


def load_settings(raw: Mapping[str, bytes | str], problems: list[Problem]) -> Settings:
    """The settings from `settings.yml`, given by its path; adds what is wrong with it to the problems."""
    path = only(raw, problems)
    if path is None:
        return Settings()
    document, text, unreadable = source.read(path, raw[path])
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


def only(raw: Mapping[str, bytes | str], problems: list[Problem]) -> str | None:
    """The path of the one file that is read. With `.yml` and `.yaml` side by side, the second is a problem."""
    paths = sorted(raw, reverse=True)
    for path in paths[1:]:
        message = f"`{paths[0]}` is read; this file is not."
        problems.append(Problem("102", "error", message, Location(path), "Delete one of the two."))
    return paths[0] if paths else None
