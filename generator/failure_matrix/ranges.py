"""Do the ranges of a number or of a time partition the line: no hole, no overlap?

The line starts at 0, unless a range has no lower bound, and never ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from failure_matrix.model import Matrix, Observation

Bound = tuple[Fraction | float, int]
"""A place on the line: just before a number (0) or just after it (1)."""

START: Bound = (Fraction(0), 0)
LOWEST: Bound = (-inf, 0)
HIGHEST: Bound = (inf, 1)


@dataclass(frozen=True, slots=True)
class BrokenRange:
    """A stretch of an observation's line that no range covers, or that two do: `values` are those two, or none.

    `stretch` says in words what it is, such as `more than 4 and less than 6`.
    """

    observation: str
    values: tuple[str, ...]
    stretch: str


def broken_ranges(matrix: Matrix) -> tuple[BrokenRange, ...]:
    """The holes and overlaps in the ranges of all observations, in the author's order, from the lowest."""
    ranged = (observation for observation in matrix.observations.values() if observation.is_ranged)
    return tuple(broken for observation in ranged for broken in _broken(observation))


def _broken(observation: Observation) -> Iterator[BrokenRange]:
    spans = _spans(observation)
    reached, last = (LOWEST if spans[0][0] == LOWEST else START), ""
    for low, high, value in spans:
        if low > reached:
            yield BrokenRange(observation.id, (), _stretch(reached, low))
        elif low < reached and last:
            yield BrokenRange(observation.id, (last, value), _stretch(low, min(high, reached)))
        if high > reached:
            reached, last = high, value
    if reached < HIGHEST:
        yield BrokenRange(observation.id, (), _stretch(reached, HIGHEST))


def _spans(observation: Observation) -> list[tuple[Bound, Bound, str]]:
    """The ranges from the lowest to the highest, each with its value's id."""
    intervals = ((value.interval, value.id) for value in observation.values if value.interval is not None)
    return sorted((interval.low or LOWEST, interval.high or HIGHEST, value) for interval, value in intervals)


def _stretch(low: Bound, high: Bound) -> str:
    """A part of the line in words."""
    if low[0] == high[0]:
        return f"exactly {_number(low[0])}"
    ends = []
    if low != LOWEST:
        ends.append(f"{'more than' if low[1] else 'at least'} {_number(low[0])}")
    if high != HIGHEST:
        ends.append(f"{'at most' if high[1] else 'less than'} {_number(high[0])}")
    return " and ".join(ends) or "any number"


def _number(number: Fraction | float) -> str:
    """A number without a needless fraction."""
    return str(int(number)) if number == int(number) else str(float(number))
