"""The version of the installed package."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any


class PrintVersion(argparse.Action):
    """`--version`, which looks for the version when it is asked for, and not at each start."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Print the version and end."""
        print(f"failure-matrix {version()}")
        parser.exit()


def version() -> str:
    """The version of the installed package."""
    from importlib import metadata

    return metadata.version("failure-matrix")
