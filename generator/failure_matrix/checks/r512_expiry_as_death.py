"""A text takes a lapsed lease for a process that has ended.

Authority, execution and effect are three things: what the row says, what the process does, and what has been sent or
written. A lapsed lease ends the first. The process may be paused, cut off from the network or merely slow, and go on
computing, writing files and calling services. A session whose lease was taken over can still run any select. Whoever
reads "lapsed, so it is dead" deletes files that are being written and sends again what is being sent.

This rule goes by words, which the message quotes, and can be wrong.

## Fails

```yaml
states:
  lapsed:
    means: The lease has expired, so the worker is dead.
```

## Mended

```yaml
states:
  lapsed:
    means: The lease has expired, so the worker has no authority. It may still be running.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.checks.wording import NEGATION, Text, phrases, sentences, texts
from failure_matrix.problems import Problem

EXPIRY = phrases(
    "laps(e|es|ed)|expir(e|es|ed|y)|elaps(e|es|ed)|overdue|ran out|run out|lease_until",
    "missed heartbeats?|no (renewal|heartbeat)s?",
)
DEATH = phrases(
    "(worker|process|holder|owner|pod|client|session|instance|replica|consumer|runner|it|he|she|they) "
    "((is|are|was|were|has|have|had|must|will|be|been|counts? as|surely|certainly|already|then|therefore|also) )*"
    "(dead|died|dies|ended|terminated|stopped|gone|killed|crashed|exited)",
)
CAUSE = phrases(
    "when|after|once|because|since|until|while|so that",
)


def check(proof: Proof) -> Iterator[Problem]:
    """Each text that concludes from an expiry that somebody has ended."""
    for text in texts(proof.matrix):
        words = _conclusion(text)
        if words:
            message = f"“{words}” concludes from an expiry that a process has ended; it has lost its authority only"
            remedy = "Say what has been lost, and that whoever held it may still compute, write and send."
            yield RULE.problem(proof.matrix, text.path, message, remedy=remedy)


def _conclusion(text: Text) -> str:
    """The words of a sentence that speaks of an expiry and then of an end, or of an end where the title lapses."""
    for sentence in sentences(text.words):
        death = DEATH.search(sentence)
        if death is None or NEGATION.search(EXPIRY.sub("", sentence)):
            continue
        expiry = EXPIRY.search(sentence)
        follows = (
            expiry is not None and expiry.start() < death.start() and not CAUSE.match(sentence[death.end() :].strip())
        )
        if follows or (expiry is None and text.path[0] == "states" and EXPIRY.search(text.title)):
            return sentence if len(sentence) <= 80 else death.group()
    return ""


RULE = Rule("512", "expiry-as-death", "warning", __doc__, check)
