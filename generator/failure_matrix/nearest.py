"""The valid word that is nearest to one that is not."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

MANY = 500
"""From so many words on, only those are compared that begin with the same letter or have the same length."""


def nearest(word: str, words: Collection[str]) -> str:
    """The most similar word, empty where none is similar."""
    folded = word.strip().lower().replace("_", "-").replace(" ", "-")
    if folded != word and folded in words:
        return folded
    candidates: Iterable[str] = words
    if len(words) > MANY:
        candidates = [other for other in words if other[:1] == word[:1] and abs(len(other) - len(word)) <= 1][:MANY]
    matches = get_close_matches(word, candidates, n=1, cutoff=0.6)
    return matches[0] if matches else ""


def listed(words: Iterable[str], limit: int = 12) -> str:
    """Words for a sentence, each in backticks; past the limit only how many more there are."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) > limit:
        return f"{', '.join(quoted[: limit - 1])} and {len(quoted) - limit + 1} more"
    return ", ".join(quoted)
