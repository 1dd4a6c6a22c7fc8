"""A reversal that doesn't say under which condition, or until when, it works.

“Release it” is half an answer. Most steps can be taken back for a while only: until a worker claims the job, until a
file is deleted. Whoever comes later does harm with the same action.

## Fails

```yaml
states:
  leased:
    reversal:
      - when: The holder knows that it cannot finish.
        do: release
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
    """Each reversal that lacks one or both."""
    for state in proof.matrix.states.values():
        for place, reversal in enumerate(state.reversals):
            missing = [
                *(["condition"] if not reversal.when else []),
                *(["limit in time"] if not reversal.until else []),
            ]
            if missing:
                message = f"the reversal of “{state.id}” by “{reversal.do.id}” has no {' and no '.join(missing)}"
                remedy = "Say on which condition (“when: …”) and until when (“until: …”) it works."
                yield RULE.problem(proof.matrix, ("states", state.id, "reversal", str(place)), message, remedy=remedy)


RULE = Rule("411", "open-reversal", "warning", __doc__, check)
