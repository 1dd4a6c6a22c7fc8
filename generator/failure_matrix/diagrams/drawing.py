"""A drawing in DOT, one small method a construct. Each element has a class; shape and line tell its kind too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import graphviz  # type: ignore[import-untyped]

from failure_matrix.diagrams.picture import START, Arrow, Event, Picture, title_of
from failure_matrix.diagrams.text import address, cell, label, lines, tooltip, width
from failure_matrix.model import OUTSIDE, State

FONT = "DejaVu Sans"
"""The font whose widths the layout uses. One name, since a list falls back to another font's widths."""

BOX = {"shape": "box", "style": "rounded", "fontsize": "14", "height": "0.36", "width": "0.5", "margin": "0.12,0.05"}
LINES = {"style": "solid", "color": "transparent", "fontsize": "13", "height": "0", "width": "0", "margin": "0.02"}
"""The lines of an arrow: a box that isn't seen, but tells where its middle is."""

CIRCLE = {"style": "filled", "fillcolor": "black", "height": "0.14", "width": "0.14", "margin": "0"}
TABLE = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">'

Attributes = Mapping[str, str]


@dataclass(frozen=True)
class Style:
    """How a layout wants it.

    The direction and the gaps in inches; where arrows leave and enter boxes, as compass points; whether texts have
    to be narrow; how hard the path pulls to be straight; whether boxes that repeat a state show that they do.
    """

    rankdir: str
    nodesep: str
    ranksep: str
    leave: str = ""
    enter: str = ""
    narrow: bool = False
    path_weight: int = 1
    marks_repeats: bool = True


class Drawing:
    """The DOT text of one picture while it is written."""

    def __init__(self, picture: Picture, identifier: str, style: Style) -> None:
        """Begin a drawing. `identifier` prefixes all ids in what the engine makes of it."""
        self.picture = picture
        self.style = style
        self._dot = graphviz.Digraph(
            identifier,
            graph_attr={
                "id": identifier,
                "bgcolor": "transparent",
                "rankdir": style.rankdir,
                "nodesep": style.nodesep,
                "ranksep": style.ranksep,
            },
            node_attr={"fontname": FONT, **BOX},
            edge_attr={"arrowsize": "0.7"},
        )

    @property
    def text(self) -> str:
        """The DOT text: the same for the same picture, byte for byte."""
        return str(self._dot.source)

    def start(self) -> None:
        """The filled circle that a subject comes from."""
        self._dot.node(START, "", shape="circle", tooltip="Start", **CIRCLE, **{"class": "fm-start"})

    def end(self, name: str) -> None:
        """The ringed circle of a subject that leaves the matrix."""
        attributes = {**CIRCLE, "class": "fm-outside"}
        self._dot.node(name, "", shape="doublecircle", tooltip="Outside this matrix", **attributes)

    def state(self, name: str, state: str, *kinds: str) -> None:
        """The box of a state, or the circle of what is not one.

        A node that does not have the state's id as its name repeats a state. `kinds` are further classes.
        """
        if state == START:
            self.start()
        elif state == OUTSIDE:
            self.end(name)
        else:
            self._box(name, self.picture.matrix.states[state], kinds)

    def _box(self, name: str, state: State, kinds: tuple[str, ...]) -> None:
        classes = ("fm-state", *(kinds or self._repeated(name, state)), *self._kinds(state))
        link = {"URL": address(self.picture.link(state)), "tooltip": tooltip(state.title)}
        attributes = {"class": " ".join(classes), **_outline(classes), **link}
        self._dot.node(name, label(lines(state.label)), **attributes)

    def _kinds(self, state: State) -> Iterator[str]:
        """The classes of a state: on the path, terminal, one that only failures lead to."""
        if state.id in self.picture.spine:
            yield "fm-path"
        if state.terminal:
            yield "fm-terminal"
        if state.id in self.picture.faults:
            yield "fm-fault"

    def _repeated(self, name: str, state: State) -> Iterator[str]:
        """The class of a box of a state that is drawn in full elsewhere in the picture."""
        if self.style.marks_repeats and name != state.id and self.picture.is_drawn_in_full(state.id):
            yield "fm-again"

    def arrow(self, drawn: Arrow, target: str, source: str = "") -> str:
        """An arrow with its lines in the middle; dashed for failures. Returns the name of the lines' node.

        The lines are a node of their own because Graphviz lets no line run through a node, while it puts the
        label of an edge on the edge, or on another, where room is short.
        """
        ports = {"tailport": self.style.leave, "headport": self.style.enter}
        attributes = {**self._kind(drawn), **{end: side for end, side in ports.items() if side}}
        return self._in_halves(drawn, source or drawn.source, target, attributes)

    def step(self, drawn: Arrow) -> str:
        """A step of the path, kept straight. Returns the name of its lines' node."""
        attributes = {**self._kind(drawn), "weight": str(self.style.path_weight)}
        return self._in_halves(drawn, drawn.source, drawn.target, attributes)

    def _kind(self, drawn: Arrow) -> Attributes:
        """The line that tells a kind of arrow apart without colour: bold on the path, dashed for failures."""
        if drawn.is_failure:
            return {"class": "fm-failure", "style": "dashed"}
        if self.picture.is_step(drawn):
            return {"class": "fm-action fm-path", "penwidth": "2"}
        return {"class": "fm-action"}

    def _in_halves(self, drawn: Arrow, source: str, target: str, attributes: Attributes) -> str:
        name = f"{source}--{target} " + ("failure" if drawn.is_failure else "action")
        self._dot.node(name, self._lines(drawn.events), **{"class": "fm-label"}, **LINES)
        states = self.picture.matrix
        meaning = tooltip(f"{title_of(states, drawn.source)} → {title_of(states, drawn.target)}")
        self._dot.edge(source, name, dir="none", edgetooltip=meaning, **attributes)
        self._dot.edge(name, target, edgetooltip=meaning, **attributes)
        return name

    def _lines(self, events: Iterable[Event]) -> str:
        """An HTML-like label with a row for each event, each linked to its own page."""
        return f"<{TABLE}{''.join(self._row(event) for event in events)}</TABLE>>"

    def _row(self, event: Event) -> str:
        link = f'HREF="{cell(event.url)}" TITLE="{cell(event.title)}"'
        return f"<TR><TD {link}>{'<BR/>'.join(map(cell, _rows(event, self.style.narrow)))}</TD></TR>"

    def same_rank(self, names: Iterable[str]) -> None:
        """Put nodes that are already there into one rank."""
        with self._dot.subgraph(graph_attr={"rank": "same"}) as rank:
            for name in names:
                rank.node(name)

    def unseen(self, source: str, target: str) -> None:
        """An edge that only the layout knows: it keeps an order or a distance."""
        self._dot.edge(source, target, style="invis")


def _outline(classes: Iterable[str]) -> dict[str, str]:
    """The line that tells a kind of state apart without colour: bold, double or dashed."""
    outline = {}
    if {"fm-path", "fm-here"} & set(classes):
        outline["penwidth"] = "2"
    if "fm-terminal" in classes:
        outline["peripheries"] = "2"
    if "fm-fault" in classes:
        outline["style"] = "rounded,dashed"
    return outline


def _rows(event: Event, narrow: bool) -> list[str]:
    """The lines that an event takes: one where there is room."""
    return [*lines(event.words[0]), *event.words[1:]] if narrow else [" ".join(event.words)]


def state_width(picture: Picture, state: str) -> float:
    """About as many pixels as the box of a state is wide."""
    return 24 + width(lines(picture.matrix.states[state].label)) if state in picture.matrix.states else 20


def lines_width(events: Iterable[Event]) -> float:
    """About as many pixels as the lines of an arrow are wide, where they are not narrow."""
    return 10 + width(row for event in events for row in _rows(event, narrow=False))
