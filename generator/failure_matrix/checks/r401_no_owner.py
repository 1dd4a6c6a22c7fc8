"""A state without an owner.

When something has to be decided in this state, nobody is named who may decide it. At three in the morning that
means that nobody does, or that everybody does.

## Fails

```yaml
states:
  lapsed:
    owner: null
```

## Mended

```yaml
states:
  lapsed:
    owner: worker
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each state that names no owner."""
    for state in proof.matrix.states.values():
        if state.owner is None:
            message = f"the state “{state.id}” has no owner"
            remedy = "Name who decides there (“owner: …”)."
            yield RULE.problem(proof.matrix, ("states", state.id), message, remedy=remedy)


RULE = Rule("401", "no-owner", "error", __doc__, check)
