"""A text says to try again, and neither how often nor how long to wait.

A statement that changed zero rows because the row was held will change zero rows a millisecond later too. Workers that
all retry at once keep the database busy with being refused, and a call that fails for good is repeated for ever. A
retry needs a pause that grows, an end, and somebody who is told when the end is reached.

This rule goes by words, which the message quotes, and can be wrong. A matrix that counts the attempts in an observation
bounds them by that, and is left alone.

## Fails

```yaml
actions:
  take-over:
    zero-rows: The lease is live, or the job no longer runs. Retry.
```

## Mended

```yaml
actions:
  take-over:
    zero-rows: >-
      The lease is live, or the job no longer runs. Retry with bounded backoff, from 1 to 30 seconds, and at most
      until the lease has lapsed twice.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.checks.wording import claimed, phrases, texts
from failure_matrix.model import Matrix
from failure_matrix.problems import Problem

RETRY = phrases(
    "retr(y|ies|ying)|tr(y|ies) (it |them )?again|keep(s)? (on )?trying|poll(s|ing)?|loops?",
)
BOUND = phrases(
    "bound(s|ed)?|back(s|ing)?[ -]?off|at most|up to|limit(s|ed)?|max(imum|imal)?|no more than",
    r"deadline|pauses?|waits?|once|twice|\w+ times|attempts?|tries|gives? up",
    r"every (\w+ )?(ms|second|minute|hour|day)s?|\d+ ?(ms|s|seconds?|minutes?|hours?)|an? (second|minute|hour|day)",
)
ATTEMPTS = phrases(
    "attempts?|retries|tries",
)


def check(proof: Proof) -> Iterator[Problem]:
    """Each text that says to retry, without a bound."""
    if _counts_attempts(proof.matrix):
        return
    for text in texts(proof.matrix):
        words = claimed(text.words, RETRY)
        if words and not BOUND.search(text.words):
            message = f"“{words}” says neither how often nor after which pause"
            remedy = "Say what grows between two attempts, when to stop, and who is told then."
            yield RULE.problem(proof.matrix, text.path, message, remedy=remedy)


def _counts_attempts(matrix: Matrix) -> bool:
    named = (f"{one.id.replace('-', ' ')} {one.title}" for one in matrix.observations.values())
    return any(ATTEMPTS.search(words) for words in named)


RULE = Rule("513", "unbounded-retry", "warning", __doc__, check)
