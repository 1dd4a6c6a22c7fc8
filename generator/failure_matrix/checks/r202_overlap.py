"""A possible combination of observations that is in two states.

Whoever observes it finds two rows with different owners, and may find an action permitted in one and forbidden in
the other. The message gives one such combination; both places are shown. This can't be accepted or lowered: which
row holds is for the author to say.

## Fails

```yaml
states:
  leased:
    when: [{job: running}]
```

## Mended

```yaml
states:
  leased:
    when: {job: running, lease: live}
```
"""

from collections import Counter
from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.decision_table import Overlap, words
from failure_matrix.model import Matrix, Path
from failure_matrix.problems import Problem, Related

MOST = 5
"""How many states are named that one state overlaps with."""

When = tuple[str, int]
"""One of a state's patterns: the state's id and the pattern's place."""


def check(proof: Proof) -> Iterator[Problem]:
    """Each pattern that shares a possible combination with others, at the one that does so most often."""
    overlaps: dict[When, list[tuple[When, Overlap]]] = {}
    times = Counter(when for overlap in proof.table.overlaps for when in _both(overlap))
    for overlap in proof.table.overlaps:
        first, second = _both(overlap)
        worse, other = (first, second) if times[first] > times[second] else (second, first)
        overlaps.setdefault(worse, []).append((other, overlap))
    for when, others in overlaps.items():
        yield _problem(proof.matrix, when, others)


def _both(overlap: Overlap) -> tuple[When, When]:
    return (overlap.first, overlap.first_when), (overlap.second, overlap.second_when)


def _problem(matrix: Matrix, when: When, others: list[tuple[When, Overlap]]) -> Problem:
    overlap = others[0][1]
    covers = words(overlap.pattern)
    message = f"the states {_names(when, others)} cover {covers}"
    if words(overlap.example) != covers:
        message += f"; for example {words(overlap.example)}"
    related = tuple(
        Related(f"“{other[0]}” covers {words(each.pattern)} here", matrix.locate(_path(matrix, other)))
        for other, each in others[:MOST]
    )
    remedy = "Narrow one of them, or make them one state where the same things are permitted."
    return RULE.problem(matrix, _path(matrix, when), message, remedy=remedy, related=related)


def _names(when: When, others: list[tuple[When, Overlap]]) -> str:
    """The states in words: `“leased” and “lapsed” both`, or the one that overlaps with many."""
    names = list(dict.fromkeys(state for (state, _), _ in others))
    if len(names) == 1:
        return f"“{names[0]}” and “{when[0]}” both"
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return f"“{when[0]}” and each of {', '.join(f'“{name}”' for name in names[:MOST])}{more}"


def _path(matrix: Matrix, when: When) -> Path:
    """The path of one of a state's patterns; a single one is not written as a list."""
    state, place = when
    path = ("states", state, "when")
    return path if len(matrix.states[state].when) == 1 else (*path, str(place))


RULE = Rule("202", "overlap", "error", __doc__, check, acceptable=False)
