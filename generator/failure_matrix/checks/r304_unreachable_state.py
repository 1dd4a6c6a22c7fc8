"""A state that nothing leads to.

From the state that `start` names, no action and no failure leads there. Either an arrow is missing, and then nobody
knows how one gets into that state, or the state can't be, and its row is in the way of somebody who is looking for
the right one.

## Fails

```yaml
failures:
  lease-lapses: null
```

## Mended

```yaml
failures:
  lease-lapses:
    outcome:
      leased: {to: lapsed, sets: {lease: lapsed}}
```
"""

from collections.abc import Iterator

from failure_matrix import graph
from failure_matrix.checks.arrows import arrows_hold
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each state that can't be reached, without those that only it leads to."""
    for state in graph.unreachable(proof.matrix) if arrows_hold(proof) else ():
        message = f"nothing leads to the state “{state}”"
        remedy = "Name the action or the failure that leads there, or delete the state."
        yield RULE.problem(proof.matrix, ("states", state), message, remedy=remedy)


RULE = Rule("304", "unreachable-state", "warning", __doc__, check)
