"""The valid word that is nearest to one that is not."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from itertools import islice

MANY = 500
"""From so many words on, only those are compared that begin with the same letter and are about as long."""

SEARCHED = 200
"""For so many wrong words of a file the nearest is looked for. Nobody reads further before mending."""


def nearest(word: str, words: Collection[str]) -> str:
    """The most similar word, empty where none is similar."""
    folded = word.strip().lower().replace("_", "-").replace(" ", "-")
    if folded != word and folded in words:
        return folded
    matches = get_close_matches(word, comparable(word, words), n=1, cutoff=0.6)
    return matches[0] if matches else ""


def comparable(word: str, words: Collection[str]) -> Collection[str]:
    """The words that are worth the comparison: all, unless there are many."""
    if len(words) <= MANY:
        return words
    alike = (other for other in words if other[:1] == word[:1] and abs(len(other) - len(word)) <= 1)
    return list(islice(alike, MANY))


SHORT = 4
"""Shorter words than this are one slip away from too many others."""


def slip_of(word: str, words: Iterable[str]) -> str:
    """The one word that was meant if somebody slipped once, empty where there is none, or more than one.

    A slip adds a letter, leaves one out, takes another one, or swaps two that stand side by side.
    """
    if len(word) < SHORT:
        return ""
    near = [other for other in words if is_slip(word, other)]
    return near[0] if len(near) == 1 else ""


def is_slip(word: str, other: str) -> bool:
    """Whether one slip makes one word of the other."""
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    shared = min(len(word), len(other))
    same = next((at for at in range(shared) if word[at] != other[at]), shared)
    rest, meant = word[same:], other[same:]
    swapped = rest[:2] == meant[1::-1] and rest[2:] == meant[2:]
    return swapped or rest[1:] == meant[1:] or rest[1:] == meant or rest == meant[1:]


def listed(words: Collection[str], limit: int = 12) -> str:
    """Words for a sentence, each in backticks; past the limit only how many more there are."""
    shown = len(words) if len(words) <= limit else limit - 1
    quoted = ", ".join(f"`{word}`" for word in islice(words, shown))
    return quoted if shown == len(words) else f"{quoted} and {len(words) - shown} more"
