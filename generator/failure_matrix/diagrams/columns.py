"""The layout for narrow screens and for many states: the states in columns, what leaves each to its right.

Every arrow has a target of its own, so no line crosses another however many states there are.
"""

from __future__ import annotations

from itertools import pairwise

from failure_matrix.diagrams.drawing import Drawing, Style
from failure_matrix.diagrams.picture import START, Picture

WIDE = Style("LR", nodesep="0.15", ranksep="0.3", leave="e", enter="w")
NARROW = Style("LR", nodesep="0.15", ranksep="0.2", leave="e", enter="w", narrow=True)


def columns(picture: Picture, identifier: str) -> str:
    """The DOT text of a picture in two columns, with its path from top to bottom in the first one."""
    drawing = Drawing(picture, identifier, WIDE)
    left, right = _halves(picture)
    path = _path(drawing)
    edge = _column(drawing, [*path, *(state for state in left if state not in path)], len(path))
    _column(drawing, right)
    for name in edge[:1]:
        for state in right[:1]:
            drawing.unseen(name, state)
    return drawing.text


def column(picture: Picture, identifier: str) -> str:
    """The DOT text of a picture in one column, for narrow screens."""
    drawing = Drawing(picture, identifier, NARROW)
    path = _path(drawing)
    states = (*picture.path(), *picture.sources())
    _column(drawing, [*path, *(state for state in states if state not in path)], len(path))
    return drawing.text


def _halves(picture: Picture) -> tuple[list[str], list[str]]:
    """The states in two columns of about the same height. The path is not broken."""
    heights = {state: max(1, len(picture.leaving(state))) for state in (*picture.path(), *picture.sources())}
    left, right = list(picture.path()), list(picture.sources())
    while right and sum(heights[one] for one in left) + heights[right[0]] / 2 <= sum(heights.values()) / 2:
        left.append(right.pop(0))
    return left, right


def _column(drawing: Drawing, chain: list[str], path: int = 0) -> list[str]:
    """Draw one column and what leaves its states. The first `path` nodes hold together by themselves.

    Returns the nodes of its right edge.
    """
    states = [name for name in chain if name in drawing.picture.matrix.states]
    for state in states:
        drawing.state(state, state)
    drawing.same_rank(chain)
    for upper, lower in pairwise(chain[max(0, path - 1) :]):
        drawing.unseen(upper, lower)
    return [name for state in states for name in _exits(drawing, state)] or states


def _path(drawing: Drawing) -> list[str]:
    """The path from top to bottom. Returns its nodes in order, with those of its lines."""
    picture = drawing.picture
    if not picture.along:
        return []
    drawing.start()
    chain = [START]
    for arrow in picture.along:
        chain += [drawing.step(arrow), arrow.target]
    return chain


def _exits(drawing: Drawing, state: str) -> list[str]:
    names = []
    for arrow in drawing.picture.leaving(state):
        name = f"{arrow.source}--{arrow.target}" + (" failure" if arrow.is_failure else "")
        drawing.state(name, arrow.target)
        drawing.arrow(arrow, name)
        names.append(name)
    return names
