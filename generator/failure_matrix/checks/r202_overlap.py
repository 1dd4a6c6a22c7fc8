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

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.decision_table import Overlap, words
from failure_matrix.model import Matrix, Path
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each pair of patterns that share a possible combination, at the later one."""
    for overlap in proof.table.overlaps:
        yield _problem(proof.matrix, overlap)


def _problem(matrix: Matrix, overlap: Overlap) -> Problem:
    message = f"the states “{overlap.first}” and “{overlap.second}” both cover {words(overlap.pattern)}"
    if overlap.pattern != {name: (value,) for name, value in overlap.example.items()}:
        message += f"; for example {words(overlap.example)}"
    first = _when(matrix, overlap.first, overlap.first_when)
    second = _when(matrix, overlap.second, overlap.second_when)
    there = Related(f"“{overlap.first}” covers it here", matrix.locate(first))
    remedy = "Narrow one of the two, or make them one state where the same things are permitted."
    return RULE.problem(matrix, second, message, remedy=remedy, related=(there,))


def _when(matrix: Matrix, state: str, pattern: int) -> Path:
    """The path of one of a state's patterns; a single one is not written as a list."""
    path = ("states", state, "when")
    return path if len(matrix.states[state].when) == 1 else (*path, str(pattern))


RULE = Rule("202", "overlap", "error", __doc__, check, acceptable=False)
