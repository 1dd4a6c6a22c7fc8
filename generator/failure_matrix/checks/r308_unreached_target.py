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
from failure_matrix.effects import Cell
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each target that nothing reaches.

    While the table has gaps or overlaps, the target may be reached by way of them. Where an event leads somewhere
    undeclared (301) or impossible (302), the wrong target is told there; a failure that doesn't say what it sets
    depends on what is permitted in its state.
    """
    cells = list(proof.effects.cells()) if proof.table.sound else []
    astray = {cell.state for cell in cells if _is_astray(cell)}
    for cell in cells:
        if _is_astray(cell) or (cell.hides is not None and cell.state in astray):
            continue
        for target in cell.unreached():
            if target not in proof.table.empty_states:
                message = f"from “{cell.state}” “{cell.event.id}” never leads to {named(target)}"
                remedy = "Delete the target, or mend what the event requires or sets."
                yield RULE.problem(proof.matrix, place(cell), message, remedy=remedy)


def _is_astray(cell: Cell) -> bool:
    """Whether an event leads where it should not."""
    return bool(cell.undeclared() or cell.ruled_out())


RULE = Rule("308", "unreached-target", "warning", __doc__, check)
