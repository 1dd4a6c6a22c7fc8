"""What was run contradicts what the matrix says.

A statement landed in a state that the matrix does not name, a forbidden action changed a row, a step of a scenario
gave something else than it expected, a condition could be cut out without any step breaking, a constraint let a row
through that is called impossible: the page and the database disagree, and one of them is wrong.

`failure-matrix verify` records nothing then, unless it is told to with `--accept-failures`. The site is still built,
and marks what is contradicted, so that nobody takes it for shown. It can't be accepted.

## Fails

```yaml
# matrix/evidence/example.json
walk:
  holds: false
  found:
    - kind: changed
      message: "take-over in leased (job 1): it changed 1 row although its `requires` does not hold (lease=live)."
      at: [states, leased, forbidden, take-over]
      state: leased
      event: take-over
      way: [the empty tables, request (job 1), claim (job 1), take-over (job 1)]
```

## Mended

The statement has its condition back, and the evidence has been run again.

```yaml
# matrix/evidence/example.json
walk:
  holds: true
  found: []
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """What the part of the record that is not stale says against the matrix."""
    yield from proof.told("602")


RULE = Rule("602", "contradicted", "error", __doc__, check, acceptable=False)
