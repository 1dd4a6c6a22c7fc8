"""States from which no permitted actions lead to an end.

An end is a terminal state, the last state of `path`, or the outside. Whoever is in one of these states can do what
is permitted for ever, and the subject is never settled. That it may get out by a failure is no plan.

## Fails

```yaml
states:
  lapsed:
    permitted:
      take-over: null
      release: null
    forbidden:
      take-over: Ask first.
      release: Ask first.
failures:
  clock-set-back:
    title: The database's clock is set back
    outcome:
      lapsed: {to: leased, sets: {lease: live}}
    otherwise: No lease has lapsed.
```

## Mended

```yaml
states:
  lapsed:
    permitted:
      take-over: leased
      release: ready
failures:
  clock-set-back:
    title: The database's clock is set back
    outcome:
      lapsed: {to: leased, sets: {lease: live}}
    otherwise: No lease has lapsed.
```
"""

from collections.abc import Iterator

from failure_matrix import graph
from failure_matrix.checks.arrows import arrows_hold
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Matrix
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """The states without an end, one of those that lead to each other. Dead ends are rule 305, circles rule 309."""
    matrix = proof.matrix
    told = {circle.states[0] for circle in graph.circles(matrix)}
    for state in graph.without_end(matrix) if arrows_hold(proof) else ():
        if state not in told:
            message = f"no permitted actions lead from “{state}” to an end{_others(matrix, state)}"
            remedy = "Permit an action that leads on, or mark as terminal where it may stay."
            yield RULE.problem(matrix, ("states", state), message, remedy=remedy)


def _others(matrix: Matrix, state: str) -> str:
    """The states that it goes round with, in words."""
    others = graph.reached([state], graph.permitted(matrix)) - {state}
    names = ", ".join(f"“{other}”" for other in matrix.states if other in others)
    return f"; they go round by way of {names}" if names else ""


RULE = Rule("307", "no-way-to-an-end", "error", __doc__, check)
