"""The figure around a drawing."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

from failure_matrix.diagrams import Diagram
from failure_matrix.svg import figure

DIAGRAM = Diagram(
    "id-1",
    'Life of <b> & "others"',
    "A <i> → B: go & stop.\nB → A: failure: it falls.",
    "digraph {}",
    ("Stays in A: wait.", "Forbidden here: <jump>."),
)
SVG = '<svg class="fm-drawing"><g class="node fm-state fm-path"></g><g class="edge fm-failure"></g></svg>'


def test_a_figure(golden: Callable[[str, Path], None]) -> None:
    text = figure(DIAGRAM, SVG).replace("><", ">\n<")
    golden(text + "\n", Path(__file__).parent / "expected" / "figure.html")


def test_everything_is_said_as_text() -> None:
    class Reader(HTMLParser):
        said = ""

        def handle_data(self, data: str) -> None:
            self.said += data + "\n"

    reader = Reader()
    reader.feed(figure(DIAGRAM, SVG))
    for text in (DIAGRAM.title, *DIAGRAM.description.splitlines(), *DIAGRAM.omitted):
        assert text in reader.said, text


def test_a_figure_is_one_block_of_markdown() -> None:
    """An empty line would end the block, and Markdown would read the rest."""
    assert "\n" not in figure(DIAGRAM, SVG)
