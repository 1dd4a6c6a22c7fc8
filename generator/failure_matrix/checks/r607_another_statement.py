"""A step runs a statement that bears an action's name and is another one.

What a page says is what ran: a step that does what an action does runs the action's own statement, with `do`. A copy
of it under `let` was right when it was made. The action is changed later, the copy is not, and the scenario goes on
showing what nobody runs any more.

## Fails

```yaml
# matrix/scenarios/example/release.yml
title: A release frees the job
given: insert into job (id, state, owner, epoch, lease_until) values (1, 'running', 'a', 1, clock_timestamp())
values: {job: 1}
sessions: {a: {worker: a}}
let:
  release: update job set state = 'ready', owner = null, lease_until = null where id = %(job)s
steps:
  - a: {run: release}
    count: 1
controls:
  - {cut: "where id = %(job)s", from: release, breaks: []}
```

## Mended

```yaml
# matrix/scenarios/example/release.yml
title: A release frees the job
given: insert into job (id, state, owner, epoch, lease_until) values (1, 'running', 'a', 1, clock_timestamp())
values: {job: 1, generation: 1}
sessions: {a: {worker: a}}
steps:
  - a: {do: release}
    count: 1
  - a: {do: release}
    count: 0
controls:
  - {cut: "and state = 'running' and owner = %(worker)s and epoch = %(generation)s", from: release, breaks: [2]}
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.evidence.scenario import Run, Scenario
from failure_matrix.model import Matrix
from failure_matrix.problems import Problem, Related


def check(proof: Proof) -> Iterator[Problem]:
    """Each scenario on the matrix's own tables that runs another statement under an action's name."""
    book = proof.evidence.suite.playbook if proof.evidence is not None else None
    if proof.evidence is None or book is None:
        return
    for scenario in proof.evidence.suite.scenarios:
        if scenario.tables == book.tables:
            yield from _differing(proof.matrix, scenario)


def _differing(matrix: Matrix, scenario: Scenario) -> Iterator[Problem]:
    """The first step of each such name. On tables of its own a scenario could not run the action."""
    told = set()
    for step in (*scenario.steps, *scenario.then):
        act = step.act
        action = matrix.actions.get(act.name) if isinstance(act, Run) and not act.is_action else None
        if action is None or action.id in told or not isinstance(act, Run) or act.sql.split() == action.run.split():
            continue
        told.add(action.id)
        message = f"this `{action.id}` is another statement than that of the action “{action.title}”"
        remedy = f"Run the action itself with `do: {action.id}`, or give this statement a name of its own."
        there = Related("The action.", matrix.locate(("actions", action.id, "run")))
        yield Problem(RULE.number, RULE.level, message, step.location, remedy, (there,), matrix.id)


RULE = Rule("607", "another-statement", "error", __doc__, check)
