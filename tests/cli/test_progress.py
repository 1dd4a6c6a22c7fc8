"""What is being done is said after a while, to somebody who watches, and wiped afterwards."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

PROGRAM = """
import threading
from failure_matrix.commands import output
output.PATIENCE = 0.0
with output.progress("Checking"):
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join()
"""


def test_it_is_said_to_a_terminal_and_wiped() -> None:
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", PROGRAM], stderr=theirs, check=True)
    assert os.read(ours, 1000).decode() == "Checking …\r\x1b[K"


def test_nothing_is_said_to_a_file() -> None:
    assert subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True).stderr == b""
