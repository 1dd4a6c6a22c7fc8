"""A value of an observation that no state and no clause of `impossible` mentions.

An answer that is mentioned nowhere tells nothing from anything. Mostly it is a gap in the decision table, and then
rule 201 says so. Here the table is sound without it: what is asked makes no difference, or a pattern that makes
none hides that.

## Fails

```yaml
observations:
  region:
    title: Region
    question: Which region did the worker run in?
    source: jobs-db
    sql: select region from job where id = %(job)s
    values:
      north: The northern one.
      south: The southern one.
states:
  done:
    when: [{job: done, region: north}, {job: done}]
```

## Mended

```yaml
observations:
  region: null
states:
  done:
    when: {job: done}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Matrix
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each value that is mentioned nowhere, of the observations that a state uses.

    While there are gaps or overlaps they name the value already, and a clause that goes too far (203) may be the one
    that lost it.
    """
    matrix, table = proof.matrix, proof.table
    mentioned = set(_mentioned(matrix)) if table.sound and not table.empty_states else set()
    for observation in matrix.observations.values() if mentioned else ():
        if not any(matrix.states_using(observation.id)):
            continue  # The observation itself is the problem.
        for value in observation.values:
            if (observation.id, value.id) not in mentioned:
                message = f"no state and no clause of “impossible” mentions {observation.id}={value.id}"
                remedy = "Say in which state it is, rule it out under “impossible”, or delete it."
                part = "ranges" if observation.is_ranged else "values"
                path = ("observations", observation.id, part, value.id)
                yield RULE.problem(matrix, path, message, remedy=remedy)


def _mentioned(matrix: Matrix) -> Iterator[tuple[str, str]]:
    ruled_out = (pattern for clause in matrix.impossible for pattern in clause.when)
    covered = (pattern for state in matrix.states.values() for pattern in state.when)
    for pattern in (*ruled_out, *covered):
        for observation, values in pattern.values.items():
            yield from ((observation, value) for value in values)


RULE = Rule("108", "unused-value", "note", __doc__, check)
