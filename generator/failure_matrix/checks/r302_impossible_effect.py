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

from failure_matrix.checks.arrows import MANY, change, judged, place
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.decision_table import words
from failure_matrix.effects import Cell
from failure_matrix.landing import Landing
from failure_matrix.model import OUTSIDE, Matrix, Path
from failure_matrix.problems import Problem, Related

Fall = tuple[Cell, Landing]
"""An event in a state, and where it leads that is ruled out."""


def check(proof: Proof) -> Iterator[Problem]:
    """Each event that leads to what a clause rules out; a clause that many events run into is told once, there."""
    falls: dict[tuple[int, ...], dict[Path, Fall]] = {}
    for cell in judged(proof).cells():
        for landing in cell.ruled_out():
            clauses = proof.table.clauses_against(landing.after)
            falls.setdefault(clauses, {}).setdefault(_event(cell), (cell, landing))
    for clauses, by_event in falls.items():
        if len(by_event) >= MANY and len(clauses) == 1:
            yield _at_clause(proof.matrix, clauses[0], by_event)
        else:
            yield from (_at_event(proof.matrix, clauses, path, *fall) for path, fall in by_event.items())


def _at_event(matrix: Matrix, clauses: tuple[int, ...], path: Path, cell: Cell, landing: Landing) -> Problem:
    related = tuple(
        Related(f"ruled out here: {matrix.impossible[clause].because}", matrix.locate(("impossible", str(clause))))
        for clause in clauses
    )
    message = f"{_leads(cell, landing)}, which “impossible” rules out"
    remedy = "Mend what the event requires or sets, or take the combination out of “impossible” and give it a state."
    return RULE.problem(matrix, path, message, remedy=remedy, related=related)


def _at_clause(matrix: Matrix, clause: int, by_event: dict[Path, Fall]) -> Problem:
    events = ", ".join(f"“{cell.event.id}”" for cell, _ in by_event.values())
    example = _leads(*next(iter(by_event.values())))
    message = f"the clause “{matrix.impossible[clause].because}” rules out what {events} lead to: {example}"
    related = tuple(Related(_leads(*fall), matrix.locate(path)) for path, fall in by_event.items())
    remedy = "Narrow the clause, or mend what these events require or set."
    return RULE.problem(matrix, ("impossible", str(clause), "when"), message, remedy=remedy, related=related)


def _leads(cell: Cell, landing: Landing) -> str:
    """What an event leads to, in words."""
    start = "" if cell.state == OUTSIDE else f"from “{cell.state}” "
    return f"{start}“{cell.event.id}” leads to {words(landing.after)} ({change(landing)})"


def _event(cell: Cell) -> Path:
    """Where it is said what the event changes."""
    return place(cell) if cell.kind == "failure" else ("actions", cell.event.id)


RULE = Rule("302", "impossible-effect", "error", __doc__, check)
