"""What an engine writes, made fit for a page: one element without prologue, fonts, ids and sizes in points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from failure_matrix.diagrams import Diagram

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
TITLE = "{http://www.w3.org/1999/xlink}title"

KEPT = ("class", "d", "points", "cx", "cy", "rx", "ry", "x", "y", "fill", "stroke", "stroke-width",
        "stroke-dasharray", "text-anchor", "font-size", "transform", "viewBox", HREF)  # fmt: skip
"""The attributes of what is drawn. Fonts come from the page, ids would have to be told apart on it."""

ROOMS = range(400, 1121, 80)
"""The widths in pixels for which the style sheet has a rule. Wider drawings scroll where there is less room."""

SHRINKS = 420
"""The width in pixels up to which a narrow drawing fits a phone with text that can still be read."""

_DECIMALS = re.compile(r"\.0\d*|(\.\d)\d+")
_BARE_AMPERSAND = re.compile(r"&(?!(?:[A-Za-z]+|#\d+|#x[0-9A-Fa-f]+);)")

ElementTree.register_namespace("", SVG.strip("{}"))
ElementTree.register_namespace("xlink", HREF[1 : HREF.index("}")])


def inline(drawings: Sequence[str], diagram: Diagram) -> str:
    """The inline SVG of a diagram: the wide drawing, and the narrow one for where that has no room.

    Links keep their `xlink:href`. Tooltips become titles, so that a link's title is its accessible name.
    """
    sizes = [_svg(drawing, diagram, size) for drawing, size in zip(drawings, ("wide", "narrow"), strict=False)]
    needs = min(room for room in ROOMS if room >= int(sizes[0].get("width", "0")) or room == ROOMS[-1])
    texts = (ElementTree.tostring(svg, encoding="unicode") for svg in sizes)
    return f'<div class="fm-drawings fm-needs-{needs}">{"".join(texts)}</div>'


def _svg(drawing: str, diagram: Diagram, size: str) -> ElementTree.Element:
    drawn = ElementTree.fromstring(_BARE_AMPERSAND.sub("&amp;", drawing))
    identifier = f"{diagram.id}--{size}"
    width, height = (f"{float(side):.0f}" for side in drawn.get("viewBox", "0 0 0 0").split()[2:])
    about = {
        "id": identifier,
        "class": f"fm-drawing fm-{size}" + (" fm-scrolls" if int(width) > SHRINKS else ""),
        "width": width,
        "height": height,
        "viewBox": f"0 0 {width} {height}",
        "role": "group",
        "aria-labelledby": f"{identifier}--title",
        "aria-describedby": f"{identifier}--desc",
    }
    root = ElementTree.Element(SVG + "svg", about)
    _text(root, "title", diagram.title, {"id": f"{identifier}--title"})
    _text(root, "desc", "The text below the picture names all its arrows.", {"id": f"{identifier}--desc"})
    root.extend(kept for graph in drawn for kept in _kept(graph))
    return root


def _kept(element: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """What remains of an element: itself, cleaned; only its content where it means nothing; or nothing."""
    content = [kept for child in element for kept in _kept(child) if not _is_background(element, child)]
    if element.tag == SVG + "a":
        content = [_titled(element.get(TITLE, "")), *content]
    if element.tag == SVG + "title":
        return
    if _is_wrapper(element):
        yield from content
        return
    kept = ElementTree.Element(
        element.tag, {name: _short(element.attrib[name]) for name in KEPT if name in element.attrib}
    )
    kept.text = element.text if element.tag == SVG + "text" else None
    kept.extend(_centred(content) if "fm-label" in element.get("class", "") else content)
    yield kept


def _centred(content: list[ElementTree.Element]) -> list[ElementTree.Element]:
    """The lines of an arrow around the middle of their box, which is cut.

    Engines place them by their left end, and so far too far to the left where the page's font is narrower.
    """
    box, *lines = content
    corners = [float(point.split(",")[0]) for point in box.get("points", "").split()]
    middle = _short(f"{(min(corners) + max(corners)) / 2:.2f}")
    for text in (text for line in lines for text in line.iter(SVG + "text")):
        text.set("x", middle)
        text.set("text-anchor", "middle")
    return lines


def _is_background(parent: ElementTree.Element, child: ElementTree.Element) -> bool:
    return parent.get("class") == "graph" and child.tag == SVG + "polygon"


def _is_wrapper(element: ElementTree.Element) -> bool:
    """Whether an element only holds others: a link that leads nowhere, or the group around a link."""
    if element.tag == SVG + "a":
        return HREF not in element.attrib
    return element.tag == SVG + "g" and "class" not in element.attrib


def _titled(text: str) -> ElementTree.Element:
    title = ElementTree.Element(SVG + "title")
    title.text = text
    return title


def _text(parent: ElementTree.Element, tag: str, text: str, attributes: dict[str, str]) -> None:
    ElementTree.SubElement(parent, SVG + tag, attributes).text = text


def _short(value: str) -> str:
    """A value with its numbers to a tenth: what an eye can see, in two thirds of the bytes."""
    return _DECIMALS.sub(r"\1", value)
