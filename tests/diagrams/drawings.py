"""What a drawing shows, read from its SVG as a browser would read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"


@dataclass(frozen=True)
class Shown:
    """A box or a line of an arrow: its classes, its text, its tooltip and where it leads."""

    classes: tuple[str, ...]
    text: str
    title: str
    href: str


def parts(markup: str) -> ElementTree.Element:
    """The markup of a diagram, which has to be XML."""
    return ElementTree.fromstring(markup)


def drawing(markup: str, size: str = "wide") -> ElementTree.Element:
    """One of a diagram's two drawings."""
    return next(svg for svg in parts(markup).iter(f"{SVG}svg") if f"fm-{size}" in svg.get("class", "").split())


def links(svg: ElementTree.Element) -> Iterator[Shown]:
    """All links of a drawing, in its order."""
    for group in svg.iter(f"{SVG}g"):
        for link in group.findall(f"{SVG}a"):
            text = "".join(row.text or "" for row in link.iter(f"{SVG}text"))
            title = link.findtext(f"{SVG}title") or ""
            yield Shown(tuple(group.get("class", "").split()), text, title, link.get(HREF, ""))
