"""Ranges that leave a hole, overlap, or don't reach to the ends of the line."""

from __future__ import annotations

import pytest
from small_matrix import matrix

from failure_matrix.loading.intervals import interval
from failure_matrix.model import Observation, Value
from failure_matrix.ranges import broken_ranges


def broken(*ranges):
    values = tuple(Value(f"r{n}", text, interval(text)) for n, text in enumerate(ranges))
    found = broken_ranges(matrix({"attempts": Observation("attempts", "Attempts", values)}))
    return [(" and ".join(each.values) or "nothing", each.stretch) for each in found]


@pytest.mark.parametrize(
    "ranges",
    [
        ("0", "1 to 4", ">= 5"),
        (">= 5", "0", "1 to 4"),
        ("< 2 min", ">= 2 min"),
        ("<= 2 min", "> 2 min"),
        ("0 to 1.5", "1.5 to 3", ">= 3.0"),
        ("0 s to 90 s", ">= 1.5 min"),
        (">= 0",),
        ("-5 to 3", ">= 4"),
    ],
)
def test_ranges_that_partition_the_line(ranges):
    assert broken(*ranges) == []


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        (("0", "2 to 4", ">= 5"), [("nothing", "at least 1 and less than 2")]),
        (("< 2 min", "> 2 min"), [("nothing", "exactly 120")]),
        (("1 to 4", ">= 5"), [("nothing", "at least 0 and less than 1")]),
        (("0 to 4", "5 to 9"), [("nothing", "at least 10")]),
        (("0", "1.5 to 3", ">= 3.0"), [("nothing", "at least 1 and less than 1.5")]),
        (("<= 2 min", ">= 2 min"), [("r0 and r1", "exactly 120")]),
        (("0 to 5", "4 to 6", ">= 7"), [("r0 and r1", "at least 4 and less than 6")]),
        ((">= 0", "3 to 4"), [("r0 and r1", "at least 3 and less than 5")]),
        (("<= 4", "< 3", "> 5.5"), [("r1 and r0", "less than 3"), ("nothing", "at least 5 and at most 5.5")]),
    ],
)
def test_ranges_that_do_not(ranges, expected):
    assert broken(*ranges) == expected


def test_values_that_are_no_ranges_are_not_looked_at():
    assert broken_ranges(matrix({"job": Observation("job", "Job", (Value("ready", "It waits."),))})) == ()
