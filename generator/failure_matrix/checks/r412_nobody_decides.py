"""An action that can't be taken back is permitted, and nobody is named who does it.

What can't be undone should be somebody's decision. An action without `by` is anybody's.

## Fails

```yaml
actions:
  finish:
    by: null
    irreversible: What was done can't be undone.
```

## Mended

```yaml
actions:
  finish:
    by: worker
    irreversible: What was done can't be undone.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each irreversible action that a state permits and that nobody does. A state without an owner is rule 401."""
    for action in proof.matrix.actions.values():
        where = [f"“{state.id}”" for state in proof.matrix.states.values() if state.permission(action.id)]
        if action.irreversible and action.by is None and where:
            message = (
                f"“{action.id}” can't be taken back, is permitted in {', '.join(where)}, and names nobody who does it"
            )
            remedy = "Name who decides and does it (“by: …”)."
            yield RULE.problem(proof.matrix, ("actions", action.id), message, remedy=remedy)


RULE = Rule("412", "nobody-decides", "warning", __doc__, check)
