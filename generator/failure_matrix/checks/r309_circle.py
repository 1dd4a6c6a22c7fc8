"""A circle of states that only failures lead out of.

Everything that is permitted goes round. What ends it has to go wrong first, and a system that needs a failure to
finish runs for ever when all goes well.

## Fails

```yaml
path: null
states:
  leased:
    permitted:
      finish: null
    forbidden:
      finish: The worker doesn't know that it is done.
failures:
  finished-by-hand:
    title: Somebody finishes the job by hand
    outcome:
      leased: {to: done, sets: {job: done, lease: none}}
    otherwise: No worker holds the job.
```

## Mended

```yaml
path: null
states:
  leased:
    permitted:
      finish: done
failures:
  finished-by-hand:
    title: Somebody finishes the job by hand
    outcome:
      leased: {to: done, sets: {job: done, lease: none}}
    otherwise: No worker holds the job.
```
"""

from collections.abc import Iterator

from failure_matrix import graph
from failure_matrix.checks.arrows import arrows_hold, named
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each circle, with the failures that lead out of it."""
    matrix = proof.matrix
    for circle in graph.circles(matrix) if arrows_hold(proof) else ():
        names = ", ".join(f"“{state}”" for state in circle.states)
        exits = tuple(
            Related(
                f"“{arrow.event.id}” leads to {named(arrow.target)}",
                matrix.locate(("failures", arrow.event.id, "outcome", arrow.source)),
            )
            for arrow in circle.exits
        )
        message = f"permitted actions lead from {names} to each other, and only failures lead out"
        remedy = "Permit an action that leads on, or mark as terminal where it may stay."
        yield RULE.problem(matrix, ("states", circle.states[0]), message, remedy=remedy, related=exits)


RULE = Rule("309", "circle", "warning", __doc__, check)
