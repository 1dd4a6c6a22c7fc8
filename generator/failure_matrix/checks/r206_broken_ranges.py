"""Ranges of a number or a time that leave a hole or overlap.

A number in the hole has no answer, and one in the overlap has two, so whoever reads it off can't look up a state.
The line starts at 0, unless a range goes below it, and never ends: the last range is open, such as `>= 5`.

## Fails

```yaml
observations:
  attempts:
    title: Attempts
    question: How often was the job claimed?
    source: jobs-db
    sql: select epoch from job where id = %(job)s
    ranges:
      few: 0 to 4
      many: ">= 6"
states:
  done:
    when: {job: done, attempts: [few, many]}
```

## Mended

```yaml
observations:
  attempts:
    title: Attempts
    question: How often was the job claimed?
    source: jobs-db
    sql: select epoch from job where id = %(job)s
    ranges:
      few: 0 to 4
      many: ">= 5"
states:
  done:
    when: {job: done, attempts: [few, many]}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem, Related
from failure_matrix.ranges import BrokenRange, broken_ranges


def check(proof: Proof) -> Iterator[Problem]:
    """Each hole and each overlap in the ranges of an observation."""
    matrix = proof.matrix
    for broken in broken_ranges(matrix):
        path = ("observations", broken.observation, "ranges", *broken.values[1:])
        first = tuple(
            Related("the other range", matrix.locate(("observations", broken.observation, "ranges", value)))
            for value in broken.values[:1]
        )
        remedy = "Let each range begin where the one before it ends, and leave the last one open."
        yield RULE.problem(matrix, path, _message(broken), remedy=remedy, related=first)


def _message(broken: BrokenRange) -> str:
    if not broken.values:
        return f"no range of “{broken.observation}” holds {broken.stretch}"
    first, second = broken.values
    return f"the ranges “{first}” and “{second}” of “{broken.observation}” both hold {broken.stretch}"


RULE = Rule("206", "broken-ranges", "error", __doc__, check)
