"""The command line's frame: help, usage, version, and how little each command imports."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from cli_command import run

from failure_matrix import cli


def test_help_names_every_command_and_exit_code(tmp_path: Path) -> None:
    done = run("--help", cwd=tmp_path)
    assert done.returncode == 0
    for command in cli.COMMANDS:
        assert re.search(rf"^    {command.NAME} +\S", done.stdout, re.MULTILINE)
    assert re.findall(r"^  ([0-9])  ", done.stdout, re.MULTILINE) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("command", cli.COMMANDS, ids=lambda command: command.NAME)
def test_every_command_has_examples_that_it_understands(command: object) -> None:
    examples = re.findall(r"^  failure-matrix (.*?)(?:  .*)?$", command.__doc__ or "", re.MULTILINE)
    assert examples
    for example in examples:
        arguments = cli.parser().parse_args(shlex.split(example))
        assert arguments.run is command.run  # type: ignore[attr-defined]


def test_help_shows_the_examples(tmp_path: Path) -> None:
    assert "\nexamples:\n  failure-matrix check " in run("check", "--help", cwd=tmp_path).stdout


@pytest.mark.parametrize("arguments", [[], ["chekc"], ["check", "--formt", "json"], ["check", "a", "b"]])
def test_wrong_usage_ends_with_2_and_says_how_to_use_it(arguments: list[str], tmp_path: Path) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("usage: failure-matrix")


def test_the_installed_command_and_the_module_are_the_same(tmp_path: Path) -> None:
    installed = Path(sys.executable).with_name("failure-matrix")
    done = subprocess.run([installed, "--version"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    assert re.fullmatch(r"failure-matrix \d+\.\d+\.\d+\S*\n", done.stdout)
    assert done.stdout == run("--version", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], {"yaml", "sqlglot", "mkdocs", "jinja2", "psycopg", "graphviz", "failure_matrix.model"}),
        (["schema"], {"sqlglot", "mkdocs", "jinja2", "psycopg", "graphviz"}),
        (["check"], {"mkdocs", "jinja2", "psycopg", "graphviz", "markdown"}),
    ],
)
def test_a_command_imports_only_what_it_needs(arguments: list[str], unwanted: set[str]) -> None:
    program = f"""
import sys
from failure_matrix import cli
try:
    cli.main({arguments!r})
except SystemExit:
    pass
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    imported = set(done.stderr.split())
    assert "argparse" in imported
    assert imported & unwanted == set()
