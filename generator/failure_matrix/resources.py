"""Where the files lie that the package brings along: templates, assets, the starter, MkDocs' settings.

A wheel has the templates inside the package. A checkout, and an editable install of it, has them at the top
level, beside the matrix and the pages that a reader edits. This module is the only one that knows.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def templates_folder() -> Path:
    """The folder of the built-in templates."""
    inside = PACKAGE / "templates"
    return inside if inside.is_dir() else PACKAGE.parent.parent / "templates"


def assets_folder() -> Path:
    """The folder of the style sheets and scripts that a site is given."""
    return PACKAGE / "assets"


def asset(name: str) -> Path:
    """The file of one style sheet or script, by its name such as `failure-matrix.css`."""
    return assets_folder() / name


def starter_folder() -> Path:
    """The folder that `failure-matrix init` copies."""
    return PACKAGE / "starter"


def default_configuration() -> Path:
    """MkDocs' settings for a folder that has a matrix and no `mkdocs.yml`."""
    return PACKAGE / "default-mkdocs.yml"
