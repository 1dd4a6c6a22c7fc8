"""What `make` says where it cannot go on, and what it does to an environment that no longer fits.

That the two commands work on a fresh machine cannot be shown from within one: CONTRIBUTING.md says how it was.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PYTHON = """\
#!/bin/sh
# A Python that says its version, and makes environments that are empty but for their date.
case "$*" in
  *version_info\\ *) exit {too_old};;
  *version_info*) echo {version};;
  *ensurepip*) exit {no_pip};;
  *venv*) mkdir -p .venv; echo made >>calls;;
esac
"""

APT_GET = """\
#!/bin/sh
# Keeps what it is asked for, and has no list of packages before its first update.
echo "$DEBIAN_FRONTEND apt-get $*" >>calls
case "$*" in
  update*) touch updated;;
  install*) test -e updated;;
esac
"""


MACHINE = ("--old-file=.venv/test", "machine")
"""What the tests need of the machine, taking the environment to be there."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a space in its path and nothing in it but what make needs; `bin` is its whole PATH."""
    folder = tmp_path / "my checkout"
    (folder / ".ci").mkdir(parents=True)
    (folder / "bin").mkdir()
    shutil.copy(ROOT / "Makefile", folder)
    shutil.copy(ROOT / ".ci" / "debian-package", folder / ".ci")
    for tool in ("bash", "sh", "env", "make", "cat", "mkdir", "touch"):
        found = shutil.which(tool)
        assert found
        (folder / "bin" / tool).symlink_to(found)
    return folder


def program(checkout: Path, name: str | Path, text: str) -> None:
    """Put a program on the checkout's PATH, or where a whole path says."""
    file = checkout / "bin" / name
    file.write_text(text, "utf-8")
    file.chmod(0o755)


def python(checkout: Path, version: str = "3.11", *, too_old: int = 0, no_pip: int = 0) -> None:
    """Put a Python on the checkout's PATH."""
    program(checkout, "python3", PYTHON.format(version=version, too_old=too_old, no_pip=no_pip))


def make(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make as a user in the checkout would."""
    left_out = ("MAKE", "MFLAGS", "DEBIAN_FRONTEND")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    environment["PATH"] = str(checkout / "bin")
    command = ["make", "--no-print-directory", *arguments]
    return subprocess.run(
        command, cwd=checkout, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def calls(checkout: Path) -> list[str]:
    """What the programs of the checkout's PATH kept of how they were called."""
    kept = checkout / "calls"
    return kept.read_text("utf-8").splitlines() if kept.exists() else []


def test_help_names_every_verb(checkout: Path) -> None:
    verbs = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[0].split()
    told = re.findall(r"^make (\w+) ", make(checkout).stdout, re.MULTILINE)
    assert set(told) == set(verbs) - {"help", "machine", "FORCE"}


def test_an_old_python_is_refused_with_a_sentence(checkout: Path) -> None:
    python(checkout, too_old=1)
    done = make(checkout, "site")
    assert done.returncode == 2
    assert done.stderr.startswith("Python 3.11 or newer is needed. Name one: make PYTHON=python3.12\n")


def test_an_environment_is_made_once_for_a_python_and_a_folder(checkout: Path) -> None:
    python(checkout)
    assert [make(checkout, ".venv/made").returncode for _ in range(2)] == [0, 0]
    assert calls(checkout) == ["made"]
    python(checkout, "3.12")
    assert make(checkout, ".venv/made").returncode == 0
    assert calls(checkout) == ["made", "made"]
    moved = checkout.rename(checkout.parent / "moved")
    assert make(moved, ".venv/made").returncode == 0
    assert calls(moved) == ["made", "made", "made"]


def test_without_apt_a_sentence_says_what_to_install(checkout: Path) -> None:
    done = make(checkout, *MACHINE)
    wanted = (
        "The tests need the browser Chromium. Install what your system has in place of Debian's package chromium.\n"
    )
    assert (done.returncode, done.stderr.partition("make:")[0]) == (2, wanted)


def test_without_root_a_sentence_says_what_to_install(checkout: Path) -> None:
    program(checkout, "apt-get", APT_GET)
    program(checkout, "id", "#!/bin/sh\necho 1000\n")
    python(checkout, no_pip=1)
    done = make(checkout, "site")
    wanted = "This Python cannot make environments. Install it as root: apt-get install python3.11-venv\n"
    assert (done.returncode, done.stderr.partition("make:")[0]) == (2, wanted)
    assert calls(checkout) == []


def test_without_graphviz_the_tests_go_on(checkout: Path) -> None:
    driver = checkout / ".venv/lib/python3.11/site-packages/playwright/driver"
    driver.mkdir(parents=True)
    for needed in ("chromium", driver / "node"):
        program(checkout, needed, "#!/bin/sh\n")
    done = make(checkout, *MACHINE)
    assert done.returncode == 0
    assert done.stderr.startswith("Without Graphviz on the machine, the tests of it are left out. Install ")


@pytest.mark.parametrize("user", ["0", "1000"])
def test_where_nobody_has_to_be_asked_packages_are_installed(checkout: Path, user: str) -> None:
    program(checkout, "apt-get", APT_GET)
    program(checkout, "id", f"#!/bin/sh\necho {user}\n")
    program(checkout, "sudo", '#!/bin/sh\nshift\nexec "$@"\n')
    program(checkout, "true", "#!/bin/sh\n")
    assert make(checkout, *MACHINE).returncode == 0
    install = "noninteractive apt-get install --yes --quiet --no-install-recommends"
    assert calls(checkout) == [
        f"{install} chromium",
        " apt-get update --quiet",
        f"{install} chromium",
        f"{install} libatomic1",
        f"{install} graphviz",
    ]
