"""A lease whose end no clock decides, or two clocks do.

A lease is a promise about time, so somebody has to read a clock before it can be said to have ended. Workers' clocks
disagree, by seconds on a good day and by minutes after a suspended machine wakes. If the holder reads its own clock
and whoever takes over reads the database's, both are sure of their authority at once, or neither is. So one clock
decides, `clock` names it and says why, and every statement reads that one. A time that the caller passes as a
parameter is the caller's clock; a parameter that is added to `clock_timestamp()` as a length is not.

## Fails

```yaml
clock: null
parameters:
  now: The worker's own time.
actions:
  renew:
    run: |
      update job set lease_until = clock_timestamp() + interval '120 seconds'
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until > %(now)s
```

## Mended

```yaml
clock:
  source: clock_timestamp() of the jobs database
  because: Only the database that checks the lease reads the time.
actions:
  renew:
    run: |
      update job set lease_until = clock_timestamp() + interval '120 seconds'
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until > clock_timestamp()
```
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Authority
from failure_matrix.problems import Problem, Related
from failure_matrix.sql import Facts, same_table

DATABASE_CLOCK = re.compile(r"\b(clock_timestamp|statement_timestamp|transaction_timestamp|now|current_timestamp)\b")

Clock = Literal["the database's clock", "the caller's clock"]


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a statement reads a clock for the lease."""

    action: str
    clock: Clock
    text: str


def check(proof: Proof) -> Iterator[Problem]:
    """The missing clock, and each action that reads another one than the rest."""
    matrix, authority = proof.matrix, proof.matrix.authority
    if authority is None or not authority.expires:
        return
    if matrix.clock is None or not matrix.clock.source:
        message = f"nothing says which clock decides when `{authority.expires}` has passed"
        remedy = "Name the clock and the reason under `clock`: `source: clock_timestamp() of the … database`."
        yield RULE.problem(matrix, ("authority", "expires"), message, remedy=remedy)
    yield from _mixed(proof, authority)


def _mixed(proof: Proof, authority: Authority) -> Iterator[Problem]:
    uses = [use for action, facts in proof.statements.items() for use in _uses(action, facts, authority)]
    if not uses:
        return
    decided = _deciding(proof, uses)
    for use in {use.action: use for use in reversed(uses) if use.clock != decided}.values():
        message = f"`{use.text}` goes by {use.clock}, where {decided} decides about the lease"
        remedy = "Let every statement read the clock that `clock` names; pass a length of time, never a time."
        named = Related("the clock that decides", proof.matrix.locate(("clock", "source")))
        related = (named,) if proof.matrix.clock else ()
        yield RULE.problem(proof.matrix, ("actions", use.action, "run"), message, remedy=remedy, related=related)


def _deciding(proof: Proof, uses: list[Use]) -> Clock:
    """The clock that `clock` names; where it names no function, the one that most statements read."""
    clock = proof.matrix.clock
    if clock is not None and DATABASE_CLOCK.search(clock.source):
        return "the database's clock"
    callers = sum(use.clock == "the caller's clock" for use in uses)
    return "the caller's clock" if 2 * callers > len(uses) else "the database's clock"


def _uses(action: str, facts: Facts, authority: Authority) -> Iterator[Use]:
    for statement in facts.statements:
        for one in statement.checks:
            compares = one.role == "lease" and one.operator in ("<", "<=", ">", ">=")
            if compares and same_table(one.table, authority.table) and one.operand in ("clock", "parameter"):
                yield Use(action, _clock(one.operand), one.text)
        for write in statement.writes:
            for assigned in write.assignments:
                sets = assigned.column == authority.expires.lower() and same_table(write.table, authority.table)
                if sets and assigned.operand in ("clock", "parameter"):
                    yield Use(action, _clock(assigned.operand), f"{assigned.column} = {assigned.text}")


def _clock(operand: str) -> Clock:
    return "the database's clock" if operand == "clock" else "the caller's clock"


RULE = Rule("501", "lease-without-time-source", "error", __doc__, check)
