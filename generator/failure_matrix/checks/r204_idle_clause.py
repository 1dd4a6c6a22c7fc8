"""A clause of `impossible` that rules out nothing new.

Other clauses rule out all of it already. It does no harm today. When one of the others is relaxed, this one goes on
forbidding what its author never meant, and the reason given for it is not the one that holds.

## Fails

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
  - when: {job: done, lease: live}
    because: Finishing clears the lease.
```

## Mended

```yaml
impossible:
  - when: {job: absent}
    because: Nothing was ever requested under this id. Check the id.
  - when: {job: [ready, done], lease: [live, lapsed]}
    because: A lease is recorded only while the job runs, and finishing clears it.
    by: {constraint: job_lease_only_while_running}
  - when: {job: running, lease: none}
    because: A claim sets the lease.
    by: {constraint: job_running_has_lease}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each idle clause, with those that rule out the same. While a clause rules out a whole state (203), not asked."""
    matrix = proof.matrix
    for idle in () if proof.table.empty_states else proof.table.idle_clauses:
        covering = tuple(
            Related(matrix.impossible[clause].because, matrix.locate(("impossible", str(clause))))
            for clause in idle.covered_by
        )
        message = f"the clause “{matrix.impossible[idle.clause].because}” rules out nothing that others don't"
        path = ("impossible", str(idle.clause))
        remedy = "Delete it, or narrow the others so that each rules out what its reason says."
        yield RULE.problem(matrix, path, message, remedy=remedy, related=covering)


RULE = Rule("204", "idle-clause", "warning", __doc__, check)
