"""A statement changes the authority's table without comparing the generation, and nothing says why.

A worker whose lease has lapsed may still be alive. It wakes, finishes, and writes over what the worker that rightly
took over has recorded. Time can't prevent that, since nobody can tell by the clock whether the former holder is dead.
What can is a number that grows with each claim, which every write carries and the database compares while it changes
the row: the stale write then changes zero rows.

How strong a guard is: the *id alone* lets anybody through; the *state* lets a stale worker through as soon as the new
holder is in the same state; the *holder's name* lets it through when the name is used again, as `pod-0` is after each
restart; only the *generation* turns it away. Statements of operators and of maintenance need the guard as much as
workers' statements do. Where one is meant to act on every generation (a claim issues a new one, a cancellation ends
them all), `unfenced` says so.

A condition in a subselect that doesn't lock its rows is no guard. After waiting for a row, PostgreSQL checks the
statement's own conditions again, and not those of a subselect (PostgreSQL documentation, "Read Committed Isolation
Level").

## Fails

```yaml
actions:
  finish:
    run: |
      update job set state = 'done', lease_until = null
      where id = %(job)s and state = 'running' and owner = %(worker)s and lease_until > clock_timestamp()
```

## Mended

```yaml
actions:
  finish:
    run: |
      update job set state = 'done', lease_until = null
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until > clock_timestamp()
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import checked_before, listed, unguarded
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Action, Authority
from failure_matrix.problems import Problem, Related
from failure_matrix.sql import Strength, Write

REMEDIES = {
    Strength.NONE: "It changes every row.",
    Strength.ID: "Whoever knows the id gets through.",
    Strength.STATE: "A stale worker gets through whenever the new holder is in the same state.",
    Strength.HOLDER: "A name is no identity: a stale worker gets through when its name is used again.",
}


def check(proof: Proof) -> Iterator[Problem]:
    """Each such statement, and those that can't be read, which may be such."""
    authority = proof.matrix.authority
    if authority is None:
        return
    for action, write in unguarded(proof):
        if checked_before(proof, action) is None:
            yield _problem(proof, authority, action, write)
    yield from _unread(proof, authority)


def _problem(proof: Proof, authority: Authority, action: Action, write: Write) -> Problem:
    words = [f"`{authority.holder}`" if role == "holder" else f"the {role}" for role in write.roles]
    compared = f"comparing {listed(words)} alone" if words else "any condition"
    without = f"and not the generation `{authority.generation}`"
    if _stands_aside(proof, action):
        without = f"since `{authority.generation}` is compared where a changed row needn't have passed"
    message = f"the {write.kind} changes `{write.table}` {'by' if words else 'without'} {compared}, {without}"
    remedy = (
        f"{REMEDIES[write.strength]} Add `{authority.generation} = %(generation)s` to its `where`,"
        " or say under `unfenced` why every generation is meant."
    )
    related = (Related("the column of the generation", proof.matrix.locate(("authority", "generation"))),)
    return RULE.problem(proof.matrix, ("actions", action.id, "run"), message, remedy=remedy, related=related)


def _stands_aside(proof: Proof, action: Action) -> bool:
    """Whether the generation is compared somewhere: in an `or`, or in a subselect that locks nothing."""
    checks = (one for statement in proof.statements[action.id].statements for one in statement.checks)
    return any(one.role == "generation" for one in checks)


def _unread(proof: Proof, authority: Authority) -> Iterator[Problem]:
    for action in proof.matrix.actions.values():
        problem = proof.statements[action.id].problem if action.id in proof.statements else None
        if problem is not None and not action.unfenced:
            message = (
                f"what this compares isn't known, since it can't be read at its line {problem.line},"
                f" column {problem.column}: {problem.message}"
            )
            remedy = f"Mend the SQL, or say under `unfenced` why it may change `{authority.table}` unread."
            yield RULE.problem(proof.matrix, ("actions", action.id, "run"), message, remedy=remedy)


RULE = Rule("503", "unfenced-statement", "error", __doc__, check)
