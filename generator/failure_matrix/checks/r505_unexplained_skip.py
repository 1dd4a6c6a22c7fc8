"""A statement skips locked rows, and nobody is told that an empty result is no empty queue.

`skip locked` leaves out rows that another session holds at this instant. Zero rows therefore mean that nothing could
be locked just now; the rows may exist, be ready, and become free the moment the other session rolls back. PostgreSQL's
documentation says that skipping "provides an inconsistent view of the data" (SELECT, "The Locking Clause"). A worker
that takes the empty result for the end of the work stops while work waits. So `zero-rows` says what the result means:
count the rows without locking them, look at the age of the oldest, and ask again after a bounded pause.

That a text takes an empty result for an empty queue is told by its words, which the message quotes.

## Fails

```yaml
actions:
  claim:
    zero-rows: The queue is empty. Stop.
```

## Mended

```yaml
actions:
  claim:
    zero-rows: >-
      Every ready row is held by another session at this instant, or there is none. Count the ready rows to tell
      the two apart, and ask again after a pause of at most 30 seconds.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.checks.wording import phrases
from failure_matrix.model import Action
from failure_matrix.problems import Problem

EMPTY = phrases(
    "(queue|table|outbox|backlog) (is|was|must be) (empty|drained|done|finished)",
    "empty (queue|table|outbox|backlog)",
    "nothing (is |was )?(left|to do|to claim|to publish|to send|waits|waiting)",
    "no (more )?(work|jobs?|rows?|messages?)( (is|are))?( (left|waits?|waiting|ready|remains?|to do))?",
    "all (work )?(is )?(done|finished|sent|published)",
)
LOCKED = phrases(
    "locks?|locked|holds?|held|busy|skip(s|ped)?|another|others?|instant",
)


def check(proof: Proof) -> Iterator[Problem]:
    """Each action whose statement skips locked rows and whose empty result is not explained."""
    for action in proof.matrix.actions.values():
        if action.id in proof.statements and proof.statements[action.id].skips_locked:
            yield from _unexplained(proof, action)


def _unexplained(proof: Proof, action: Action) -> Iterator[Problem]:
    remedy = "Say that rows may be held by others at this instant, how to count them, and when to ask again."
    if not action.zero_rows:
        message = "`skip locked` can come back empty while rows are ready, and no `zero-rows` says so"
        yield RULE.problem(proof.matrix, ("actions", action.id), message, remedy=f"Add `zero-rows`. {remedy}")
    elif (words := EMPTY.search(action.zero_rows)) and not LOCKED.search(action.zero_rows):
        message = f"“{words.group()}” takes an empty result of `skip locked` for an empty queue"
        yield RULE.problem(proof.matrix, ("actions", action.id, "zero-rows"), message, remedy=remedy)


RULE = Rule("505", "unexplained-skip", "error", __doc__, check)
