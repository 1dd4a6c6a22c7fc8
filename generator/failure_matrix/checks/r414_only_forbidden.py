"""A forbidden action that nothing prevents.

What it `requires` holds in the state, so its statement would go through. Nothing but discipline stands in the way,
and discipline is short at three in the morning. That may have to be so; it should be known. Where a condition can
be added to the statement, the action becomes prevented.

## Fails

```yaml
states:
  lapsed:
    permitted:
      release: null
    forbidden:
      release: The holder may still be at work. Take over.
```

## Mended

```yaml
states:
  lapsed:
    permitted:
      release: null
    forbidden:
      release: The holder may still be at work. Take over.
actions:
  release:
    requires: {job: running, lease: live}
    run: |
      update job set state = 'ready', owner = null, lease_until = null
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until > clock_timestamp()
```
"""

from collections.abc import Iterator

from failure_matrix.checks.arrows import judged, place
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Action
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each forbidden action that is possible in its state."""
    for cell in judged(proof).actions.values():
        if cell.kind == "forbidden" and cell.possible and isinstance(cell.event, Action):
            message = f"nothing prevents “{cell.event.id}” in “{cell.state}”, where it is forbidden"
            yield RULE.problem(proof.matrix, place(cell), message, remedy=_remedy(cell.event))


def _remedy(action: Action) -> str:
    if action.run:
        return "Add a condition to its statement, and to what it “requires”, where there can be one."
    return "If a right or a constraint prevents it, say so by what it “requires”."


RULE = Rule("414", "only-forbidden", "note", __doc__, check)
