"""Two things of a kind have the same title.

Pages, diagrams and tables name a state, an action or an observation by its title. Two alike can't be told apart in a
search result or over the telephone.

## Fails

```yaml
states:
  lapsed:
    title: Valid lease
```

## Mended

```yaml
states:
  lapsed:
    title: Lapsed lease
```
"""

from collections.abc import Iterator, Mapping
from typing import Protocol

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Matrix
from failure_matrix.problems import Problem, Related


class Titled(Protocol):
    """Something with an id and a title."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def title(self) -> str:
        """Its title."""


def check(proof: Proof) -> Iterator[Problem]:
    """Each title that another one of its kind has already, whatever the capitals and spaces."""
    matrix = proof.matrix
    kinds: Mapping[str, Mapping[str, Titled]] = {
        "observations": matrix.observations,
        "states": matrix.states,
        "actions": matrix.actions,
        "failures": matrix.failures,
        "exercises": matrix.exercises,
    }
    for kind, things in kinds.items():
        yield from _alike(matrix, kind, things)


def _alike(matrix: Matrix, kind: str, things: Mapping[str, Titled]) -> Iterator[Problem]:
    first: dict[str, Titled] = {}
    for thing in things.values():
        known = first.setdefault(" ".join(thing.title.casefold().split()), thing)
        if known is not thing:
            there = Related("the other one", matrix.locate((kind, known.id, "title")))
            message = f"“{thing.id}” and “{known.id}” have the same title, “{thing.title}”"
            remedy = "Give one of them a title that says what sets it apart."
            yield RULE.problem(matrix, (kind, thing.id, "title"), message, remedy=remedy, related=(there,))


RULE = Rule("106", "same-title", "warning", __doc__, check)
