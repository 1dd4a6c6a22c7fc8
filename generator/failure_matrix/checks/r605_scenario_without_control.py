"""Nothing shows that a scenario could fail.

A scenario that passes with the condition and without it says nothing about the condition. A control cuts a text out
of a statement, and says which steps have to break then. Only what something can break shows anything. A scenario of
which all orders are run needs none: its invariant is what breaks.

## Fails

```yaml
# matrix/scenarios/example/take-over.yml
title: Of two workers that take over, one gets the job
given: insert into job (id, state, owner, epoch, lease_until) values (1, 'running', 'a', 1, clock_timestamp())
values: {job: 1}
sessions: {b: {worker: b}, c: {worker: c}}
steps:
  - b: {do: take-over}
    rows: [[2]]
  - c: {do: take-over}
    rows: []
```

## Mended

```yaml
# matrix/scenarios/example/take-over.yml
title: Of two workers that take over, one gets the job
given: insert into job (id, state, owner, epoch, lease_until) values (1, 'running', 'a', 1, clock_timestamp())
values: {job: 1}
sessions: {b: {worker: b}, c: {worker: c}}
steps:
  - b: {do: take-over}
    rows: [[2]]
  - c: {do: take-over}
    rows: []
controls:
  - cut: and lease_until <= clock_timestamp()
    from: take-over
    breaks: [2]
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """The recorded scenarios that nothing can break."""
    yield from proof.told("605")


RULE = Rule("605", "scenario-without-control", "warning", __doc__, check)
