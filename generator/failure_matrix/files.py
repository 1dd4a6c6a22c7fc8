"""The files of a project, read. The only module that opens them for the reader."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from failure_matrix.errors import NoMatrix
from failure_matrix.source import SIZE_LIMIT
from failure_matrix.syntax import Said

ENDINGS = (".yml", ".yaml")


@dataclass(frozen=True, slots=True)
class Found:
    """The YAML files of a folder, by their paths from the project's folder, and why the others can't be read."""

    texts: Mapping[str, bytes]
    broken: Mapping[str, Said]


def yaml_files(folder: Path, root: Path) -> Found:
    """The YAML files directly in a folder, in the order of their names. Raises `NoMatrix` without the folder."""
    try:
        names = sorted(entry.name for entry in folder.iterdir() if is_yaml(entry.name))
    except OSError as error:
        raise NoMatrix(f"The folder {folder} can't be read: {error.strerror}.") from None
    texts: dict[str, bytes] = {}
    broken: dict[str, Said] = {}
    for name in names:
        path = relative(folder / name, root)
        try:
            texts[path] = content(folder / name)
        except OSError as error:
            broken[path] = (f"The file can't be read: {error.strerror}.", "Mend it, or give it another ending.")
    return Found(texts, broken)


def is_yaml(name: str) -> bool:
    """Whether a file of this name is read. Hidden files are not: editors keep their locks and copies in them."""
    return name.endswith(ENDINGS) and not name.startswith(".")


def content(path: Path) -> bytes:
    """The bytes of a regular file, as many as the reader takes and one more. Raises OSError."""
    if path.exists() and not path.is_file():
        raise IsADirectoryError(0, "It is a folder or a device, no file")
    with path.open("rb") as file:
        return file.read(SIZE_LIMIT + 1)


def project_folder(folder: Path) -> Path:
    """The folder that paths are relative to: the current one, or the parent of a folder that lies elsewhere."""
    here = Path.cwd()
    return here if folder.resolve().is_relative_to(here) else folder.resolve().parent


def relative(path: Path, root: Path) -> str:
    """A path from the project's folder, with forward slashes."""
    return Path(os.path.relpath(path.absolute(), root.absolute())).as_posix()


def reader(root: Path) -> Callable[[str], str]:
    """Reads a text by its path from the project's folder, as long as it lies in there, links followed.

    It raises OSError where there is no such file, and ValueError where it isn't UTF-8 or lies elsewhere.
    """

    def read(path: str) -> str:
        target = Path(os.path.realpath(root / path, strict=True))
        if not target.is_relative_to(root.resolve()):
            raise ValueError("it does not lie within the project")
        try:
            return content(target).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ValueError("it is not written in UTF-8") from None

    return read
