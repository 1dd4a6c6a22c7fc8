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

from failure_matrix.boxes import ones
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.decision_table import words
from failure_matrix.model import Matrix
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each state without a possible combination; those that one clause rules out are told once, at the clause."""
    by_clause: dict[int | None, list[str]] = {}
    for state in proof.table.empty_states:
        by_clause.setdefault(_clause_that_rules_out(proof, state), []).append(state)
    for clause, states in by_clause.items():
        if clause is None or len(states) == 1:
            yield from (_at_state(proof, state) for state in states)
        else:
            yield _at_clause(proof.matrix, clause, states)


def _clause_that_rules_out(proof: Proof, state: str) -> int | None:
    """The first clause that alone rules out all of a state, pattern within pattern, if there is one."""
    patterns = proof.table.patterns
    boxes = patterns.index.boxes
    for clause in patterns.clauses_in(patterns.touching(patterns.of[state])):
        wide = [boxes[place] for place in ones(patterns.of[clause])]
        if all(any(box & boxes[place] == boxes[place] for box in wide) for place in ones(patterns.of[state])):
            return clause
    return None


def _at_state(proof: Proof, state: str) -> Problem:
    matrix, patterns = proof.matrix, proof.table.patterns
    message = f"“impossible” rules out all of the state “{state}”: {'; '.join(map(words, matrix.states[state].when))}"
    clauses = tuple(
        Related(
            f"ruled out here: {matrix.impossible[clause].because}", matrix.locate(("impossible", str(clause), "when"))
        )
        for clause in patterns.clauses_in(patterns.touching(patterns.of[state]))
    )
    remedy = "Delete the state, or narrow the clauses that rule it out."
    return RULE.problem(matrix, ("states", state, "when"), message, remedy=remedy, related=clauses)


def _at_clause(matrix: Matrix, clause: int, states: list[str]) -> Problem:
    names = ", ".join(f"“{state}”" for state in states)
    message = f"the clause “{matrix.impossible[clause].because}” rules out all of the states {names}"
    whole = tuple(Related(f"all of “{state}”", matrix.locate(("states", state, "when"))) for state in states)
    remedy = "Narrow the clause, or delete the states."
    return RULE.problem(matrix, ("impossible", str(clause), "when"), message, remedy=remedy, related=whole)


RULE = Rule("203", "impossible-state", "error", __doc__, check)
