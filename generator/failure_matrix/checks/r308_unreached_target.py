"""A declared target that the action or failure never leads to.

By what it requires and sets, the event leads elsewhere. Somebody who prepares for this target prepares for nothing,
and may overlook the real one.

## Fails

```yaml
states:
  lapsed:
    permitted:
      release: [ready, done]
```

## Mended

```yaml
states:
  lapsed:
    permitted:
      release: ready
```
"""

from collections.abc import Iterator

from failure_matrix.checks.arrows import named, place
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each target that nothing reaches.

    Where the event leads somewhere undeclared (301, 302), the wrong target is told there. While the table has gaps
    or overlaps, the target may be reached by way of them.
    """
    for cell in proof.effects.cells() if proof.table.sound else ():
        if cell.undeclared() or cell.ruled_out():
            continue
        for target in cell.unreached():
            if target not in proof.table.empty_states:
                message = f"from “{cell.state}” “{cell.event.id}” never leads to {named(target)}"
                remedy = "Delete the target, or mend what the event requires or sets."
                yield RULE.problem(proof.matrix, place(cell), message, remedy=remedy)


RULE = Rule("308", "unreached-target", "warning", __doc__, check)
