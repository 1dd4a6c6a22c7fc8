"""A reversal by an action that the state doesn't permit.

The page says in one place how the step is taken back, and in another that one must not, or says nothing.

## Fails

```yaml
states:
  ready:
    reversal:
      - when: Nobody needs it any more.
        do: release
        until: a worker claims it
```

## Mended

```yaml
states:
  ready:
    reversal:
      none: A request cannot be withdrawn. Let it run.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.arrows import judged
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import State
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each reversal whose action isn't permitted where it is needed. One that is left out there is told by 406."""
    matrix = proof.matrix
    undecided = {(cell.state, cell.event.id) for cell in judged(proof).undecided()}
    for state in matrix.states.values():
        for place, reversal in enumerate(state.reversals):
            if state.permission(reversal.do.id) is None and (state.id, reversal.do.id) not in undecided:
                forbidden = ("states", state.id, "forbidden", reversal.do.id)
                is_forbidden = state.prohibition(reversal.do.id) is not None
                yield RULE.problem(
                    matrix,
                    ("states", state.id, "reversal", str(place), "do"),
                    _message(state, reversal.do.id),
                    remedy="Permit the action there, or name one that is permitted.",
                    related=(Related("forbidden here", matrix.locate(forbidden)),) if is_forbidden else (),
                )


def _message(state: State, action: str) -> str:
    permitted = ", ".join(f"“{cell.action.id}”" for cell in state.permitted) or "nothing"
    return f"“{state.id}” is to be taken back by “{action}”, which it does not permit; it permits {permitted}"


RULE = Rule("405", "reversal-not-permitted", "error", __doc__, check)
