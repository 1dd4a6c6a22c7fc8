"""The layout for wide screens: the path straight across, and below it what leaves it, unfolded.

A state that several arrows lead to is drawn in full where the first one arrives and again for each other one. So
the picture is a forest, and no line crosses another.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass

from failure_matrix.diagrams.drawing import Drawing, Style, lines_width, state_width
from failure_matrix.diagrams.picture import START, Arrow, Picture

WIDTH = 1200
"""The estimated width in pixels up to which the layout is used. An overview at 1440 has room for about 1150."""

GAP = 18
"""The pixels between two boxes."""

STYLE = Style("TB", nodesep="0.2", ranksep="0.2", path_weight=50)


@dataclass(frozen=True)
class Branch:
    """An arrow, and the name of the node that it leads to: the state's id where the state is drawn in full."""

    arrow: Arrow
    name: str


def across(picture: Picture, identifier: str) -> str | None:
    """The DOT text of a picture with its path from left to right; None where that is wider than a page."""
    branches = tuple(_unfold(picture))
    roots = _roots(picture, branches)
    if len(picture.path()) < 2 or _width(picture, branches, roots) > WIDTH:
        return None
    drawing = Drawing(picture, identifier, STYLE)
    _path(drawing)
    for root in roots:
        drawing.state(root, root)
        drawing.unseen(picture.path()[-1], root)
    for branch in branches:
        drawing.state(branch.name, branch.arrow.target)
        drawing.arrow(branch.arrow, branch.name)
    return drawing.text


def _unfold(picture: Picture) -> Iterator[Branch]:
    """The arrows from the path on, each state's after the one that leads to where the state is drawn in full."""
    unseen = list(picture.sources())
    waiting = deque(picture.path())
    while waiting or unseen:
        state = waiting.popleft() if waiting else unseen.pop(0)
        for arrow in picture.leaving(state):
            if arrow.target in unseen:
                unseen.remove(arrow.target)
                waiting.append(arrow.target)
                yield Branch(arrow, arrow.target)
            else:
                yield Branch(arrow, f"{arrow.source}--{arrow.target}")


def _roots(picture: Picture, branches: tuple[Branch, ...]) -> list[str]:
    """The states that something leaves, but nothing in the picture leads to."""
    reached = {branch.name for branch in branches}
    return [state for state in picture.sources() if state not in reached]


def _path(drawing: Drawing) -> None:
    picture = drawing.picture
    nodes = [START] if picture.matrix.start else []
    for name in (*nodes, *picture.path()):
        drawing.state(name, name)
    drawing.same_rank((*nodes, *picture.path(), *map(drawing.step, picture.along)))


def _width(picture: Picture, branches: tuple[Branch, ...], roots: list[str]) -> float:
    """About how many pixels wide the drawing will be: as wide as its widest row."""
    path = sum(state_width(picture, one.target) + lines_width(one.events) + 3 * GAP for one in picture.along)
    row = dict.fromkeys((*picture.path(), *roots), 0)
    rows: defaultdict[int, float] = defaultdict(float)
    for branch in branches:  # each after the one that leads to its source
        row[branch.name] = row[branch.arrow.source] + 1
        needed = max(state_width(picture, branch.arrow.target), lines_width(branch.arrow.events))
        rows[row[branch.name]] += needed + GAP
    return max(path, *rows.values(), 0)
