"""The evidence has been run, and nothing in it shows what an action does in a state.

The matrix says where the action leads there, or that it is forbidden, and its statement could be run. But the walk
never got there, and no scenario does it either. So this cell is what somebody believes, amid others that were seen.

An action without a statement, and a failure, may be beyond any database: their cells are marked on the pages and not
reported. A matrix of which nothing has been recorded is not reported at all; its overview says so.

## Fails

The record has nothing of `renew` in `leased`.

```yaml
# matrix/evidence/example.json
walk:
  cells:
    leased: {renew: null}
```

## Mended

Walk further, or write a scenario that does it there, and run `failure-matrix verify`.

```yaml
# matrix/evidence/example.json
walk:
  cells:
    leased: {renew: {tried: 4, held: 4, unchanged: 0, targets: [leased]}}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import listed
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each state with the actions that nothing has shown there; and where the walk or the constraints fell short."""
    yield from proof.told("601")
    if proof.evidence is None or not proof.evidence.walk_is_fresh:
        return
    cells = proof.evidence.cells()
    for state in proof.matrix.states.values():
        unshown = [
            f"`{action.id}`"
            for action in proof.matrix.actions.values()
            if action.run and state.decides(action.id) and cells[state.id, action.id].status == "not shown"
        ]
        if unshown:
            message = f"nothing has shown what {listed(unshown)} does in “{state.title}”"
            remedy = "Write a scenario that does it there, or walk further; then run `failure-matrix verify`."
            yield RULE.problem(proof.matrix, ("states", state.id), message, remedy=remedy)


RULE = Rule("601", "unshown-cell", "warning", __doc__, check)
