"""An action that could change a state, and of which the state says nothing.

By what it `requires` it can be taken there, and by what it `sets` it leads elsewhere. So somebody will take it, and
the page neither permits nor forbids it. What the author thought of it is lost.

## Fails

```yaml
states:
  lapsed:
    permitted:
      release: null
```

## Mended

```yaml
states:
  lapsed:
    permitted:
      release: ready
```
"""

from collections.abc import Iterator

from failure_matrix.checks.arrows import MANY, change, judged, named
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.effects import Cell, Effects
from failure_matrix.model import Matrix
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each state that leaves actions out which could change it; each action that many states leave out."""
    by_action: dict[str, list[Cell]] = {}
    for cell in _undecided(proof.matrix, judged(proof)):
        by_action.setdefault(cell.event.id, []).append(cell)
    by_state: dict[str, list[Cell]] = {}
    for cells in by_action.values():
        if len(cells) >= MANY:
            yield _at_action(proof.matrix, cells)
        else:
            for cell in cells:
                by_state.setdefault(cell.state, []).append(cell)
    for state, cells in by_state.items():
        yield _at_state(proof.matrix, state, cells)


def _undecided(matrix: Matrix, effects: Effects) -> Iterator[Cell]:
    """The undecided cells, without those of actions that no state places (104), or that do what they can't (302)."""
    placed = {cell.event.id for cell in effects.cells() if cell.kind in ("permitted", "forbidden", "start")}
    placed |= {matrix.start.action.id} if matrix.start else set()
    impossible = {cell.event.id for cell in effects.cells() if cell.ruled_out()}
    for cell in effects.undecided():
        leads_nowhere = all(landing.target is None for landing in cell.changes())
        if cell.event.id in placed and not (leads_nowhere and cell.event.id in impossible):
            yield cell


def _at_state(matrix: Matrix, state: str, cells: list[Cell]) -> Problem:
    message = f"“{state}” neither permits nor forbids {', nor '.join(map(_named, cells))}"
    there = tuple(
        Related(f"what “{cell.event.id}” requires and sets", matrix.locate(("actions", cell.event.id)))
        for cell in cells
    )
    remedy = "Permit it there with its target, forbid it with the reason, or narrow what it requires."
    return RULE.problem(matrix, ("states", state), message, remedy=remedy, related=there)


def _at_action(matrix: Matrix, cells: list[Cell]) -> Problem:
    states = ", ".join(f"“{cell.state}”" for cell in cells)
    message = f"neither permitted nor forbidden in {states}: {_named(cells[0])}, from “{cells[0].state}”"
    remedy = "Narrow what it requires, or permit or forbid it in each of these states."
    return RULE.problem(matrix, ("actions", cells[0].event.id), message, remedy=remedy)


def _named(cell: Cell) -> str:
    """An action and what it would change."""
    landing = cell.changes()[0]
    target = "an impossible combination" if landing.target is None else named(landing.target)
    return f"“{cell.event.id}”, which leads to {target} ({change(landing)})"


RULE = Rule("406", "undecided-action", "error", __doc__, check)
