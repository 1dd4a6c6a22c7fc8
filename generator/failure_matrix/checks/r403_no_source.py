"""An observation without a question, or without a source that answers it.

A state is recognised by what is observed. An observation that doesn't say what is asked, or whom, can't be made by
somebody who hasn't made it before.

## Fails

```yaml
observations:
  lease:
    source: null
    sql: null
```

## Mended

```yaml
observations:
  lease:
    source: jobs-db
    sql: >-
      select coalesce((
        select case when lease_until > clock_timestamp() then 'live' else 'lapsed' end
        from job where id = %(job)s and lease_until is not null
      ), 'none')
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """Each observation that lacks one or both."""
    for observation in proof.matrix.observations.values():
        missing = [
            *(["question"] if not observation.question else []),
            *(["source"] if observation.source is None else []),
        ]
        if missing:
            message = f"the observation “{observation.id}” has no {' and no '.join(missing)}"
            remedy = (
                "Say what is asked (“question: …”) and where (“source: …”); a person is a source of the kind “ask”."
            )
            yield RULE.problem(proof.matrix, ("observations", observation.id), message, remedy=remedy)


RULE = Rule("403", "no-source", "error", __doc__, check)
