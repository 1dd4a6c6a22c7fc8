"""The model to DOT text. Pure: `svg` runs the program that draws it."""

from __future__ import annotations

from failure_matrix.diagrams.neighbourhood import neighbourhood, neighbourhoods
from failure_matrix.diagrams.overview import overview
from failure_matrix.diagrams.picture import Diagram, Link
from failure_matrix.diagrams.questions import failures, life, recovery

__all__ = ["Diagram", "Link", "failures", "life", "neighbourhood", "neighbourhoods", "overview", "recovery"]
