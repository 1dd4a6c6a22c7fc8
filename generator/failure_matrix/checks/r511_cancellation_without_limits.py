"""A cancellation doesn't say what may already have happened.

A cancellation changes a row. It stops no process, calls back no message and deletes no file: a worker that holds the
job goes on until its next conditional write is refused, and what it sent before stays sent. Whoever cancels, and
whoever reads afterwards that something is cancelled, has to know what the cancellation prevents and what it doesn't.
So an action that cancels has `outside`.

An action counts as a cancellation when its id, its title or the value that it sets says so.

## Fails

```yaml
states:
  ready:
    permitted:
      cancel: done
actions:
  cancel:
    title: Cancel
    by: requester
    requires: {job: ready}
    sets: {job: done}
    run: update job set state = 'done' where id = %(job)s and state = 'ready'
    unfenced: A cancellation ends every generation.
    zero-rows: A worker has claimed it in the meantime, or it is done. Read the row.
```

## Mended

```yaml
states:
  ready:
    permitted:
      cancel: done
actions:
  cancel:
    title: Cancel
    by: requester
    requires: {job: ready}
    sets: {job: done}
    run: update job set state = 'done' where id = %(job)s and state = 'ready'
    unfenced: A cancellation ends every generation.
    zero-rows: A worker has claimed it in the meantime, or it is done. Read the row.
    outside: No worker is stopped. One of an earlier generation may still run, and what it has sent stays sent.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import is_permitted
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.checks.wording import phrases
from failure_matrix.model import Action
from failure_matrix.problems import Problem

CANCEL = phrases(
    "cancels?|cancell?ed|cancelling|cancellation|abort(ed|s)?|withdraw(n|s)?",
)


def check(proof: Proof) -> Iterator[Problem]:
    """Each permitted cancellation without a word about the outside."""
    for action in proof.matrix.actions.values():
        if not action.outside and _cancels(action) and is_permitted(proof.matrix, action):
            message = f"“{action.title}” cancels, and nothing says what may already have happened and stays so"
            remedy = "Add `outside`: what is not stopped, and what has been sent or written by then."
            yield RULE.problem(proof.matrix, ("actions", action.id), message, remedy=remedy)


def _cancels(action: Action) -> bool:
    results = (value for change in action.sets.values() for value in change.to)
    words = " ".join((action.id, action.title, *results)).replace("-", " ").replace("_", " ")
    return bool(action.run or action.sets) and CANCEL.search(words) is not None


RULE = Rule("511", "cancellation-without-limits", "error", __doc__, check)
