"""The record shows what was run before a statement, the tables or a scenario was changed.

Evidence is about just the statements that ran. Each part of the record holds a digest of all that its outcome follows
from: the scenario, the statements, the tables, the observations' queries, the conditions of the states. Where that is
another one now, the record says nothing about what the page shows. The site is still built, and marks the cells as
stale. It can't be accepted: `failure-matrix verify` runs it again.

A scenario that is not in the record at all is stale too.

## Fails

```yaml
# matrix/evidence/example.json
digest: "0000000000000000"
```

## Mended

```yaml
# matrix/evidence/example.json
holds: true
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import listed
from failure_matrix.checks.rule import Rule
from failure_matrix.evidence.shown import WALK, Evidence
from failure_matrix.problems import Location, Problem

FEW = 6
"""So many stale parts are named. Of more, their number says enough."""


def check_evidence(evidence: Evidence) -> Iterator[Problem]:
    """The parts of a suite's record that are about something else than what stands there now."""
    if evidence.exists and evidence.stale:
        parts = ["the walk" if part == WALK else f"`{part}`" for part in evidence.stale]
        many = f"{len(parts)} of {len(evidence.suite.scenarios) + 1} parts"
        message = f"what is recorded of {listed(parts) if len(parts) <= FEW else many} is stale: it was changed since"
        remedy = f"Run `failure-matrix verify --matrix {evidence.suite.id}`."
        place = Location(evidence.path)
        yield Problem(RULE.number, RULE.level, message, place, remedy, matrix=evidence.suite.id)


RULE = Rule("603", "stale-evidence", "error", __doc__, check=None, acceptable=False)
