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

from failure_matrix.checks.arrows import is_astray, judged, named, place
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each target that nothing reaches.

    Where an event leads somewhere undeclared, the wrong target is told there (301). A failure that doesn't say what
    it sets depends on what is permitted in its state, so it waits for that to be mended. And while anything leads to
    the impossible (302), the clause that rules it out may rule out the target as well. What could not be decided
    (207) may be reached.
    """
    effects = judged(proof)
    if not effects.decided or any(cell.ruled_out() for cell in effects.cells()):
        return
    unsettled = {cell.state for cell in effects.cells() if is_astray(cell) or cell.kind == "left out"}
    for cell in effects.cells():
        if is_astray(cell) or (cell.hides is not None and cell.state in unsettled):
            continue
        for target in cell.unreached():
            message = f"from “{cell.state}” “{cell.event.id}” never leads to {named(target)}"
            remedy = "Delete the target, or mend what the event requires or sets."
            yield RULE.problem(proof.matrix, place(cell), message, remedy=remedy)


RULE = Rule("308", "unreached-target", "warning", __doc__, check)
