"""Build the site.

The problems of the matrices come first. With an error nothing is written, and the last good site stays. A project
without an mkdocs.yml gets a good default configuration.

examples:
  failure-matrix build                     mkdocs.yml to site/
  failure-matrix build --strict            warnings stop the build too
  failure-matrix build --site-dir public   to another folder
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "build"
SUMMARY = "build the site"


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="configuration (default: mkdocs.yml, if there is one)"
    )
    parser.add_argument("--site-dir", type=Path, metavar="DIR", help="where the site goes (default: site/)")
    parser.add_argument("--strict", action="store_true", help="stop on warnings too")


def run(arguments: argparse.Namespace) -> int:
    """Build the site, and return the exit code."""
    from failure_matrix import building

    return building.build(arguments.config, arguments.site_dir, strict=arguments.strict)
