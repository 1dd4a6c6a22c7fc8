"""An observation that no state uses.

Whoever is on call answers the question, and the answer tells no state from another. Either a state's `when` forgot
it, or it needn't be asked.

## Fails

```yaml
observations:
  region:
    title: Region
    question: Which region does the worker run in?
    source: jobs-db
    sql: select region from job where id = %(job)s
    values:
      north: The northern one.
```

## Mended

```yaml
observations:
  region: null
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each observation that stands in no state's `when`."""
    matrix = proof.matrix
    for observation in matrix.observations.values():
        if not any(matrix.states_using(observation.id)):
            message = f"no state's “when” asks for the observation “{observation.id}”"
            remedy = "Name it in the “when” of the states that it tells apart, or delete it."
            yield RULE.problem(matrix, ("observations", observation.id), message, remedy=remedy)


RULE = Rule("107", "unused-observation", "note", __doc__, check)
