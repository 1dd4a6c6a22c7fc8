"""A diagram's place on a page: the figure with its caption, and the same arrows as text."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from failure_matrix.diagrams import Diagram

LEGEND = (
    ("fm-start", "● start"),
    ("fm-outside", "◉ outside this matrix"),
    ("fm-path", "bold: the path when nothing goes wrong"),
    ("fm-failure", "dashed arrow: a failure"),
    ("fm-fault", "dashed box: only failures lead there"),
    ("fm-terminal", "double border: an end"),
    ("fm-again", "pale box: drawn in full elsewhere in the picture"),
)
"""What each class looks like, in the order of the legend."""


def figure(diagram: Diagram, svg: str) -> str:
    """The whole `<figure>`: caption, drawing, legend, what is not drawn, and the arrows as text.

    `svg` is what `draw` gave for the diagram. The button to enlarge it is hidden until the script shows it.
    """
    return "".join(
        (
            f'<figure class="fm-diagram" id="{escape(diagram.id)}" data-search-exclude>',
            f'<figcaption class="fm-diagram__caption">{escape(diagram.title)}',
            '<button type="button" class="fm-diagram__enlarge" hidden>Enlarge</button></figcaption>',
            f'<div class="fm-diagram__drawing">{svg}</div>',
            *_legend(svg),
            *_omitted(diagram),
            f'<details class="fm-diagram__text"><summary>As text</summary>{_arrows(diagram)}</details>',
            "</figure>",
        )
    )


def listed(diagram: Diagram, reason: str) -> str:
    """A list of the arrows, in place of a picture that could not be drawn."""
    return f'<div class="fm-diagram__instead"><p>Not drawn. {escape(reason)}</p>{_arrows(diagram)}</div>'


def _arrows(diagram: Diagram) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in diagram.description.splitlines())
    return f"<ul>{items}</ul>" if items else "<p>No arrow.</p>"


def _legend(svg: str) -> Iterator[str]:
    """The kinds that occur in a drawing."""
    occurring = [text for kind, text in LEGEND if kind in svg]
    if occurring:
        yield f'<p class="fm-diagram__legend">{escape(" · ".join(occurring))}</p>'


def _omitted(diagram: Diagram) -> Iterator[str]:
    if diagram.omitted:
        yield f'<p class="fm-diagram__omitted"><strong>Not drawn.</strong> {escape(" ".join(diagram.omitted))}</p>'
