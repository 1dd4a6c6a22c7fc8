"""An action or a failure leads to a state that the matrix doesn't name as its target.

The page says that the action leads to one state, and somebody who relies on it finds the subject in another. What
an action leads to follows from what it `requires` and `sets`: from each combination of its state in which it can
happen, the combination afterwards lies in some state, and that state has to be among the targets. The message gives
one such change as an example.

## Fails

```yaml
states:
  lapsed:
    permitted:
      take-over: lapsed
```

## Mended

```yaml
states:
  lapsed:
    permitted:
      take-over: leased
```
"""

from collections.abc import Iterator

from failure_matrix.checks.arrows import change, judged, named, place
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.decision_table import words
from failure_matrix.effects import Cell
from failure_matrix.landing import Landing
from failure_matrix.model import OUTSIDE
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each landing that isn't declared, by cell and target."""
    for cell in judged(proof).cells():
        for landing in cell.undeclared():
            message = _message(cell, landing)
            remedy = "Add the target, or mend what the event requires or sets."
            yield RULE.problem(proof.matrix, place(cell), message, remedy=remedy)


def _message(cell: Cell, landing: Landing) -> str:
    start = "" if cell.state == OUTSIDE else f"from “{cell.state}” "
    declared = " or ".join(map(named, cell.declared))
    target = landing.target or OUTSIDE
    return (
        f"{start}“{cell.event.id}” also leads to {named(target)} ({change(landing)}), "
        f"where only {declared} is declared; for example from {words(landing.before)}"
    )


RULE = Rule("301", "effect-outside-targets", "error", __doc__, check)
