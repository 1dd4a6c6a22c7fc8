"""The lease is compared with `now()` in a transaction that has already been open for a while.

`now()`, `current_timestamp` and `transaction_timestamp()` give the start of the transaction, and stand still until its
end (PostgreSQL documentation, "Date/Time Functions and Operators"). After a wait for a lock or for another service, the
transaction still believes in that instant, and a lease that lapsed meanwhile still looks live: run on PostgreSQL, the
condition with `now()` is true where the one with `clock_timestamp()` is false. As the only statement of its
transaction, `now()` is close enough and is left alone.

## Fails

```yaml
actions:
  finish:
    run: |
      begin;
      select id from job where id = %(job)s for update;
      update job set state = 'done', lease_until = null
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until > now();
      commit
```

## Mended

```yaml
actions:
  finish:
    run: |
      begin;
      select id from job where id = %(job)s for update;
      update job set state = 'done', lease_until = null
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until > clock_timestamp();
      commit
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import held_open
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Authority
from failure_matrix.problems import Problem
from failure_matrix.sql import Facts, Statement, same_table


def check(proof: Proof) -> Iterator[Problem]:
    """Each action that reads a frozen clock for the lease."""
    authority = proof.matrix.authority
    if authority is None or not authority.expires:
        return
    inside = {action.id for _, _, action in held_open(proof)}
    for action, facts in proof.statements.items():
        late = facts.statements if action in inside else tuple(_after_others(facts))
        words = next((words for statement in late for words in _frozen(statement, authority)), "")
        if words:
            message = f"`{words}` goes by the start of the transaction, which lies behind at this point"
            remedy = "Use `clock_timestamp()`, which goes on while a transaction waits."
            yield RULE.problem(proof.matrix, ("actions", action, "run"), message, remedy=remedy)


def _after_others(facts: Facts) -> Iterator[Statement]:
    """The statements that come after another one of their transaction, one from an earlier action included."""
    for transaction in facts.transactions:
        if transaction.explicit:
            working = [one for one in transaction.statements if one.kind in ("read", "write")]
            yield from working if transaction.continued else working[1:]


def _frozen(statement: Statement, authority: Authority) -> Iterator[str]:
    for one in statement.checks:
        if one.role == "lease" and one.clock == "transaction" and same_table(one.table, authority.table):
            yield one.text
    for write in statement.writes:
        for assigned in write.assignments:
            sets_lease = assigned.column == authority.expires.lower() and same_table(write.table, authority.table)
            if sets_lease and assigned.clock == "transaction":
                yield f"{assigned.column} = {assigned.text}"


RULE = Rule("514", "frozen-clock", "warning", __doc__, check)
