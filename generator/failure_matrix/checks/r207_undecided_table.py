"""The decision table, or where its actions lead, could not be decided within the budget.

A table is decided by cutting the box of all combinations until each part is in one state, in none, or ruled out. A
few tables need more cuts than there is time for. Then nothing is known of gaps in the rest, and what was found so
far is shown. No table of this project comes near: it takes many observations, and patterns that restrict many of
them in different ways. The example fails with a budget of thirteen boxes, the mended one does not.

## Fails

```yaml
states:
  ready:
    when: [{job: ready, lease: none}, {job: ready, lease: live}, {job: ready, lease: lapsed}]
  done:
    when: [{job: done, lease: none}, {job: done, lease: live}, {job: done, lease: lapsed}]
```

## Mended

```yaml
states:
  ready:
    when: {job: ready}
  done:
    when: {job: done}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """One problem where the budget ran out: for the table, or else for what its actions do."""
    total = f"{proof.table.total:,} combinations"
    remedy = "Put fewer observations into each pattern, or split the matrix by subject."
    if not proof.table.decided:
        message = f"it is not decided whether each of the {total} is in exactly one state; it needs too many cuts"
        yield RULE.problem(proof.matrix, ("states",), message, remedy=remedy)
    elif not proof.effects.decided:
        message = f"it is not decided where all actions lead from each of the {total}; it needs too many cuts"
        yield RULE.problem(proof.matrix, ("actions",), message, remedy=remedy)


RULE = Rule("207", "undecided-table", "error", __doc__, check)
