"""An action that no state permits or forbids.

An action is defined because somebody might do it. As long as no state says whether it may be done, its page can't
say when, and the reader at three in the morning decides alone. The action that brings a subject in (`start`) is
placed by that.

## Fails

```yaml
actions:
  delete-row:
    title: Delete the job's row
    by: requester
    requires: {job: done}
    sets: {job: absent}
```

## Mended

```yaml
states:
  done:
    permitted:
      delete-row: outside
actions:
  delete-row:
    title: Delete the job's row
    by: requester
    requires: {job: done}
    sets: {job: absent}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each action that is placed nowhere."""
    matrix = proof.matrix
    placed = {matrix.start.action.id} if matrix.start else set()
    for state in matrix.states.values():
        placed.update(cell.action.id for cell in state.permitted)
        placed.update(cell.action.id for cell in state.forbidden)
    for action in matrix.actions.values():
        if action.id not in placed:
            message = f"no state permits or forbids the action “{action.id}”"
            remedy = "Permit or forbid it in each state where somebody might do it, or delete it."
            yield RULE.problem(matrix, ("actions", action.id), message, remedy=remedy)


RULE = Rule("104", "unplaced-action", "error", __doc__, check)
