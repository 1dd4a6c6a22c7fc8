"""A state whose every combination is ruled out by `impossible`.

Its row can never be the right one. Either the state is real and a clause goes too far, which would hide it from
whoever is in it, or the state is a leftover.

## Fails

```yaml
states:
  held-back:
    title: Held back
    when: {job: ready, lease: live}
    owner: requester
    permitted:
      claim: leased
    reversal:
      none: Let it run.
```

## Mended

```yaml
states:
  held-back: null
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.decision_table import words
from failure_matrix.model import Matrix, State
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each state without a possible combination."""
    for state_id in proof.table.empty_states:
        state = proof.matrix.states[state_id]
        message = f"“impossible” rules out all of the state “{state_id}”: {_patterns(state)}"
        remedy = "Delete the state, or narrow the clauses that rule it out."
        clauses = tuple(_clauses(proof, state))
        yield RULE.problem(proof.matrix, ("states", state_id, "when"), message, remedy=remedy, related=clauses)


def _patterns(state: State) -> str:
    return "; ".join(map(words, state.when))


def _clauses(proof: Proof, state: State) -> Iterator[Related]:
    """The clauses that touch the state."""
    patterns = proof.table.patterns
    for clause in patterns.clauses_in(patterns.touching(patterns.of[state.id])):
        yield Related(_because(proof.matrix, clause), proof.matrix.locate(("impossible", str(clause), "when")))


def _because(matrix: Matrix, clause: int) -> str:
    return f"ruled out here: {matrix.impossible[clause].because}"


RULE = Rule("203", "impossible-state", "error", __doc__, check)
