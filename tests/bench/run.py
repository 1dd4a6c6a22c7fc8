"""`make bench`: how long it takes, at 9, 200 and 2,000 states, beside MkDocs alone with the same pages.

Each time is the median of several runs of a whole process, our builds and the peer's in turn, so that a machine
that changes its speed changes it for both. "Cold" is a build with no drawing kept from an earlier one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import by_hand
import synthetic

from failure_matrix import loader

SIZES = (9, 200, 2000)


@dataclass(frozen=True)
class Time:
    """Seconds of the wall clock, and the most memory of the process, in MB."""

    seconds: float
    memory: float


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the times to a file too")
    arguments = parser.parse_args()
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, mkdocs {version('mkdocs')}, "
        f"mkdocs-material {version('mkdocs-material')}; medians of {arguments.runs} runs, in seconds\n"
    )
    print(HEAD)
    rows = []
    for states in arguments.sizes:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(row(states, Path(folder), arguments.runs))
        print(line(rows[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


def row(states: int, folder: Path, runs: int) -> dict[str, float]:
    """The times at one size."""
    ours, peer = folder / "ours", folder / "peer"
    project(states, ours)
    by_hand.write(loader.load(ours / "matrix", ours).project.matrices["job"], peer)
    times: dict[str, list[Time]] = {"check": [], "cold": [], "warm": [], "hand": []}
    for _ in range(runs):
        shutil.rmtree(ours / ".cache", ignore_errors=True)
        times["cold"].append(timed(ours, "failure_matrix", "build"))
        times["hand"].append(timed(peer, "mkdocs", "build", "-q"))
        times["warm"].append(timed(ours, "failure_matrix", "build"))
        times["check"].append(timed(ours, "failure_matrix", "check"))
    medians = {name: statistics.median(time.seconds for time in each) for name, each in times.items()}
    memory = {f"{name} MB": statistics.median(time.memory for time in times[name]) for name in ("cold", "hand")}
    return {"states": states, **medians, **memory}


HEAD = " states   check    cold    warm  by hand  cold/hand  warm/hand     MB  hand MB"


def line(row: dict[str, float]) -> str:
    """A row of the table."""
    ratios = f"{row['cold'] / row['hand']:>11.2f}{row['warm'] / row['hand']:>11.2f}"
    times = "".join(f"{row[name]:>8.2f}" for name in ("check", "cold", "warm"))
    return f"{row['states']:>7}{times}{row['hand']:>9.2f}{ratios}{row['cold MB']:>7.0f}{row['hand MB']:>9.0f}"


def project(states: int, folder: Path) -> None:
    """A project with one matrix of about as many states."""
    (folder / "matrix").mkdir(parents=True)
    (folder / "matrix" / "job.yml").write_text(synthetic.matrix(states), encoding="utf-8")
    (folder / "matrix" / "owners.yml").write_text(synthetic.OWNERS, encoding="utf-8")


def timed(folder: Path, module: str, *arguments: str) -> Time:
    """A whole run of a module of this Python, which has to succeed."""
    with tempfile.TemporaryFile() as said:
        before = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=said
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - before
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            sys.exit(f"{module} {' '.join(arguments)} failed:\n{said.read().decode()}")
    return Time(seconds, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
