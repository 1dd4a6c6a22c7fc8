"""A row is checked in one statement and changed without the check in another.

Between two statements anything can happen. A worker reads that it is still the owner, is paused, and is taken over;
its update by the id alone then changes one row, which looks like success, and the record holds the new generation
together with the old one's result. A check protects only in the `where` of the very statement that changes the row,
or under a lock that both statements hold: `begin; select … for update; update …; commit`.

The same is said by a `requires` that speaks of the row's columns where the statement compares nothing but the id.

## Fails

```yaml
actions:
  finish:
    run: |
      select id from job
      where id = %(job)s and state = 'running' and epoch = %(generation)s and lease_until > clock_timestamp();
      update job set state = 'done', lease_until = null where id = %(job)s
```

## Mended

```yaml
actions:
  finish:
    run: |
      update job set state = 'done', lease_until = null
      where id = %(job)s and state = 'running' and epoch = %(generation)s and lease_until > clock_timestamp()
```
"""

from collections.abc import Iterator

from failure_matrix import sql
from failure_matrix.checks.mechanism import checked_before, held_open, listed, unguarded
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Action
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each action that checks before it writes, by an earlier statement or by its `requires` alone."""
    unfenced = {action.id for action, _ in unguarded(proof)}
    locked = {(action.id, lock.table) for _, transaction, action in held_open(proof) for lock in transaction.locks}
    for action in proof.matrix.actions.values():
        earlier = checked_before(proof, action)
        if earlier is not None:
            message = f"the row is checked by `{_shortened(earlier.text)}`, and then changed by its id alone"
            yield _problem(proof, action, message)
        elif action.id not in unfenced:
            yield from _required_only(proof, action, locked)


def _required_only(proof: Proof, action: Action, locked: set[tuple[str, str]]) -> Iterator[Problem]:
    writes = proof.statements[action.id].writes if action.id in proof.statements else ()
    for write in writes:
        is_bare = not write.fresh and write.strength <= sql.Strength.ID and (action.id, write.table) not in locked
        required = _required_of(proof, action, write.table) if is_bare else []
        if required:
            compares = "the id alone" if write.comparisons else "nothing"
            message = (
                f"`requires` asks for {listed(required)}, and the {write.kind} of `{write.table}` compares {compares}"
            )
            yield _problem(proof, action, message)
            return


def _required_of(proof: Proof, action: Action, table: str) -> list[str]:
    """The observations that every pattern of `requires` restricts and whose queries read a table."""
    observations = (one for one in proof.matrix.observations.values() if one.sql)
    return [
        f"`{one.id}`"
        for one in observations
        if action.requires
        and all(one.id in pattern.values for pattern in action.requires)
        and any(sql.same_table(read, table) for part in sql.facts(one.sql).statements for read in part.reads)
    ]


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else f"{words[:57]}…"


def _problem(proof: Proof, action: Action, message: str) -> Problem:
    remedy = "Put the conditions into the `where` of the statement that changes the row."
    related = (Related("what the action requires", proof.matrix.locate(("actions", action.id, "requires"))),)
    path = ("actions", action.id, "run")
    return RULE.problem(proof.matrix, path, message, remedy=remedy, related=related if action.requires else ())


RULE = Rule("515", "check-then-write", "error", __doc__, check)
