"""The package as others get it: as a wheel in a project of their own, and as an editable install of a checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]

EDITABLE = "import sys; from hatchling.build import build_editable; print(build_editable(sys.argv[1]))"

WHERE = "from failure_matrix import resources; print(resources.templates_folder())"

SOMEBODYS_MKDOCS_YML = "site_name: Somebody's pages\nplugins: [failure-matrix]\n"


@dataclass(frozen=True)
class Environment:
    """A virtual environment that has this package, and borrows the rest from the one that runs the tests."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        return next(self.folder.glob("lib/python*/site-packages"))

    def install(self, wheel: Path) -> None:
        run(sys.executable, "-m", "pip", f"--python={self.python}", "install", "--no-deps", "--no-index", wheel)
        # Only now, so that pip sees no other package of ours. Paths that come from a .pth file stand behind the
        # environment's own, and no .pth file of theirs is read: not the one of the editable install either.
        (self.packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
        drawing = Path(sysconfig.get_path("scripts")) / "graphviz-pure"
        (self.python.parent / drawing.name).symlink_to(drawing)

    def run(self, *arguments: str | Path, cwd: Path) -> str:
        return run(self.python, *arguments, cwd=cwd)


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """What a command prints; its errors are shown where it fails."""
    settings = ("PIP_", "PYTHONPATH", "COV_CORE", "COVERAGE")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(settings)}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(folder: Path, wheel: Path) -> Environment:
    """A new environment with a wheel installed."""
    venv.create(folder, symlinks=True)
    made = Environment(folder)
    made.install(wheel)
    return made


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that was built from it alone."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Environment:
    return environment(tmp_path_factory.mktemp("from a wheel"), wheel)


def files_of(folder: Path) -> set[str]:
    """The files of a folder that belong to the project, by their path in it."""
    return {str(file.relative_to(folder)) for file in folder.rglob("*.*") if "__pycache__" not in file.parts}


def test_the_source_distribution_has_all_that_the_top_level_has(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "mkdocs.yml"} <= names
    assert {name.partition("/")[0] for name in names} >= {"docs", "generator", "matrix", "templates", "tests"}


def test_the_wheel_has_the_package_and_the_templates_and_nothing_else(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    information = {name for name in names if ".dist-info/" in name}
    package = {f"failure_matrix/{name}" for name in files_of(ROOT / "generator" / "failure_matrix")}
    templates = {f"failure_matrix/templates/{name}" for name in files_of(ROOT / "templates")}
    assert names - information == package | templates
    assert any(name.endswith("licenses/LICENSE") for name in information)


def test_a_wheel_brings_its_own_templates(installed: Environment, tmp_path: Path) -> None:
    assert Path(installed.run("-c", WHERE, cwd=tmp_path).strip()) == installed.packages / "failure_matrix/templates"


def test_a_wheel_works_in_somebodys_mkdocs_project(installed: Environment, tmp_path: Path) -> None:
    project = tmp_path / "somebody's project"
    shutil.copytree(ROOT / "generator/failure_matrix/starter/matrix", project / "matrix")
    (project / "docs").mkdir()
    (project / "docs" / "index.md").write_text("# Written by hand\n", "utf-8")
    (project / "mkdocs.yml").write_text(SOMEBODYS_MKDOCS_YML, "utf-8")

    installed.run("-m", "mkdocs", "build", "--strict", cwd=project)

    assert "Written by hand" in (project / "site/index.html").read_text("utf-8")
    assert "<svg" in (project / "site/job/index.html").read_text("utf-8")


def test_an_editable_install_has_the_templates_of_the_checkout(tmp_path: Path) -> None:
    name = run(sys.executable, "-c", EDITABLE, tmp_path).strip().splitlines()[-1]
    made = environment(tmp_path / "editable", tmp_path / name)
    assert made.run("-c", WHERE, cwd=tmp_path).strip() == str(ROOT / "templates")
    assert made.run("-m", "failure_matrix", "--version", cwd=tmp_path).startswith("failure-matrix ")
    assert not (ROOT / "generator/failure_matrix/templates").exists(), "a copy would go stale"
