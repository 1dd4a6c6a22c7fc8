"""A condition of a statement can be left out, and nothing in the evidence misses it.

`failure-matrix verify` drops each condition of each statement in turn and runs the evidence again. Where all of it
still holds, either no scenario shows what the condition is for, or the statement does not need it. A guard that
nobody can explain is one that somebody will remove.

Two conditions that reject the same rows hide each other: a worker's name often stands in for the generation until
two workers have the same name.

## Fails

```yaml
# matrix/evidence/example.json
mutants:
  - {action: renew, condition: epoch = %(generation)s, missed_by: "", invalid: false}
```

## Mended

A scenario in which two workers have the same name misses it.

```yaml
# matrix/evidence/example.json
mutants:
  - {action: renew, condition: epoch = %(generation)s, missed_by: same-name, invalid: false}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """The conditions that nothing misses."""
    yield from proof.told("606")


RULE = Rule("606", "idle-condition", "warning", __doc__, check)
