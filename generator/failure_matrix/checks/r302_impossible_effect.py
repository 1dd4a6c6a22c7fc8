"""An action or a failure leads to a combination that `impossible` rules out.

Either the event does something else than `sets` says, or the combination can be observed after all, and then it is
in no state. Both have been the start of a long night.

## Fails

```yaml
actions:
  finish:
    sets: {job: done, lease: live}
```

## Mended

```yaml
actions:
  finish:
    sets: {job: done, lease: none}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.arrows import change, in_empty_state, place
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.decision_table import words
from failure_matrix.effects import Cell
from failure_matrix.landing import Landing
from failure_matrix.model import OUTSIDE, Path
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each landing in what is ruled out, once for an action and a clause.

    A landing in a state that is wholly ruled out is told by 203.
    """
    told: set[tuple[Path, tuple[int, ...]]] = set()
    for cell in proof.effects.cells():
        for landing in cell.ruled_out():
            clauses = proof.table.clauses_against(landing.after)
            if (_event(cell), clauses) not in told and not in_empty_state(proof, landing):
                told.add((_event(cell), clauses))
                yield _problem(proof, cell, landing, clauses)


def _problem(proof: Proof, cell: Cell, landing: Landing, clauses: tuple[int, ...]) -> Problem:
    matrix = proof.matrix
    start = "" if cell.state == OUTSIDE else f"from “{cell.state}” "
    message = (
        f"{start}“{cell.event.id}” leads to {words(landing.after)} ({change(landing)}), which “impossible” rules out"
    )
    related = tuple(
        Related(f"ruled out here: {matrix.impossible[clause].because}", matrix.locate(("impossible", str(clause))))
        for clause in clauses
    )
    remedy = "Mend what the event requires or sets, or take the combination out of “impossible” and give it a state."
    return RULE.problem(matrix, _event(cell), message, remedy=remedy, related=related)


def _event(cell: Cell) -> Path:
    """Where it is said what the event changes."""
    return place(cell) if cell.kind == "failure" else ("actions", cell.event.id)


RULE = Rule("302", "impossible-effect", "error", __doc__, check)
