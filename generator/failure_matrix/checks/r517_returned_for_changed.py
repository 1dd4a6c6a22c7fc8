"""A statement returns rows that it has not changed, so counting them says nothing.

Callers take the rows that come back for the rows that were changed, and so does whoever reads `zero-rows`. Two forms
break that. A select around a changing expression that adds rows from elsewhere (`union all select …`, a `left join`
from the base table) returns a row although nothing was updated, as the completion statement of a known job queue does.
And an update whose condition stands in `set state = case when … then … else state end` writes every row it finds: a row
that stays as it was is counted and returned like one that was changed.

## Fails

```yaml
actions:
  finish:
    run: |
      with finished as (
        update job set state = 'done', lease_until = null
        where id = %(job)s and state = 'running' and epoch = %(generation)s and lease_until > clock_timestamp()
        returning id, state
      )
      select id, state from finished
      union all
      select id, state from job where id = %(job)s
```

## Mended

```yaml
actions:
  finish:
    run: |
      with finished as (
        update job set state = 'done', lease_until = null
        where id = %(job)s and state = 'running' and epoch = %(generation)s and lease_until > clock_timestamp()
        returning id, state
      )
      select id, state from finished
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each action with a statement that returns or counts unchanged rows."""
    for action, facts in proof.statements.items():
        reason = next((statement.loose for statement in facts.statements if statement.loose), "")
        if reason:
            remedy = "Return rows from the changing statement alone, and put its conditions into `where`."
            yield RULE.problem(proof.matrix, ("actions", action, "run"), reason, remedy=remedy)


RULE = Rule("517", "returned-for-changed", "warning", __doc__, check)
