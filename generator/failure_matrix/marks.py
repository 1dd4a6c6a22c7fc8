"""The mark that a cell of a matrix bears: its status, by sign and word, and where its evidence is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from failure_matrix.evidence.recorded import WalkedCell
from failure_matrix.evidence.shown import Status

SIGNS: Mapping[Status, str] = {"shown": "●", "not shown": "○", "contradicted": "≠", "stale": "◐"}
"""A sign for each status, so that colour is never all there is."""

STATUSES: tuple[Status, ...] = ("shown", "not shown", "contradicted", "stale")


@dataclass(frozen=True, slots=True)
class Source:
    """Where evidence is found: the page and the place on it, and what it is in words."""

    words: str
    key: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """What is known of a cell: its status, its sources, and why there is none, or what they saw.

    `all_at` is the key of the page that lists all sources.
    """

    status: Status
    sources: tuple[Source, ...] = ()
    said: str = ""
    all_at: str = ""

    @property
    def sign(self) -> str:
        """The sign of the status."""
        return SIGNS[self.status]


@dataclass(frozen=True, slots=True)
class WalkCell:
    """A cell of the walk's grid, as words of a few characters and as a sentence. `kind` is its class of style."""

    kind: str
    short: str
    sentence: str


def forbidden_cell(walked: WalkedCell) -> WalkCell:
    """A cell of the walk's grid where a forbidden action was tried."""
    through = walked.tried - walked.unchanged if walked.held else 0
    if through:
        sentence = f"It went through {times(through)} of {walked.tried}: only discipline forbids it."
        return WalkCell("through", f"! {through}", sentence)
    return WalkCell("no", f"✗ {walked.tried}", f"Tried {times(walked.tried)}; nothing changed.")


def times(number: int) -> str:
    """A number of times in words."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
