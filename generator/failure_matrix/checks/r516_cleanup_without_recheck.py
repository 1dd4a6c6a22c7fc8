"""A cleanup goes by what it saw earlier, or waits no longer than a writer may take.

A cleanup lists what nobody needs, and deletes it later. In between, a publication can name one of the files, and the
result is a published record without its artifact. So the cleanup looks again for each file, by a statement that locks
the row (`select … for update`) or by a conditional delete, and acts only on what that shows. A time of grace is no
substitute, but where there is one, it has to be longer than the longest lease: a writer may hold its authority that
long without having recorded anything.

An action counts as a cleanup when its id or title says so and it removes something outside the database.

## Fails

```yaml
states:
  done:
    permitted:
      clean-up: done
actions:
  clean-up:
    title: Clean the scratch folder up
    by: worker
    requires: {job: done}
    run: select id from job where id = %(job)s and state = 'done'
    outside: The job's scratch folder is deleted. Doing it again changes nothing.
    irreversible: Scratch files are not kept.
```

## Mended

```yaml
states:
  done:
    permitted:
      clean-up: done
actions:
  clean-up:
    title: Clean the scratch folder up
    by: worker
    requires: {job: done}
    run: select id from job where id = %(job)s and state = 'done' for update
    outside: The job's scratch folder is deleted. Doing it again changes nothing.
    irreversible: Scratch files are not kept.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import has_outside_effect, is_permitted
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.checks.wording import phrases
from failure_matrix.model import Action
from failure_matrix.problems import Problem
from failure_matrix.sql import Comparison, Facts, same_table

CLEANUP = phrases(
    "discard|cleans?|cleanup|delete|purge|prune|remove|sweep|garbage|reap|vacuum",
    "evict|drop",
)


def check(proof: Proof) -> Iterator[Problem]:
    """Each cleanup that acts without looking again, and each whose grace is too short."""
    for action in proof.matrix.actions.values():
        if _cleans(action) and is_permitted(proof.matrix, action):
            facts = proof.statements.get(action.id, Facts())
            if has_outside_effect(proof.matrix, action) and facts.problem is None and not _looks_again(facts):
                yield _unlocked(proof, action)
            yield from _short_grace(proof, action, facts)


def _cleans(action: Action) -> bool:
    return CLEANUP.search(f"{action.id} {action.title}".replace("-", " ")) is not None


def _looks_again(facts: Facts) -> bool:
    return bool(facts.locks) or any(write.may_skip for write in facts.writes)


def _unlocked(proof: Proof, action: Action) -> Problem:
    message = f"“{action.title}” removes something outside, and no statement checks the row again under a lock"
    remedy = "Look again for each one with `select … for update`, and act only on what that shows."
    return RULE.problem(proof.matrix, ("actions", action.id, *(("run",) if action.run else ())), message, remedy=remedy)


def _short_grace(proof: Proof, action: Action, facts: Facts) -> Iterator[Problem]:
    lease = max(_leases(proof), default=0)
    for grace in _graces(facts):
        if grace.age is not None and grace.age <= lease:
            message = f"`{grace.text}` waits {grace.age} seconds, and a writer may hold its lease for {lease}"
            remedy = f"Wait longer than {lease} seconds, by as much as a writer may be late."
            yield RULE.problem(proof.matrix, ("actions", action.id, "run"), message, remedy=remedy)


def _graces(facts: Facts) -> Iterator[Comparison]:
    for statement in facts.statements:
        yield from (one for one in statement.checks if one.operator in ("<", "<=") and one.age is not None)


def _leases(proof: Proof) -> Iterator[int]:
    """The lengths of the leases that statements grant, in seconds."""
    authority = proof.matrix.authority
    if authority is None:
        return
    for facts in proof.statements.values():
        for write in facts.writes:
            if same_table(write.table, authority.table):
                granted = (one for one in write.assignments if one.column == authority.expires.lower())
                yield from (one.ahead for one in granted if one.ahead is not None)


RULE = Rule("516", "cleanup-without-recheck", "warning", __doc__, check)
