"""A row is chosen under `skip locked`, and the transaction ends before anything records whose it is.

A row lock lasts as long as its transaction (PostgreSQL documentation, "Row-Level Locks"). A select that locks and then
commits, or that runs outside a transaction block, has given up its locks by the time the worker looks at the rows.
Run on PostgreSQL, two relays that claim so take the same 100 of 100 rows and publish each of them twice. The code
reads as if it were exclusive and isn't. There are two sound forms. Either the transaction stays open until the work is
recorded, which is right where the work is quick: the lock is the claim, and a crash gives it back. Or one statement
chooses the row and records owner, generation and expiry, which is right where the work is slow.

## Fails

```yaml
actions:
  claim:
    run: |
      begin;
      select id, epoch from job where state = 'ready'
      order by created_at limit 1 for update skip locked;
      commit
```

## Mended

```yaml
actions:
  claim:
    run: |
      with next as (
        select id from job where state = 'ready'
        order by created_at limit 1 for update skip locked
      )
      update job
      set state = 'running', owner = %(worker)s, epoch = epoch + 1,
          lease_until = clock_timestamp() + interval '120 seconds'
      from next where job.id = next.id
      returning job.id, job.epoch
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import held_open
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem
from failure_matrix.sql import Transaction, same_table


def check(proof: Proof) -> Iterator[Problem]:
    """Each action that claims rows in a transaction which ends with it and changes none of them."""
    inside = {action.id for _, _, action in held_open(proof)}
    for action in proof.matrix.actions.values():
        claims = bool(action.sets or action.keeps) and action.id in proof.statements
        table = _given_up(proof.statements[action.id].transactions) if claims else ""
        is_autocommit = claims and not any(part.explicit for part in proof.statements[action.id].transactions)
        if table and not (is_autocommit and action.id in inside):
            message = f"the locks on `{table}` end here, before any statement has recorded whose the rows are"
            remedy = "Record the owner in the same statement, or leave the transaction open until the work is recorded."
            yield RULE.problem(proof.matrix, ("actions", action.id, "run"), message, remedy=remedy)


def _given_up(transactions: tuple[Transaction, ...]) -> str:
    """The first table whose rows are locked in passing others by, in a transaction that ends without changing it."""
    for transaction in transactions:
        for lock in transaction.locks:
            is_recorded = any(same_table(write.table, lock.table) for write in transaction.writes)
            if lock.skips and not is_recorded and not transaction.left_open:
                return lock.table
    return ""


RULE = Rule("508", "claim-without-record", "error", __doc__, check)
