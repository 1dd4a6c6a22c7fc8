"""A state that doesn't say how it is taken back.

Whoever finds the subject in this state asks first whether it can be undone. “Not at all” is an answer, with its
reason: `reversal: {none: …}`. No answer is a guess.

## Fails

```yaml
states:
  leased:
    reversal: null
```

## Mended

```yaml
states:
  leased:
    reversal:
      - when: The holder knows that it cannot finish.
        do: release
        until: lease_until
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each state with neither reversals nor the reason why there is none."""
    for state in proof.matrix.states.values():
        if not state.reversals and not state.irreversible:
            message = f"the state “{state.id}” doesn't say whether it can be taken back"
            remedy = "Name the action and its limits under “reversal”, or say “reversal: {none: …}” with the reason."
            yield RULE.problem(proof.matrix, ("states", state.id), message, remedy=remedy)


RULE = Rule("404", "no-reversal", "error", __doc__, check)
