"""A problem is accepted, and nobody says why.

Whoever reads the page under “Known limits” has to decide whether the limit matters tonight. Without the reason they
can't.

## Fails

```yaml
exercises:
  clock-skew:
    title: Move a worker's clock by ten minutes
accept:
  - rule: "413"
    at: exercises.clock-skew
    by: Worker team
    until: 2027-06-30
```

## Mended

```yaml
exercises:
  clock-skew:
    title: Move a worker's clock by ten minutes
accept:
  - rule: "413"
    at: exercises.clock-skew
    because: Staging is being moved. It is done there as soon as that is over.
    by: Worker team
    until: 2027-06-30
```
"""

from failure_matrix.checks.rule import Rule
from failure_matrix.model import Acceptance, Matrix
from failure_matrix.problems import Problem


def problem(matrix: Matrix, acceptance: Acceptance) -> Problem:
    """The problem of an entry of `accept` without a reason."""
    message = f"rule {acceptance.rule} is accepted at “{acceptance.at}” without a reason"
    remedy = "Say why it may stay (“because: …”)."
    return RULE.problem(matrix, ("accept", str(acceptance.index)), message, remedy=remedy)


RULE = Rule("901", "acceptance-without-reason", "error", __doc__, check=None, acceptable=False)
