"""Reading and checking: beside libyaml's own compose, yamllint and check-jsonschema, on the same file.

Times inside a process are taken there, without its start; whole commands are timed as their user would.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import synthetic

from failure_matrix.decision_table import decide
from failure_matrix.model import Matrix, Observation, Pattern, State, Value
from failure_matrix.schema import schema_text

ROOT = Path(__file__).parents[2]

COMPOSE = """
import sys, time, yaml
text = open(sys.argv[1], "rb").read()
begin = time.perf_counter()
yaml.compose(text, Loader=yaml.CSafeLoader)
print(time.perf_counter() - begin)
"""

READ_CHECK_REPORT = """
import sys, time
from datetime import date
from pathlib import Path
from failure_matrix.checks import check
from failure_matrix.loader import load
from failure_matrix.report import Report, as_text
folder = Path(sys.argv[1]).parent
begin = time.perf_counter()
loaded = load(folder, folder)
print(as_text(Report.of(loaded.project, check(loaded.project, loaded.problems, date.today()))), file=sys.stderr)
print(time.perf_counter() - begin)
"""


def main() -> None:
    """Measures and prints."""
    print(f"decision table, 200 states, 20 observations, sound: {table_seconds(200, 20):.2f} s")
    print(f"check of this repository, start included: {command_seconds(ROOT, 'failure_matrix', 'check'):.2f} s\n")
    print(" states  compose  read, check, report  ratio  yamllint  check-jsonschema")
    for states in (200, 2_000, 10_000):
        with tempfile.TemporaryDirectory() as folder:
            print(row(states, Path(folder)), flush=True)


def row(states: int, folder: Path) -> str:
    """The times for one file."""
    path = folder / "job.yml"
    path.write_text(synthetic.matrix(states), encoding="utf-8")
    (folder / "owners.yml").write_text(synthetic.OWNERS, encoding="utf-8")
    (folder / "schema.json").write_text(schema_text("matrix"), encoding="utf-8")
    compose = inside(COMPOSE, path)
    ours = inside(READ_CHECK_REPORT, path)
    lint = command_seconds(folder, "yamllint", "-d", "relaxed", str(path))
    schema = command_seconds(folder, "check_jsonschema", "--schemafile", str(folder / "schema.json"), str(path))
    return f"{states:>7}{compose:>9.2f}{ours:>21.2f}{ours / compose:>7.2f}{lint:>10.2f}{schema:>18.2f}"


def inside(program: str, path: Path) -> float:
    """The seconds that a program prints, the least of three runs."""
    runs = [
        subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    return min(float(run.stdout) for run in runs)


def command_seconds(folder: Path, module: str, *arguments: str) -> float:
    """The seconds of a whole command, the least of three runs; whatever it finds is no failure."""
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", module, *arguments], cwd=folder, capture_output=True, check=False)
        seconds.append(time.perf_counter() - begin)
        if b"No module named" in done.stderr:
            return float("nan")
    return min(seconds)


def table_seconds(states: int, observations: int) -> float:
    """The seconds that it takes to decide a sound table, the least of three runs."""
    matrix = sound(states, observations)
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        table = decide(matrix)
        seconds.append(time.perf_counter() - begin)
        if not table.sound:
            sys.exit("The table should be sound.")
    return min(seconds)


def sound(states: int, observations: int) -> Matrix:
    """A sound table: the box of all combinations is cut in two until there are enough parts, one a state."""
    choose = random.Random(1)
    values = ("a", "b", "c")
    boxes = [{f"o{number}": values for number in range(observations)}]
    while len(boxes) < states:
        box = boxes.pop(choose.randrange(len(boxes)))
        name = choose.choice([name for name, left in box.items() if len(left) > 1])
        boxes += [{**box, name: box[name][:1]}, {**box, name: box[name][1:]}]
    return Matrix(
        "table",
        "Table",
        "table.yml",
        states={
            f"s{number}": State(
                f"s{number}", f"State {number}", (Pattern({n: v for n, v in box.items() if v != values}),)
            )
            for number, box in enumerate(boxes)
        },
        observations={
            f"o{number}": Observation(f"o{number}", f"Question {number}", tuple(Value(each, each) for each in values))
            for number in range(observations)
        },
        actions={},
    )


if __name__ == "__main__":
    main()
