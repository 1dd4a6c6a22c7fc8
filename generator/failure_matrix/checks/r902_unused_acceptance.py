"""A problem is accepted that isn't there.

Either it was mended, and then the entry would hide it when it comes back, or the entry's rule or address is wrong,
and then it accepts nothing. While an error stands in the matrix nothing is said of it, since the error may hide the
problem that was accepted.

## Fails

```yaml
exercises:
  clock-skew:
    title: Move a worker's clock by ten minutes
    target: Staging
accept:
  - rule: "413"
    at: exercises.clock-skew
    because: Staging is being moved.
    by: Worker team
    until: 2027-06-30
```

## Mended

```yaml
exercises:
  clock-skew:
    title: Move a worker's clock by ten minutes
    target: Staging
```
"""

from failure_matrix.checks.rule import Rule
from failure_matrix.model import Acceptance, Matrix
from failure_matrix.problems import Problem


def problem(matrix: Matrix, acceptance: Acceptance) -> Problem:
    """The problem of an entry of `accept` that matches nothing."""
    message = f"rule {acceptance.rule} is accepted at “{acceptance.at}”, where it reports no problem"
    remedy = "Delete the entry, or mend its rule or its address."
    return RULE.problem(matrix, ("accept", str(acceptance.index)), message, remedy=remedy)


RULE = Rule("902", "unused-acceptance", "error", __doc__, check=None, acceptable=False)
