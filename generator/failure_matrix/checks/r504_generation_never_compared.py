"""A generation is issued, and no statement ever compares it.

Counting the claims protects nobody. The number is a fence only where a write carries it and is refused when the row
has a later one. A matrix in which every statement has a good reason to leave the generation out has no fence, and a
worker that outlives its lease writes as it likes.

A query that shows the generation to somebody does not count: between the look and the write the row can change.

## Fails

```yaml
actions:
  renew:
    run: |
      update job set lease_until = clock_timestamp() + interval '120 seconds'
      where id = %(job)s and state = 'running' and owner = %(worker)s and lease_until > clock_timestamp()
    unfenced: The holder's name is compared.
  finish:
    run: |
      update job set state = 'done', lease_until = null
      where id = %(job)s and state = 'running' and owner = %(worker)s and lease_until > clock_timestamp()
    unfenced: The holder's name is compared.
  release:
    run: |
      update job set state = 'ready', owner = null, lease_until = null
      where id = %(job)s and state = 'running' and owner = %(worker)s
    unfenced: The holder's name is compared.
```

## Mended

```yaml
actions:
  finish:
    run: |
      update job set state = 'done', lease_until = null
      where id = %(job)s and state = 'running' and epoch = %(generation)s and lease_until > clock_timestamp()
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import unguarded
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Authority
from failure_matrix.problems import Problem, Related
from failure_matrix.sql import Facts, same_table


def check(proof: Proof) -> Iterator[Problem]:
    """The generation, where a statement issues it and none compares it."""
    authority = proof.matrix.authority
    if authority is None or any(True for _ in unguarded(proof)):
        return
    issuers = [action for action, facts in proof.statements.items() if _issues(facts, authority)]
    if issuers and not any(_compares(facts) for facts in proof.statements.values()):
        message = f"`{authority.generation}` is issued by “{issuers[0]}” and compared by no statement"
        remedy = "Compare it in every statement that acts for the one who was given it."
        related = (Related("it is issued here", proof.matrix.locate(("actions", issuers[0], "run"))),)
        yield RULE.problem(proof.matrix, ("authority", "generation"), message, remedy=remedy, related=related)


def _issues(facts: Facts, authority: Authority) -> bool:
    assigned = (
        one
        for write in facts.writes
        if same_table(write.table, authority.table)
        for one in write.assignments
        if one.column == authority.generation.lower()
    )
    return any(True for _ in assigned)


def _compares(facts: Facts) -> bool:
    in_writes = (one for write in facts.writes for one in write.comparisons)
    in_locks = (one for lock in facts.locks for one in lock.comparisons)
    return any(one.role == "generation" for comparisons in (in_writes, in_locks) for one in comparisons)


RULE = Rule("504", "generation-never-compared", "error", __doc__, check)
