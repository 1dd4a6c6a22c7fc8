"""A state that nothing leads out of, and that isn't marked `terminal`.

Somebody who is in it has nothing to do and nothing to wait for, and can't tell whether that is the end or whether
something was forgotten.

## Fails

```yaml
states:
  done:
    terminal: false
```

## Mended

```yaml
states:
  done:
    terminal: true
```
"""

from collections.abc import Iterator

from failure_matrix import graph
from failure_matrix.checks.arrows import arrows_hold
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each dead end."""
    for state in graph.dead_ends(proof.matrix) if arrows_hold(proof) else ():
        message = f"nothing leads out of the state “{state}”, and it isn't marked as terminal"
        remedy = "Permit an action that leads on, or say “terminal: true”."
        yield RULE.problem(proof.matrix, ("states", state), message, remedy=remedy)


RULE = Rule("305", "dead-end", "error", __doc__, check)
