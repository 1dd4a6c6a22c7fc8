"""An action that can never be taken where it is permitted, or a failure that can't happen where it has an outcome.

What the action `requires` holds in no possible combination of the state. Its statement would change zero rows, and
somebody who follows the page takes that for a failure of the database.

## Fails

```yaml
states:
  lapsed:
    permitted:
      renew: leased
```

## Mended

```yaml
states:
  lapsed:
    forbidden:
      renew: A renewal after lease_until would bring dead authority back. The statement rejects it.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.arrows import judged, place
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.decision_table import words
from failure_matrix.effects import Cell
from failure_matrix.model import Failure
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each declared event that is possible nowhere in its state. What could not be decided (207) may be possible."""
    effects = judged(proof)
    for cell in effects.never_possible() if effects.decided else ():
        verb = "happen" if isinstance(cell.event, Failure) else "be taken"
        message = f"“{cell.event.id}” can never {verb} in “{cell.state}”: it requires {_required(cell)}"
        remedy = "Forbid it there, leave it out, or mend what it requires."
        yield RULE.problem(proof.matrix, place(cell), message, remedy=remedy)


def _required(cell: Cell) -> str:
    """What the event requires, in words."""
    if not isinstance(cell.event, Failure):
        return " or ".join(map(words, cell.event.requires))
    outcome = cell.event.outcome(cell.state)
    return " or ".join(map(words, outcome.requires)) if outcome else ""


RULE = Rule("303", "never-possible", "error", __doc__, check)
