"""A failure without an outcome in some states, and no reason why it has none there.

When it strikes, somebody looks up the cell of the failure and the state. An empty cell doesn't say whether it can't
happen there or whether nobody thought of it. `otherwise` says why the states that are left out are safe from it.

## Fails

```yaml
failures:
  lease-lapses:
    otherwise: null
```

## Mended

```yaml
failures:
  lease-lapses:
    otherwise: No lease is live.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each failure without `otherwise` that leaves states out, with those states."""
    for failure in proof.matrix.failures.values():
        hit = {outcome.state for outcome in failure.outcomes}
        left = [f"“{state}”" for state in proof.matrix.states if state not in hit]
        if left and not failure.otherwise:
            message = f"the failure “{failure.id}” has no outcome in {', '.join(left)}, and no reason why"
            remedy = "Give its outcome there, or say under “otherwise” why it can't happen in the other states."
            yield RULE.problem(proof.matrix, ("failures", failure.id), message, remedy=remedy)


RULE = Rule("407", "missing-outcome", "error", __doc__, check)
