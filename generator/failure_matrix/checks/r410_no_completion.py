"""Nobody says when it is done.

A record that says “complete” is the database's opinion. Whether the business calls it done, and who says so, is
what somebody wants to know before anything is closed, paid or deleted.

## Fails

```yaml
completion: null
```

## Mended

```yaml
completion:
  owner: requester
  criteria:
    - The job row is done.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """A matrix without criteria, or without the one who says that they are met."""
    completion = proof.matrix.completion
    missing = [
        *(["owner"] if completion and completion.owner is None else []),
        *(["criteria"] if completion is None or not completion.criteria else []),
    ]
    if missing:
        message = f"completion has no {' and no '.join(missing)}"
        remedy = "Say under “completion” what has to be true (“criteria”), and who says so (“owner”)."
        yield RULE.problem(proof.matrix, ("completion",), message, remedy=remedy)


RULE = Rule("410", "no-completion", "warning", __doc__, check)
