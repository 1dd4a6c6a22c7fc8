"""A statement changes a row only under conditions, and nobody is told what zero changed rows mean.

That a conditional write changes zero rows is the whole point of its conditions, and sooner or later it happens. The
same number can mean that an earlier attempt went through and its answer was lost, that another generation took over,
that the request was cancelled, or that the row is not there. Whoever sees the zero at three in the morning needs to
know which of these to expect and what to read to tell them apart. That is what `zero-rows` is for.

Conditions on the id alone are not meant: zero rows then say that there is no such row.

## Fails

```yaml
actions:
  finish:
    zero-rows: null
```

## Mended

```yaml
actions:
  finish:
    zero-rows: Read the row. It shows this generation as done, or a later one that took over.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import listed
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem
from failure_matrix.sql import Facts, Write


def check(proof: Proof) -> Iterator[Problem]:
    """Each action with a conditional write and without `zero-rows`."""
    for action in proof.matrix.actions.values():
        facts = proof.statements.get(action.id)
        write = _conditional(facts) if facts is not None and not action.zero_rows else None
        if write is not None:
            message = f"{_conditions(write)}, and no `zero-rows` says what it means when nothing is changed"
            remedy = "Add `zero-rows`: what zero rows can mean, and what to read to find out which."
            yield RULE.problem(proof.matrix, ("actions", action.id), message, remedy=remedy)


def _conditional(facts: Facts) -> Write | None:
    """The first change that can leave a row alone; a claim that skips locked rows is another rule's business."""
    return None if facts.skips_locked else next((write for write in facts.writes if write.may_skip), None)


def _conditions(write: Write) -> str:
    told = [f"`{one.text}`" for one in dict.fromkeys(write.comparisons) if one.role != "id"]
    if not told:
        return f"the {write.kind} into `{write.table}` can leave all as it is"
    return f"the {write.kind} of `{write.table}` depends on {listed(list(dict.fromkeys(told)))}"


RULE = Rule("506", "unexplained-zero-rows", "error", __doc__, check)
