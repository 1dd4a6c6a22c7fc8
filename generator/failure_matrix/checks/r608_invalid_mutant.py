"""A statement without one of its conditions is no valid SQL, so leaving it out shows nothing.

A mutant that fails with a syntax error would break any scenario, whatever the condition is for. It counts for nothing.
This is a mistake in how the condition was cut, or a statement of a form that can't be cut; simplify the statement.

## Fails

```yaml
# matrix/evidence/example.json
mutants:
  - {action: renew, condition: owner = %(worker)s, missed_by: "", invalid: true}
```

## Mended

```yaml
# matrix/evidence/example.json
mutants:
  - {action: renew, condition: owner = %(worker)s, missed_by: walk, invalid: false}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """The conditions that could not be left out."""
    yield from proof.told("608")


RULE = Rule("608", "invalid-mutant", "error", __doc__, check)
