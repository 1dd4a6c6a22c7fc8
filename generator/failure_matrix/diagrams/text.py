"""Texts in a drawing: broken into lines, measured, and escaped for DOT. All escaping of diagrams is here.

Graphviz reads escapes in every text: `\\N` is the node's name, `\\l` a line break, `&lt;` a character. It reads a
tooltip twice and decodes a cell before it reads it, so labels, tooltips and cells each have their own function.
What they return was compared with the drawings of both engines.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable
from unicodedata import east_asian_width

import graphviz  # type: ignore[import-untyped]

LINE = 13
"""Letters in a line of a label, where words allow it."""

LONGEST_WORD = 30
"""Letters after which even a word is broken."""

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def plain(text: str) -> str:
    """A text on one line, without characters that XML cannot hold."""
    return " ".join(_UNPRINTABLE.sub("\ufffd", text).split())


def lines(text: str) -> list[str]:
    """A text in lines, broken between words; only a very long word is broken itself."""
    wrapped = textwrap.wrap(plain(text), LINE, break_long_words=False, break_on_hyphens=False)
    return [line[at : at + LONGEST_WORD] for line in wrapped for at in range(0, len(line), LONGEST_WORD)]


def width(rows: Iterable[str]) -> float:
    """About as many pixels as the longest row takes: 8 a letter, 14 a Chinese character."""
    return max((sum(14 if east_asian_width(letter) in "WF" else 8 for letter in row) for row in rows), default=0)


def label(rows: Iterable[str]) -> str:
    """A label that shows the rows just as they are."""
    return _quoted("\\n".join(row.replace("\\", "\\\\") for row in rows))


def tooltip(text: str) -> str:
    """A tooltip that shows the text just as it is."""
    return _quoted(plain(text).replace("\\", "\\" * 4))


def address(url: str) -> str:
    """An address that a box links to."""
    return _quoted(plain(url).replace("\\", "\\\\"))


def cell(text: str) -> str:
    """A text or an attribute within an HTML-like label."""
    return html.escape(plain(text)).replace("\\", "&#92;&#92;")


def _quoted(text: str) -> str:
    """What the graphviz package puts between quotes, never taking it for an HTML-like label."""
    quoted: str = graphviz.nohtml(text.replace("&", "&amp;"))
    return quoted
