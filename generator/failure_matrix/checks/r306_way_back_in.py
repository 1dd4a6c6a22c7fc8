"""A terminal state from which an action puts the subject back to work.

“Terminal” tells the reader that nothing more will happen. An action that leads back to the path, or to a state from
which no permitted action leads to an end again, makes that untrue. An action that leads aside and back, such as
putting a file beside a cancelled job that can be discarded again, does not.

## Fails

```yaml
states:
  done:
    permitted:
      reopen: ready
actions:
  reopen:
    title: Issue a new generation
    by: requester
    requires: {job: done}
    sets: {job: ready}
```

## Mended

```yaml
states:
  done:
    terminal: false
    permitted:
      reopen: ready
actions:
  reopen:
    title: Issue a new generation
    by: requester
    requires: {job: done}
    sets: {job: ready}
```
"""

from collections.abc import Iterator

from failure_matrix import graph
from failure_matrix.checks.arrows import arrows_hold, named
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each action that leads back to the path. Where there is no end any more, 305, 307 or 309 says so."""
    matrix = proof.matrix
    ways = graph.ways_out_of_terminal(matrix) if arrows_hold(proof) else ()
    path_states = matrix.spine_states()
    for arrow in (way for way in ways if way.target in path_states):
        path = ("states", arrow.source, "permitted", arrow.event.id)
        there = Related("marked as terminal here", matrix.locate(("states", arrow.source, "terminal")))
        message = f"“{arrow.source}” is terminal, and “{arrow.event.id}” leads from it to {named(arrow.target)}"
        remedy = "Forbid the action there, or don't mark the state as terminal."
        yield RULE.problem(matrix, path, message, remedy=remedy, related=(there,))


RULE = Rule("306", "way-back-in", "error", __doc__, check)
