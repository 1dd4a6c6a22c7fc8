"""An action is forbidden without a reason.

A prohibition that doesn't say why is broken by the first person in a hurry who can think of no reason for it.

## Fails

```yaml
states:
  done:
    forbidden:
      finish: ""
```

## Mended

```yaml
states:
  done:
    forbidden:
      finish: Zero rows on a second attempt mean repeated, not failed.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each prohibition whose reason is empty."""
    for state in proof.matrix.states.values():
        for cell in state.forbidden:
            if not cell.because.strip():
                message = f"“{state.id}” forbids “{cell.action.id}” and doesn't say why"
                remedy = "Say what would go wrong."
                yield RULE.problem(
                    proof.matrix, ("states", state.id, "forbidden", cell.action.id), message, remedy=remedy
                )


RULE = Rule("408", "no-reason", "error", __doc__, check)
