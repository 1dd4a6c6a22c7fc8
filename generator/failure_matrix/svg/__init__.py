"""DOT to inline SVG: the only part that runs a program for drawing."""

from __future__ import annotations

from failure_matrix.svg.batch import draw
from failure_matrix.svg.engine import Engine, find_engine
from failure_matrix.svg.markup import figure

__all__ = ["Engine", "draw", "figure", "find_engine"]
