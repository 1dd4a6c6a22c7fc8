"""Which valid word is offered for one that is not."""

from __future__ import annotations

import pytest

from failure_matrix.nearest import MANY, listed, nearest

WORDS = ["ready", "leased", "taken-over", "published"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("leasd", "leased"),
        ("TAKEN_OVER", "taken-over"),
        ("Taken Over", "taken-over"),
        (" READY ", "ready"),
        ("publish", "published"),
        ("xyz", ""),
        ("", ""),
    ],
)
def test_the_nearest_word(word: str, expected: str) -> None:
    assert nearest(word, WORDS) == expected


def test_of_many_words_only_likely_ones_are_compared() -> None:
    many = [f"state-{number}" for number in range(2 * MANY)] + WORDS
    assert nearest("publishd", many) == "published"
    assert nearest("ublished", many) == ""


def test_a_list_of_words_ends_somewhere() -> None:
    assert listed(["a", "b", "c"], limit=3) == "`a`, `b`, `c`"
    assert listed(["a", "b", "c", "d"], limit=3) == "`a`, `b` and 2 more"
    assert listed([]) == ""
