"""What the texts of ranges mean."""

from __future__ import annotations

from fractions import Fraction

import pytest

from failure_matrix.loading.intervals import interval
from failure_matrix.model import Interval


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0", (0, 0), (1, 0)),
        ("1 to 4", (1, 0), (5, 0)),
        ("1 to 1", (1, 0), (2, 0)),
        ("-3 to -1", (-3, 0), (0, 0)),
        (">= 5", (5, 0), None),
        (">=5", (5, 0), None),
        ("> 3", (4, 0), None),
        ("< 2", None, (2, 0)),
        ("<= 2", None, (3, 0)),
        ("1 s to 5 s", (1, 0), (5, 0)),
        ("1 to 5 s", (1, 0), (5, 0)),
        ("1.5 to 2", ("3/2", 0), (2, 0)),
        ("1 to 2.5", (1, 0), ("5/2", 0)),
        ("250 ms to 2 min", ("1/4", 0), (120, 0)),
        ("1h to 1d", (3600, 0), (86400, 0)),
        ("> 3 s", (3, 1), None),
        (">= 3 s", (3, 0), None),
        ("<= 0.1", None, ("1/10", 1)),
        ("< 2 min", None, (120, 0)),
        ("5 s", (5, 0), (5, 1)),
        ("0.5", ("1/2", 0), ("1/2", 1)),
    ],
)
def test_a_range(text: str, low: tuple[str | int, int] | None, high: tuple[str | int, int] | None) -> None:
    def bound(at: tuple[str | int, int] | None) -> tuple[Fraction, int] | None:
        return None if at is None else (Fraction(at[0]), at[1])

    assert interval(text) == Interval(bound(low), bound(high))


@pytest.mark.parametrize(
    "text",
    ["", "x", "1 to", "to 4", "4 to 1", "1 s to 1 s", "1 to 2 to 3", "=> 1", "1 week", "1,5", "1e3", "\u0661", "1\n2"],
)
def test_no_range(text: str) -> None:
    assert interval(text) is None


def test_neighbours_meet_without_overlap() -> None:
    texts = ["< 90 s", "90 s to 1 h", "1 h", "> 1 h"]
    ranges = [interval(text) for text in texts]
    assert [one and one.high for one in ranges[:-1]] == [one and one.low for one in ranges[1:]]
