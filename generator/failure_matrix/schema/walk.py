"""One walk over a document's nodes, driven by the form: plain data, and every problem on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from failure_matrix.addresses import address
from failure_matrix.nearest import SEARCHED, nearest, slip_of
from failure_matrix.problems import Edit, Problem, Related
from failure_matrix.schema import messages
from failure_matrix.schema.commas import quotes_around
from failure_matrix.schema.shapes import Array, Object, Scalar, Shape
from failure_matrix.source import IMPLICIT, Document, is_nothing, is_null
from failure_matrix.syntax import REFUSED

PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "bool", "map", "seq"))
"""Tags that say no more than the form does."""


class Broken:
    """The type of `BROKEN`."""

    __slots__ = ()


BROKEN: Final = Broken()
"""Stands in the data for a value that was reported, so that nothing is concluded from it."""

GUESSED: Final = Broken()
"""Stands in the data behind a key that the author did not write, but is likely to have meant."""

Data = str | bool | None | Broken | list["Data"] | dict[str, "Data"]
"""What a walk gives: texts, `true` and `false`, nothing, lists and mappings, and `BROKEN` in place of the rest."""


def walk(document: Document, shape: Shape, matrix: str = "") -> tuple[dict[str, Data], tuple[Problem, ...]]:
    """The data of a document, and what does not fit the form. `matrix` is the id that problems carry."""
    walker = _Walker(document, matrix)
    data = walker.value(document.root, shape)
    return (data if isinstance(data, dict) else {}), tuple(walker.problems)


@dataclass(slots=True)
class _Walker:
    """`path` holds the key of each mapping and the index of each list that the walk is in."""

    document: Document
    matrix: str
    problems: list[Problem] = field(default_factory=list)
    path: list[Node | int] = field(default_factory=list)
    guesses: dict[tuple[str, int], str] = field(default_factory=dict)
    asked: MappingNode | None = None
    keys: set[str] = field(default_factory=set)

    def value(self, node: Node, shape: Shape) -> Data:
        """The data of a node, or `BROKEN` where it is not what the form wants."""
        if node.tag is not IMPLICIT and node.tag not in PLAIN_TAGS:
            return self.broken(node, "100", messages.tag(node.tag))
        if isinstance(node, ScalarNode) and shape.scalar is not None:
            return self.scalar(node, shape.scalar)
        if isinstance(node, MappingNode) and shape.object is not None:
            return self.mapping(node, shape.object)
        if isinstance(node, SequenceNode) and shape.array is not None:
            return self.sequence(node, shape.array)
        if is_null(node):
            return self.broken(node, "109", messages.no_value(self.name(), node, messages.expected(shape)))
        return self.broken(node, "109", messages.wrong_kind(self.name(), node, shape))

    def scalar(self, node: ScalarNode, form: Scalar) -> Data:
        text: str = node.value
        if is_null(node):
            if form.may_be_empty:
                return None
            return self.broken(node, "109", messages.no_value(self.name(), node, form.expected))
        if form.kind != "string":
            return self.literal(node, form)
        if node.style == '"' and (hidden := REFUSED.search(text)):
            return self.broken(node, "100", messages.hidden(hidden.group()))
        if (form.pattern is None or form.pattern.search(text)) and (not form.words or text in form.words):
            return text
        return self.broken(node, "109", messages.wrong_word(text, form), slip_of(text, form.words))

    def literal(self, node: ScalarNode, form: Scalar) -> Data:
        """A number, `true` or `false`, which have to be written without quotes."""
        text: str = node.value
        if text in form.words and not node.style:
            return text == "true" if form.kind == "boolean" else text
        meant = text.lower() if text.lower() in form.words else ""
        return self.broken(node, "109", messages.wrong_literal(self.name(), node, form), meant)

    def sequence(self, node: SequenceNode, form: Array) -> Data:
        if len(node.value) < form.at_least:
            return self.broken(node, "109", messages.too_few(self.name(), "list"))
        if form.at_most is not None and len(node.value) > form.at_most:
            return self.broken(node, "109", messages.too_many(self.name(), form.at_most))
        items: list[Data] = []
        for index, item in enumerate(node.value):
            self.path.append(index)
            items.append(self.value(item, form.items))
            self.path.pop()
        if form.unique and len(items) > 1:
            self.check_unique(node, items)
        return items

    def check_unique(self, node: SequenceNode, items: list[Data]) -> None:
        """Reports the items of a list that were there before."""
        seen: dict[str, Node] = {}
        for item, data in zip(node.value, items, strict=True):
            if isinstance(data, str) and seen.setdefault(data, item) is not item:
                first = Related("It stands here already.", self.document.span(seen[data]))
                said = (f"`{data}` stands twice in this list.", "Delete one of the two.")
                self.report(item, "102", said, first)

    def mapping(self, node: MappingNode, form: Object) -> Data:
        data: dict[str, Data] = {}
        seen: dict[str, Node] = {}
        known, path = form.keys, self.path
        for index, (key, value) in enumerate(node.value):
            name = key.value
            if type(name) is not str or key.tag or (name not in known and not form.accepts(name)):
                if guess := self.refuse(node, index, form):
                    data.setdefault(guess, GUESSED)
            elif name in seen:
                self.refuse_duplicate(key, seen[name])
            else:
                seen[name] = key
                path.append(key)
                data[name] = self.value(value, known.get(name) or form.other)  # type: ignore[arg-type]
                path.pop()
        self.check_whole(node, form, data, seen)
        return data

    def refuse(self, node: MappingNode, index: int, form: Object) -> str:
        """Reports a key that may not stand here; gives the key that is likely to be meant, empty if there is none.

        That one counts as there from now on, so that it is not called missing, nor what refers to it dangling.
        """
        key, value = node.value[index]
        if not isinstance(key, ScalarNode) or not key.value:
            self.report(key, "109", messages.NO_WORD_AS_KEY)
            return ""
        if key.tag:
            self.report(key, "100", messages.tag(key.tag))
            return str(key.value)
        if key.value == "<<" and not key.style:
            self.report(key, "100", messages.MERGE)
        elif node.flow_style and is_nothing(value) and index:
            self.report(key, "109", messages.cut_off(key.value), fix=quotes_around(self.document, node, index))
        elif form.key is None:
            near = self.nearest(key.value, form)
            fix = self.edit(key, slip_of(key.value, form.keys.keys() - self.keys_of(node)) if near else "")
            self.report(key, "101", messages.unknown_key(key.value, near, form.keys), fix=fix)
            return near
        else:
            self.report(key, "109", messages.wrong_key(key.value, form.key))
            return messages.suggestion(key.value, form.key)
        return ""

    def nearest(self, key: str, form: Object) -> str:
        """The nearest of a form's keys. Who misspells a key does so in many places, so it is looked for once."""
        if (key, id(form)) not in self.guesses:
            search = len(self.guesses) < SEARCHED
            self.guesses[key, id(form)] = nearest(key, form.keys) if search else ""
        return self.guesses[key, id(form)]

    def keys_of(self, node: MappingNode) -> set[str]:
        """The keys that are written in a mapping. It is asked for the same one many times in a row."""
        if self.asked is not node:
            self.asked = node
            self.keys = {key.value for key, _ in node.value if isinstance(key, ScalarNode)}
        return self.keys

    def refuse_duplicate(self, key: Node, first: Node) -> None:
        """Reports a key that was there before; what is said there counts."""
        related = Related("It stands here first.", self.document.span(first))
        self.report(key, "102", (f"The key `{key.value}` stands twice.", "Delete or rename one of the two."), related)

    def check_whole(self, node: MappingNode, form: Object, data: dict[str, Data], seen: dict[str, Node]) -> None:
        """Reports keys that are missing from a mapping, or too many. `seen` are the keys that are right."""
        for key in form.required:
            if key not in data:
                self.report(node, "111", messages.missing_key(self.name(), key, form))
        chosen = [key for key in seen if key in form.choices]
        if len(chosen) > 1:
            self.report(seen[chosen[1]], "109", messages.exclusive(*chosen[:2]))
        if form.needs_choice and not any(key in data for key in form.choices):
            self.report(node, "111", messages.missing_choice(self.name(), form.choices))
        if len(node.value) < form.at_least:
            self.report(node, "109", messages.too_few(self.name(), "mapping"))
        if form.at_most is not None and len(seen) > form.at_most:
            self.report(node, "109", messages.too_many(self.name(), form.at_most))

    def name(self) -> str:
        """What messages call the value that the walk is at."""
        last = self.path[-1] if self.path else "file"
        if isinstance(last, int):
            key = next((step.value for step in reversed(self.path) if isinstance(step, Node)), "")
            return f"Item {last + 1} of `{key}`"
        return f"`{last.value}`" if isinstance(last, Node) else "The file"

    def broken(self, node: Node, rule: str, said: messages.Said, meant: str = "") -> Broken:
        """Reports a value that can't be used."""
        self.report(node, rule, said, fix=self.edit(node, meant))
        return BROKEN

    def edit(self, node: Node, meant: str) -> Edit | None:
        """The edit that puts the word in a node's place that alone can be meant; None without such a word."""
        return Edit(self.document.span(node), meant) if meant else None

    def report(self, node: Node, rule: str, said: messages.Said, *related: Related, fix: Edit | None = None) -> None:
        """Adds a problem at a node: at its key, where the node is a block below it."""
        last = self.path[-1] if self.path else None
        place = self.document.place(node, last if isinstance(last, Node) else None)
        path = tuple(str(step) if isinstance(step, int) else step.value for step in self.path)
        message, remedy = said
        problem = Problem(rule, "error", message, place, remedy, related, self.matrix, address(path), fix)
        self.problems.append(problem)
