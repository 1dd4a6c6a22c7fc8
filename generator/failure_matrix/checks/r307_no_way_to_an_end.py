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
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each group of states that lead to each other and nowhere else.

    States that lead into such a group, into a dead end (305) or into a circle (309) are mended there.
    """
    matrix = proof.matrix
    lost = set(graph.without_end(matrix)) if arrows_hold(proof) else set()
    told = {*graph.dead_ends(matrix), *(state for circle in graph.circles(matrix) for state in circle.states)}
    told |= set(proof.table.empty_states)
    by = graph.permitted(matrix)
    for group in graph.components(matrix.states, by):
        is_last = all(target in group for state in group for target in by.get(state, ()))
        if is_last and lost.issuperset(group) and told.isdisjoint(group):
            remedy = "Permit an action that leads on, or mark as terminal where it may stay."
            yield RULE.problem(matrix, ("states", group[0]), _message(group), remedy=remedy)


def _message(group: tuple[str, ...]) -> str:
    if len(group) == 1:
        return f"no permitted actions lead from “{group[0]}” to an end"
    names = ", ".join(f"“{state}”" for state in group)
    return f"permitted actions lead from {names} to each other, and never to an end"


RULE = Rule("307", "no-way-to-an-end", "error", __doc__, check)
