"""Ranges of a number or of a time, from the author's text."""

from __future__ import annotations

import re
from fractions import Fraction

from failure_matrix.model import Interval

SECONDS = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86400),
}
"""The units of time, in seconds."""

AMOUNT = r"(-?\d+(?:\.\d+)?)\s*(ms|s|min|h|d)?"
SINGLE = re.compile(rf"\s*(<=|>=|<|>)?\s*{AMOUNT}\s*", re.ASCII)
FROM_TO = re.compile(rf"\s*{AMOUNT}\s+to\s+{AMOUNT}\s*", re.ASCII)

EXPECTED = "`5`, `1 to 4`, `< 2`, `<= 2`, `> 3`, `>= 5`, each also with a unit (ms, s, min, h, d)"
"""What a range can look like, in words."""


def interval(text: str) -> Interval | None:
    """The interval that a text means, None where it can't be read.

    Whole numbers without a unit count something, so both ends belong to the range. With a unit or a decimal
    point the line is continuous, and the upper end of `a to b` does not belong to it.
    """
    if match := FROM_TO.fullmatch(text):
        return from_to(match[1], match[2] or match[4], match[3], match[4] or match[2])
    if match := SINGLE.fullmatch(text):
        return single(match[1] or "", match[2], match[3])
    return None


def from_to(low: str, low_unit: str | None, high: str, high_unit: str | None) -> Interval | None:
    """The interval between two numbers, None where it is empty. A unit that one of them lacks is the other's."""
    first, last = number(low, low_unit), number(high, high_unit)
    end = last if is_continuous(low, low_unit) or is_continuous(high, high_unit) else last + 1
    return Interval((first, 0), (end, 0)) if first < end else None


def single(sign: str, digits: str, unit: str | None) -> Interval:
    """The interval on one side of a number, or the number alone."""
    value = number(digits, unit)
    before = (value, 0)
    after = (value, 1) if is_continuous(digits, unit) else (value + 1, 0)
    return {
        "": Interval(before, after),
        "<": Interval(None, before),
        "<=": Interval(None, after),
        ">": Interval(after, None),
        ">=": Interval(before, None),
    }[sign]


def number(digits: str, unit: str | None) -> Fraction:
    """A number, or a time in seconds."""
    return Fraction(digits) * (SECONDS[unit] if unit else 1)


def is_continuous(digits: str, unit: str | None) -> bool:
    """Whether there is something between a number and the next one."""
    return bool(unit) or "." in digits
