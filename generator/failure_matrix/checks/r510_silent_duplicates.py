"""An action does something outside the database, and nothing says what happens when it does it twice.

No transaction takes back a message, a push or a file. A worker that dies after sending and before recording leaves a
row that looks unsent, and the next one sends again: a relay that loses its backend after 40 of 100 rows delivers 140,
and a drain that leases 50 and dies after 12 sends 12 twice. That is the price of losing nothing, and it is sound as
long as somebody downstream can tell a repetition. So `duplicates` says who can: a consumer that drops a known id, a
store in which the same name is replaced, a collapse key, or a human who accepts the second message.

## Fails

```yaml
actions:
  finish:
    outside: Sends the result to the customer.
```

## Mended

```yaml
actions:
  finish:
    outside: Sends the result to the customer.
    duplicates: The customer drops a second message with the same job and generation.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import has_outside_effect, is_permitted
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.checks.wording import phrases
from failure_matrix.problems import Problem

REPETITION = phrases(
    r"duplicat\w*|twice|again|repeat\w*|repetition\w*|idempoten\w*|dedup\w*|de-dup\w*",
    r"once|second (time|copy|message|call)|collapse\w*|overwrit\w*|replac\w*|same (name|key|id)",
)


def check(proof: Proof) -> Iterator[Problem]:
    """Each action with an outside effect and without a word about its repetition."""
    for action in proof.matrix.actions.values():
        is_told = action.duplicates or REPETITION.search(action.outside)
        if not is_told and is_permitted(proof.matrix, action) and has_outside_effect(proof.matrix, action):
            message = f"“{action.title}” acts outside the database, and nothing says what a second time does"
            remedy = "Add `duplicates`: who notices a repetition and by what, or who accepts it."
            yield RULE.problem(proof.matrix, ("actions", action.id), message, remedy=remedy)


RULE = Rule("510", "silent-duplicates", "warning", __doc__, check)
