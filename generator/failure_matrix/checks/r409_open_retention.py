"""Something is kept, and it isn't said what that costs or when it ends.

What is kept for ever at no one's cost fills the store, until somebody deletes it in a hurry.

## Fails

```yaml
states:
  done:
    retention:
      keep: For ever
      because: Somebody may ask for it.
```

## Mended

```yaml
states:
  done:
    retention:
      keep: 90 days
      cost: 2 kB for each job
      because: Somebody may ask for it.
```
"""

import re
from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Retention
from failure_matrix.problems import Problem

ENDLESS = re.compile(r"\b(for ?ever|indefinitely|permanently|always|without (?:an )?end)\b", re.IGNORECASE)
"""Words that say that there is no end. Any other text is taken for an end."""


def check(proof: Proof) -> Iterator[Problem]:
    """Each retention that lacks a cost or an end."""
    for state in proof.matrix.states.values():
        if state.retention is not None:
            for message in _messages(state.id, state.retention):
                remedy = "Say for how long it is kept (“keep”) and what that costs (“cost”)."
                yield RULE.problem(proof.matrix, ("states", state.id, "retention"), message, remedy=remedy)


def _messages(state: str, retention: Retention) -> Iterator[str]:
    if not retention.cost:
        yield f"“{state}” doesn't say what keeping it costs"
    endless = ENDLESS.search(retention.keep)
    if endless:
        yield f"what belongs to “{state}” is kept “{endless.group()}”, which has no end"


RULE = Rule("409", "open-retention", "error", __doc__, check)
