"""What the texts of a matrix say, as far as words can tell. Rules that ask it are warnings, and quote the words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from failure_matrix.model import Action, Failure, Matrix, Path, State


def phrases(*patterns: str) -> re.Pattern[str]:
    """A pattern that finds any of several words or phrases as whole words, in capitals or not."""
    return re.compile(rf"\b({'|'.join(patterns)})\b", re.IGNORECASE)


NEGATION = phrases(
    r"no|not|never|nothing|nobody|none|neither|nor|without|cannot|\w+n't",
    "may|might|could|whether|if",
)
"""Words that deny a sentence or put it in doubt."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the matrix, its place, and the title of what it belongs to."""

    path: Path
    words: str
    title: str = ""


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, each on one line."""
    return (sentence.strip() for sentence in re.split(r"(?<=[.!?;:])\s+", " ".join(text.split())) if sentence.strip())


def claimed(text: str, words: re.Pattern[str]) -> str:
    """The words of a text that match in a sentence without a negation or a doubt; empty where there are none."""
    for sentence in sentences(text):
        found = words.search(sentence)
        if found and not NEGATION.search(sentence):
            return found.group()
    return ""


def texts(matrix: Matrix) -> Iterator[Text]:
    """The sentences that an author writes about states, actions and failures; titles are not among them."""
    for state in matrix.states.values():
        yield from _texts_of_state(state)
    for action in matrix.actions.values():
        yield from _texts_of_action(action)
    for failure in matrix.failures.values():
        yield from _texts_of_failure(failure)


def _texts_of_state(state: State) -> Iterator[Text]:
    path = ("states", state.id)
    yield Text((*path, "means"), state.means, state.title)
    for prohibition in state.forbidden:
        yield Text((*path, "forbidden", prohibition.action.id), prohibition.because, state.title)
    for index, reversal in enumerate(state.reversals):
        yield Text((*path, "reversal", str(index), "when"), reversal.when, state.title)
    yield Text((*path, "reversal", "none"), state.irreversible, state.title)


def _texts_of_action(action: Action) -> Iterator[Text]:
    """The sentences that an author writes about an action."""
    path = ("actions", action.id)
    told = {
        "zero-rows": action.zero_rows,
        "unfenced": action.unfenced,
        "outside": action.outside,
        "duplicates": action.duplicates,
        "irreversible": action.irreversible,
    }
    for key, words in told.items():
        if words:
            yield Text((*path, key), words, action.title)


def _texts_of_failure(failure: Failure) -> Iterator[Text]:
    path = ("failures", failure.id)
    yield Text((*path, "notice"), failure.notice, failure.title)
    for outcome in failure.outcomes:
        yield Text((*path, "outcome", outcome.state, "then"), outcome.then, failure.title)
    yield Text((*path, "otherwise"), failure.otherwise, failure.title)
