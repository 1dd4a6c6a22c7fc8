"""Texts in braces that a comma has cut in two: `{then: Keep it, then discard it.}` has two keys."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from failure_matrix.problems import Edit, Location
from failure_matrix.source import Document, is_nothing


def quotes_around(document: Document, node: MappingNode, index: int) -> Edit | None:
    """The edit that makes one text again of the value that a comma has cut. `index` is that of a piece's entry.

    None for all pieces but the first, and where what stands before the pieces is no unquoted text.
    """
    entries: list[tuple[Node, Node]] = node.value
    start = entries[index - 1][1]
    if not isinstance(start, ScalarNode) or start.style or is_nothing(start):
        return None
    last = index
    while last + 1 < len(entries) and is_piece(*entries[last + 1]):
        last += 1
    end = entries[last][0]
    begin, finish = document.span(start), document.span(end)
    whole = Location(document.path, begin.line, begin.column, finish.end_line, finish.end_column)
    return Edit(whole, in_quotes(document.text[start.start_mark.index : end.end_mark.index]))


def is_piece(key: Node, value: Node) -> bool:
    """Whether an entry is a piece of a text: unquoted, and nothing behind it."""
    return isinstance(key, ScalarNode) and not key.style and is_nothing(value)


def in_quotes(text: str) -> str:
    """An unquoted text in quotes, with the same meaning."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'
