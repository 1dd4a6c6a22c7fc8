"""The `path` breaks off, or ends in a state where nothing is complete.

`path` is the way it goes when nothing goes wrong, and everything else is drawn around it. Each of its actions has to
be permitted in the state that the one before it leads to. It has to end in a terminal state, or in one whose owner
is the one who says that it is complete (`completion`); else the way is told only half.

## Fails

```yaml
path: [request, claim, take-over]
```

## Mended

```yaml
path: [request, claim, finish]
```
"""

from collections.abc import Iterator

from failure_matrix.checks.arrows import arrows_hold
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Matrix
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """The first step that isn't permitted, or else an end where nothing is complete.

    An action that no state decides about is told by 104, and an end without an owner by 401.
    """
    matrix = proof.matrix
    if matrix.start is None or not matrix.spine or not arrows_hold(proof):
        return
    if not all(any(state.decides(action.id) for state in matrix.states.values()) for action in matrix.spine[1:]):
        return
    broken = _broken(matrix)
    if broken is not None:
        place, message = broken
        remedy = "Name the actions in the order in which they are taken, each permitted where it is taken."
        yield RULE.problem(matrix, ("path", str(place)), message, remedy=remedy)
    elif not _is_complete(matrix):
        last = matrix.spine_states()[-1]
        message = f"the path ends in “{last}”, which is neither terminal nor owned by who says that it is complete"
        remedy = "Go on until it is complete, mark the state as terminal, or mend the owner of “completion”."
        yield RULE.problem(matrix, ("path",), message, remedy=remedy)


def _broken(matrix: Matrix) -> tuple[int, str] | None:
    """The place of the first action that can't be taken, and why."""
    start, *others = matrix.spine
    if matrix.start is not None and start.id != matrix.start.action.id:
        return 0, f"the path begins with “{start.id}”, and the action of “start” is “{matrix.start.action.id}”"
    way = [matrix.start.state] if matrix.start else []
    for place, action in enumerate(others, 1):
        cell = matrix.states[way[-1]].permission(action.id) if way[-1] in matrix.states else None
        if cell is None:
            return place, f"the path breaks off: “{action.id}” is not permitted in “{way[-1]}”"
        way += [target for target in cell.targets if target not in way][:1]
    return None


def _is_complete(matrix: Matrix) -> bool:
    """Whether the path's last state is an end by what the matrix says of completion; true where it says nothing."""
    last = matrix.states.get(matrix.spine_states()[-1])
    if last is None or last.owner is None or matrix.completion is None or matrix.completion.owner is None:
        return True
    return last.terminal or last.owner.id == matrix.completion.owner.id


RULE = Rule("310", "broken-path", "error", __doc__, check)
