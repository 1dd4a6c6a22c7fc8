"""`failure-matrix serve`, as somebody sees it who edits beside the browser."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from projects import edit

Page = Callable[[str], str]


@pytest.fixture
def served(project: Path) -> Iterator[Page]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with (project / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "failure_matrix", "serve", "--address", address],
            cwd=project,
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )

    def page(path: str) -> str:
        try:
            with urllib.request.urlopen(f"http://{address}/{path}", timeout=5) as answer:
                return str(answer.read().decode())
        except OSError as reason:  # not up yet, or busy building
            return f"no page: {reason}"

    yield page
    server.send_signal(signal.SIGINT)
    server.wait(timeout=30)
    assert "Traceback" not in (project / "log").read_text()


def shows(page: Page, path: str, text: str) -> None:
    """Waits until a page shows a text."""
    end = time.monotonic() + 60
    while text not in (last := page(path)):
        assert time.monotonic() < end, f"{path} never showed {text!r}, but:\n{last[-3000:]}"
        time.sleep(0.2)


def test_an_edit_of_yaml_a_template_and_a_page_shows_by_itself(served: Page, project: Path) -> None:
    shows(served, "job/", "Leased job")
    edit(project / "matrix" / "job.yml", "title: Leased job", "title: Job with a lease")
    shows(served, "job/", "Job with a lease")

    (project / "docs" / "notes.md").write_text("# Written by hand\n", encoding="utf-8")
    shows(served, "notes/", "Written by hand")

    (project / "own").mkdir()
    (project / "own" / "home.md.j2").write_text("# Our matrices\n", encoding="utf-8")
    (project / "matrix" / "settings.yml").write_text("templates: own\n", encoding="utf-8")
    shows(served, "", "Our matrices")
    edit(project / "own" / "home.md.j2", "Our matrices", "Our own matrices")
    shows(served, "", "Our own matrices")


def test_a_broken_edit_shows_its_problems_and_keeps_the_last_good_page(served: Page, project: Path) -> None:
    shows(served, "job/states/done/", "Done")
    edit(project / "matrix" / "job.yml", "when: {job: done}", "when: {job: dnoe}")
    shows(served, "job/states/done/", "1 error now")
    assert "Mark the job done" in served("job/states/leased/")
    shows(served, "problems/", "dnoe")

    edit(project / "matrix" / "job.yml", "when: {job: dnoe}", "when: {job: done}")
    shows(served, "problems/", "No problem stands")
    assert "error now" not in served("job/states/done/")


def test_a_broken_template_keeps_the_last_good_page(served: Page, project: Path) -> None:
    shows(served, "job/", "Leased job")
    (project / "own").mkdir()
    (project / "own" / "home.md.j2").write_text("{{ nobody.knows }}\n", encoding="utf-8")
    (project / "matrix" / "settings.yml").write_text("templates: own\n", encoding="utf-8")
    shows(served, "job/", "home.md.j2:1")
    assert "Leased job" in served("")
