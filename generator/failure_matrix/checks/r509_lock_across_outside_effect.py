"""A lock is held while something outside the database happens, and nothing bounds how long.

A call to a broker, a store or a push service takes as long as the other side likes. A transaction that stays open for
it holds its row locks, its connection and the horizon of `vacuum` all that time: other workers wait or pass the rows
by, and when the service is slow, the pool runs dry. Where the effect is quick and may be repeated, holding the lock is
the right form, and it makes the claim exclusive. But then somebody has to say what bounds it: a timeout of the call,
the size of the batch, `transaction_timeout`. Where the effect takes seconds, the lock has to end where the network
call begins, and a lease takes its place.

## Fails

```yaml
actions:
  finish:
    run: |
      begin;
      select id from job where id = %(job)s and epoch = %(generation)s for update;
      update job set state = 'done', lease_until = null
      where id = %(job)s and state = 'running' and epoch = %(generation)s and lease_until > clock_timestamp();
      commit
    outside: Sends the result to the customer before it commits.
    duplicates: The customer drops a second message with the same job and generation.
```

## Mended

```yaml
actions:
  finish:
    run: |
      begin;
      select id from job where id = %(job)s and epoch = %(generation)s for update;
      update job set state = 'done', lease_until = null
      where id = %(job)s and state = 'running' and epoch = %(generation)s and lease_until > clock_timestamp();
      commit
    outside: Sends the result to the customer before it commits. The call times out after 5 seconds.
    duplicates: The customer drops a second message with the same job and generation.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import has_outside_effect, held_open
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.checks.wording import phrases
from failure_matrix.model import Action
from failure_matrix.problems import Problem, Related
from failure_matrix.sql import Transaction

BOUND = phrases(
    "at most|bound(s|ed)?|limit(s|ed)?|no longer than|no more than|up to|max(imum|imal)?|deadline",
    r"time(s|d)?[ -]?out|\w+_timeout|\d+ ?(ms|milliseconds?|s|seconds?|minutes?)",
)


def check(proof: Proof) -> Iterator[Problem]:
    """Each action whose outside effect happens under a lock, its own or one that an earlier action left behind."""
    told = set[str]()
    for opener, transaction, action in (*_own(proof), *held_open(proof)):
        holds = bool(transaction.locks or transaction.writes)
        if holds and action.id not in told and has_outside_effect(proof.matrix, action):
            told.add(action.id)
            if not _is_bounded(transaction, opener, action):
                yield _problem(proof, opener, action)


def _own(proof: Proof) -> Iterator[tuple[Action, Transaction, Action]]:
    for action in proof.matrix.actions.values():
        for transaction in proof.statements[action.id].transactions if action.id in proof.statements else ():
            if transaction.explicit:
                yield action, transaction, action


def _is_bounded(transaction: Transaction, *actions: Action) -> bool:
    in_words = any(BOUND.search(f"{action.outside} {action.duplicates}") for action in actions)
    return in_words or any(statement.limits for statement in transaction.statements)


def _problem(proof: Proof, opener: Action, action: Action) -> Problem:
    holder = "its own transaction" if opener == action else f"“{opener.title}”"
    message = f"“{action.title}” acts outside while {holder} holds locks, and nothing bounds how long"
    remedy = "Say what bounds it (a timeout, the size of a batch), or end the transaction first and claim by a lease."
    related = (Related("the locks are taken here", proof.matrix.locate(("actions", opener.id, "run"))),)
    return RULE.problem(proof.matrix, ("actions", action.id, "outside"), message, remedy=remedy, related=related)


RULE = Rule("509", "lock-across-outside-effect", "warning", __doc__, check)
