"""A possible combination of observations that is in no state.

Somebody observes just this, looks for the row, and there is none: no owner, no permitted action, nothing that is
forbidden. The message names only the observations that matter, and one whole combination as an example. Either a
state covers it, or a clause of `impossible` says why nobody can ever observe it. This can't be accepted or lowered.

## Fails

```yaml
impossible:
  - when: {job: absent}
    because: Nothing was ever requested under this id. Check the id.
  - when: {job: [ready, done], lease: [live, lapsed]}
    because: A lease is recorded only while the job runs.
    by: {constraint: job_lease_only_while_running}
```

## Mended

```yaml
impossible:
  - when: {job: absent}
    because: Nothing was ever requested under this id. Check the id.
  - when: {job: [ready, done], lease: [live, lapsed]}
    because: A lease is recorded only while the job runs.
    by: {constraint: job_lease_only_while_running}
  - when: {job: running, lease: none}
    because: A claim sets the lease.
    by: {constraint: job_running_has_lease}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.decision_table import MOST_GAPS, words
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each gap, widened. Past `MOST_GAPS` the last one says how much there is in all."""
    table = proof.table
    for place, gap in enumerate(table.gaps, 1):
        message = f"no state covers {words(gap.pattern)}"
        if words(gap.pattern) != words(gap.example):
            message += f"; for example {words(gap.example)}"
        if place == MOST_GAPS:
            message += f"; there may be more gaps, with {table.uncovered:,} combinations in all"
        remedy = "Add it to the “when” of a state, or rule it out under “impossible” and say why."
        yield RULE.problem(proof.matrix, ("states",), message, remedy=remedy)


RULE = Rule("201", "gap", "error", __doc__, check, acceptable=False)
