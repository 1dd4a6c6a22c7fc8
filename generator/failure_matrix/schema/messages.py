"""What the walk says: pairs of what was found and expected, and what to do."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from failure_matrix.nearest import listed, nearest
from failure_matrix.schema.shapes import Object, Scalar, Shape, in_words
from failure_matrix.source import is_nothing

Said = tuple[str, str]
"""A message and a remedy."""

MERGE: Said = ("The merge key `<<` is not read: each value is written where it is meant.", "Write the keys out.")

NO_WORD_AS_KEY: Said = ("A key has to be a word.", "Write `key: value`.")

SHOWN = 60
"""Characters of an author's text that a message quotes."""


def quoted(text: str) -> str:
    """An author's text in a message: in one line, and cut where it is long."""
    line = " ".join(text.split())
    if not line:
        return "an empty text"
    return f"`{line if len(line) <= SHOWN else line[: SHOWN - 1] + '…'}`"


def found(node: Node) -> str:
    """What a node is, in words."""
    if isinstance(node, MappingNode):
        return "a mapping (`key: value`)"
    if isinstance(node, SequenceNode):
        return "a list"
    return (
        "nothing"
        if is_nothing(node)
        else f"the text {quoted(node.value)}"
        if node.value.strip()
        else quoted(node.value)
    )


def expected(shape: Shape) -> str:
    """What a value has to be, in words."""
    kinds = []
    if shape.scalar is not None:
        kinds.append(shape.scalar.expected)
    if shape.array is not None:
        kinds.append("a list")
    if shape.object is not None:
        kinds.append("a mapping (`key: value`)")
    return " or ".join(kinds)


def tag(name: str) -> Said:
    """A tag that means more than the form does."""
    short = name.replace("tag:yaml.org,2002:", "!!")
    return f"The tag {quoted(short)} is not read.", "Delete the tag; put a text that begins with `!` into quotes."


def wrong_kind(name: str, node: Node, shape: Shape) -> Said:
    """A list where a text is expected, and the like."""
    return f"{name} is {found(node)}; expected: {expected(shape)}.", f"Write {expected(shape)}."


def no_value(name: str, node: Node, wanted: str) -> Said:
    """A key with nothing behind it, or with a word that means nothing."""
    message = f"{name} has no value; expected: {wanted}."
    if node.value:
        return message, f"Write the value. Where the text `{node.value}` is meant, put it into quotes."
    return message, "Write the value, or delete the key."


def wrong_word(text: str, scalar: Scalar) -> Said:
    """A text that is not one of the words, or not of the form, that are expected."""
    near = nearest(text, scalar.words) if scalar.words else suggestion(text, scalar)
    message = f"Found {quoted(text)}; expected: {scalar.expected}."
    return message, f"Did you mean `{near}`?" if near else f"Write {scalar.expected}."


def cut_off(text: str) -> Said:
    """The end of a text with a comma in it, which braces make a key of its own."""
    message = f"{quoted(text)} is a key of its own here, since a comma ends a text in braces."
    return message, "Put the whole text, from before the comma on, into quotes."


def wrong_key(text: str, scalar: Scalar) -> Said:
    """A key of the author's own choice that is not of the form that is expected."""
    if text == scalar.refused:
        return f"`{text}` is reserved: it is a target, and no state of its own.", "Choose another id."
    message = f"The key {quoted(text)} is not {scalar.expected}."
    near = suggestion(text, scalar)
    return message, f"Write `{near}`, for example." if near else "Choose another one."


def suggestion(text: str, scalar: Scalar) -> str:
    """A text as the form wants it, where small letters and hyphens (or underscores) make it one."""
    for joint in "-_":
        word = joint.join("".join(c if c.isascii() and c.isalnum() else " " for c in text.lower()).split())
        if scalar.pattern is not None and scalar.pattern.search(word):
            return word
    return ""


def wrong_literal(name: str, node: ScalarNode, scalar: Scalar) -> Said:
    """Something else than a number, `true` or `false`."""
    in_quotes = " in quotes" if node.style and node.value in scalar.words else ""
    message = f"{name} is {quoted(node.value)}{in_quotes}; expected: {scalar.expected}."
    return message, f"Write {scalar.expected}{' without quotes' if in_quotes else ''}."


def hidden(character: str) -> Said:
    """An escape for a character that nobody sees and that no page can hold."""
    return f"The text holds the character U+{ord(character):04X}, which nobody sees.", "Delete the escape."


def unknown_key(name: str, near: str, keys: Collection[str]) -> Said:
    """A key that the form does not know here, and the nearest one that it knows."""
    meant = f"Did you mean `{near}`? " if near else ""
    return f"Unknown key {quoted(name)}.", f"{meant}Allowed here: {listed(keys, limit=30)}."


def missing_key(name: str, key: str, form: Object) -> Said:
    """A key that the model can't do without."""
    return f"{name} has no `{key}`.", f"Add `{key}`: {form.keys[key].description}"


def missing_choice(name: str, keys: Sequence[str]) -> Said:
    """None of the keys of which there has to be one."""
    return f"{name} has neither {in_words(tuple(keys)).replace(' or ', ' nor ')}.", f"Add {in_words(tuple(keys))}."


def exclusive(first: str, second: str) -> Said:
    """Two keys that can't both be meant."""
    return f"`{second}` and `{first}` exclude each other.", "Delete one of the two."


def too_few(name: str, kind: str) -> Said:
    """A list or a mapping without entries."""
    return f"{name} is an empty {kind}; expected: at least one entry.", "Add an entry, or delete the key."


def too_many(name: str, limit: int) -> Said:
    """A mapping with more entries than can be meant."""
    count = "one entry" if limit == 1 else f"at most {limit} entries"
    return f"{name} has too many entries; expected: {count}.", "Delete the others."
