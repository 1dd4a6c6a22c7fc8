"""More than half of the combinations are ruled out by nothing but a sentence.

A table without gaps is easily had: rule out whatever is left over. What a constraint of the database rules out, on
the other hand, can be shown. So a clause of `impossible` names the constraint that it follows from, with `by`, and
this rule counts the combinations that no such clause rules out.

## Fails

```yaml
impossible:
  - when: {job: absent}
    because: Nothing was ever requested under this id. Check the id.
  - when: {job: [ready, done], lease: [live, lapsed]}
    because: A lease is recorded only while the job runs.
  - when: {job: running, lease: none}
    because: A claim sets the lease.
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
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """One problem where the share is more than half.

    Nothing is said without a decided table or a count, nor while a clause rules out a whole state (203).
    """
    matrix, table = proof.matrix, proof.table
    unshown = table.ruled_out_only_by(n for n, clause in enumerate(matrix.impossible) if not clause.constraint)
    if unshown is None or not table.decided or table.empty_states or 2 * unshown <= table.total:
        return
    message = (
        f"{unshown} of {table.total} combinations are ruled out without a constraint that shows it; "
        f"at most half of them may be"
    )
    remedy = "Name the constraint that a clause follows from (“by: {constraint: …}”), or make the rest states."
    yield RULE.problem(matrix, ("impossible",), message, remedy=remedy)


RULE = Rule("205", "unshown-exclusions", "warning", __doc__, check)
