"""The evidence was run on a version of PostgreSQL that its makers no longer support, or that is not covered here.

What a database does can change from one major version to the next. The record says on which ones its statements were
run. A version past its end of life gets no more fixes, so it shows nothing of the servers that one should have.

## Fails

```yaml
# matrix/evidence/example.json
versions: ["13"]
```

## Mended

```yaml
# matrix/evidence/example.json
versions: ["17", "18"]
```
"""

from collections.abc import Iterator

from failure_matrix.checks.mechanism import listed
from failure_matrix.checks.rule import Rule
from failure_matrix.evidence.complaints import SUPPORTED
from failure_matrix.evidence.shown import Evidence
from failure_matrix.problems import Location, Problem


def check_evidence(evidence: Evidence) -> Iterator[Problem]:
    """The versions in a suite's record that are not covered."""
    old = [version for version in evidence.record.versions if version not in SUPPORTED] if evidence.record else []
    if old:
        message = f"the evidence was run on PostgreSQL {listed(old)}; covered are {listed(SUPPORTED)}"
        remedy = "Run `failure-matrix verify` on a version that is covered."
        place = Location(evidence.path)
        yield Problem(RULE.number, RULE.level, message, place, remedy, matrix=evidence.suite.id)


RULE = Rule("604", "unsupported-version", "warning", __doc__, check=None)
