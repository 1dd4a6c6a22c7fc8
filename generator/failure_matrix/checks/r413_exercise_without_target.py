"""An exercise is planned, and nobody knows where.

What hasn't been shown yet is only ever shown on some system: a staging environment, a copy, a rehearsal. As long as
none is named, the plan is a wish.

## Fails

```yaml
exercises:
  clock-skew:
    title: Move a worker's clock by ten minutes
    status: planned
```

## Mended

```yaml
exercises:
  clock-skew:
    title: Move a worker's clock by ten minutes
    target: Staging, with the real worker
    status: planned
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each planned exercise without a target."""
    for exercise in proof.matrix.exercises.values():
        if exercise.status == "planned" and not exercise.target:
            message = f"the exercise “{exercise.id}” is planned and has no target"
            remedy = "Say where it is to be done (“target: …”)."
            yield RULE.problem(proof.matrix, ("exercises", exercise.id), message, remedy=remedy)


RULE = Rule("413", "exercise-without-target", "warning", __doc__, check)
