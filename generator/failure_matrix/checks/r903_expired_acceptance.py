"""A problem was accepted until a day that has gone by.

Somebody promised to mend it by then. Mend it, or have the same person say again why it may stay.

## Fails

```yaml
exercises:
  clock-skew:
    title: Move a worker's clock by ten minutes
accept:
  - rule: "413"
    at: exercises.clock-skew
    because: Staging is being moved.
    by: Worker team
    until: 2026-11-30
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
from failure_matrix.problems import Problem, Related


def problem(matrix: Matrix, acceptance: Acceptance, accepted: list[Problem]) -> Problem:
    """The problem of an entry of `accept` whose last day is over, with the problems that it accepts."""
    by = f" by {acceptance.by}" if acceptance.by else ""
    message = f"rule {acceptance.rule} was accepted at “{acceptance.at}”{by} until {acceptance.until}"
    related = tuple(Related(each.message, each.location) for each in accepted)
    remedy = "Mend the problem and delete the entry, or decide again and set a later day."
    return RULE.problem(matrix, ("accept", str(acceptance.index), "until"), message, remedy=remedy, related=related)


RULE = Rule("903", "expired-acceptance", "error", __doc__, check=None, acceptable=False)
