"""An action that could change a state, and of which the state says nothing.

By what it `requires` it can be taken there, and by what it `sets` it leads elsewhere. So somebody will take it, and
the page neither permits nor forbids it. What the author thought of it is lost.

## Fails

```yaml
states:
  lapsed:
    permitted:
      release: null
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

from failure_matrix.checks.arrows import change, named
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.effects import Cell
from failure_matrix.model import OUTSIDE
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each action that is left out of a state that it could change.

    An action that no state places is told once, by 104.
    """
    matrix = proof.matrix
    placed = {cell.event.id for cell in proof.effects.actions.values() if cell.kind in ("permitted", "forbidden")}
    for cell in proof.effects.undecided():
        if cell.event.id in placed or (matrix.start and cell.event.id == matrix.start.action.id):
            there = Related("what it requires and sets", matrix.locate(("actions", cell.event.id)))
            remedy = "Permit it there with its target, forbid it with the reason, or narrow what it requires."
            yield RULE.problem(matrix, ("states", cell.state), _message(cell), remedy=remedy, related=(there,))


def _message(cell: Cell) -> str:
    landing = cell.changes()[0]
    target = "an impossible combination" if landing.target is None else named(landing.target or OUTSIDE)
    return f"“{cell.state}” neither permits nor forbids “{cell.event.id}”, which leads to {target} ({change(landing)})"


RULE = Rule("406", "undecided-action", "error", __doc__, check)
