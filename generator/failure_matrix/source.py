"""YAML to nodes that remember their place. The only reader of YAML.

Nothing is built, resolved or evaluated here: every scalar keeps the text that the author wrote, and the schema
decides later what it has to be. Anchors, aliases, tags and merge keys are refused: a value stands where it is
meant, so that each problem, mend and link has one place.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from failure_matrix import syntax
from failure_matrix.model import Path
from failure_matrix.problems import Location, Problem

SIZE_LIMIT = 40_000_000
"""Bytes of a file. Ten thousand states take about 9 MB."""

DEPTH_LIMIT = 60
"""How deep lists and mappings may lie in each other. The deepest that the form knows is eight."""

IMPLICIT = ""
"""The tag of every node that the author gave none."""


class _AsWritten:
    """The part of a YAML loader that would guess at types: it doesn't."""

    def check_resolver_prefix(self, *_: object) -> bool:
        return False

    def descend_resolver(self, *_: object) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass

    def resolve(self, *_: object) -> str:
        return IMPLICIT


class PureLoader(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser, yaml.composer.Composer, _AsWritten):
    """The loader in Python: slower, and there wherever PyYAML is."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)
        yaml.composer.Composer.__init__(self)


def _quick_loader() -> Any:
    """The loader over libyaml where PyYAML was built with it, else the one in Python."""
    if not yaml.__with_libyaml__:
        return PureLoader
    from yaml._yaml import CParser  # noqa: PLC0415 - the module is missing without libyaml

    class _QuickLoader(CParser, _AsWritten):
        def __init__(self, text: str) -> None:
            CParser.__init__(self, text)

    return _QuickLoader


LOADER = _quick_loader()


Entry = tuple[Node | None, Node]
"""A key and its value, or no key and an item of a list."""


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file that could be read: its path, its text without a byte order mark, and its top mapping.

    Where something stands is asked for only when there is something to say about it, so nothing is looked up
    before. `indexes` remembers the entries of the mappings that were asked.
    """

    path: str
    text: str
    root: MappingNode
    indexes: dict[int, dict[str, Entry]] = field(default_factory=dict, compare=False, repr=False)

    def span(self, node: Node) -> Location:
        """The place of a node, from its first character to its last."""
        start, end = node.start_mark, node.end_mark
        return Location(self.path, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def place(self, node: Node, key: Node | None = None) -> Location:
        """The place to show for a value: the value itself, or its key where the value is a block below it.

        A block in a list, which has no key, is shown at its first key or its first character.
        """
        if not is_block(node):
            return self.span(node)
        if key is None and isinstance(node, MappingNode) and node.value:
            key = node.value[0][0]
        if key is not None:
            return self.span(key)
        start = node.start_mark
        return Location(self.path, start.line + 1, start.column + 1, start.line + 1, start.column + 2)

    def locate(self, path: Path) -> Location:
        """The place of the value at a path.

        Where the value is a block over several lines, it is the place of its key. Where the path does not
        exist, it is the place of the nearest part of it that does; the file's first key where none does.
        """
        key, node, _ = self._nearest(path)
        return self.place(node, key)

    def locate_key(self, path: Path) -> Location:
        """The place of the last key of a path; that of its nearest part where the path does not exist."""
        key, node, whole = self._nearest(path)
        return self.span(key) if whole and key is not None else self.place(node, key)

    def has(self, path: Path) -> bool:
        """Whether there is something at a path."""
        return self._nearest(path)[2]

    def locate_word(self, path: Path, word: str) -> Location:
        """The place of the first occurrence of a word in the value at a path, or of the value."""
        key, node, whole = self._nearest(path)
        start = node.start_mark
        at = self.text.find(word, start.index, node.end_mark.index) if whole and word else -1
        if at < 0:
            return self.place(node, key)
        lines = syntax.LINE_BREAK.split(self.text[start.index : at])
        line = start.line + len(lines)
        column = len(lines[-1]) + 1 + (start.column if len(lines) == 1 else 0)
        return Location(self.path, line, column, line, column + len(word))

    def _nearest(self, path: Path) -> tuple[Node | None, Node, bool]:
        """The key and the value at a path or at its nearest part, and whether the path is there as a whole."""
        key: Node | None = None
        node: Node = self.root
        for name in path:
            found = self._entry(node, name)
            if found is None:
                return key, node, False
            key, node = found
        return key, node, True

    def _entry(self, node: Node, name: str) -> Entry | None:
        """An entry of a mapping by its key, or an item of a list by its index from 0."""
        if isinstance(node, MappingNode):
            if id(node) not in self.indexes:
                entries = ((key.value, (key, value)) for key, value in reversed(node.value))
                self.indexes[id(node)] = {name: entry for name, entry in entries if isinstance(name, str)}
            return self.indexes[id(node)].get(name)
        if isinstance(node, SequenceNode) and name.isdecimal() and int(name) < len(node.value):
            return None, node.value[int(name)]
        return None


def is_block(node: Node) -> bool:
    """Whether a value is not beside its key, but over lines of its own below it, or not there at all."""
    if isinstance(node, ScalarNode):
        return is_nothing(node) or node.style in ("|", ">") or node.start_mark.line != node.end_mark.line
    return isinstance(node, CollectionNode) and not node.flow_style


NULLS = frozenset(("", "~", "null", "Null", "NULL"))
"""What YAML takes for no value, where it stands without quotes."""


def is_null(node: Node) -> bool:
    """Whether a value is said to be none."""
    return isinstance(node, ScalarNode) and node.value in NULLS and not node.style


def is_nothing(node: Node) -> bool:
    """Whether a key has no value at all; two quotes are an empty text."""
    return isinstance(node, ScalarNode) and not node.value and not node.style


def read(path: str, raw: bytes | str) -> tuple[Document | None, str, tuple[Problem, ...]]:
    """A YAML file as a document, its text as far as it could be decoded, and what is wrong with it.

    There is a document exactly where there is no problem.
    """
    text, problems = syntax.decode(path, raw, SIZE_LIMIT)
    problems = problems or syntax.refused_characters(path, text)
    problems = problems or _refused_events(path, text)
    if problems:
        return None, text, problems
    try:
        root = _compose(text)
    except yaml.YAMLError as error:
        return None, text, (syntax.unreadable(path, text, error),)
    if not isinstance(root, MappingNode):
        return None, text, (syntax.not_a_mapping(path, root),)
    return Document(path, text, root), text, ()


def _compose(text: str) -> Node | None:
    """The top node of a text. The garbage collector alone would take longer than the parser."""
    with without_garbage_collector():
        root: Node | None = LOADER(text).get_single_node()
    return root


@contextmanager
def without_garbage_collector() -> Iterator[None]:
    """Makes many long-lived objects without the collector, which would look at all of them again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


NAMED = re.compile(r"[&*](?=[^\s\[\]{},])")
"""What an anchor or an alias begins with."""

BEFORE_NAME = " \t\r\n\x85\u2028\u2029[{,:?-"
"""What may stand before an anchor or an alias."""

FAR_IN = re.compile("\n[ ?:-]{DEPTH}".replace("DEPTH", str(DEPTH_LIMIT)))
"""A line that is indented further than the form ever is, by spaces or by lists in lists."""


def _refused_events(path: str, text: str) -> tuple[Problem, ...]:
    """Anchors, aliases and nesting past the limit.

    Going through all events takes longer than composing, so it is done only where the text looks as if it
    could hold one of these.
    """
    if not _could_name(text) and not FAR_IN.search(f"\n{text}") and _deepest_brackets(text) < DEPTH_LIMIT:
        return ()
    with without_garbage_collector():
        return tuple(syntax.refused_events(path, yaml.parse(text, Loader=LOADER), DEPTH_LIMIT))


def _could_name(text: str) -> bool:
    """Whether there may be an anchor or an alias."""
    return any(match.start() == 0 or text[match.start() - 1] in BEFORE_NAME for match in NAMED.finditer(text))


def _deepest_brackets(text: str) -> int:
    """How deep brackets and braces lie in each other at most, those in texts counted too."""
    deepest = depth = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth = depth + 1 if bracket in "[{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest
