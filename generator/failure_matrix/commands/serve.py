"""Serve the site on this machine and show every edit.

An edit of a matrix, a template or a page is shown in the browser by itself. A broken edit shows its problems, and
the last good pages stay.

examples:
  failure-matrix serve
  failure-matrix serve --address 127.0.0.1:8080
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "serve"
SUMMARY = "serve the site here and show every edit"


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="default: mkdocs.yml, or a good default where there is none"
    )
    parser.add_argument("--address", metavar="HOST:PORT", help="default: 127.0.0.1:8000")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the user interrupts it, and return the exit code."""
    from failure_matrix import building

    building.serve(arguments.config, arguments.address)
    return 0
