"""Two states that nothing tells apart but an observation that can't be looked up.

The observation names a source, but no query, file or address in it. So whoever is in one of the two states can't
find out in which. A source of the kind `ask` is looked up by asking; an observation without any source is rule 403.

## Fails

```yaml
observations:
  lease:
    sql: null
```

## Mended

```yaml
observations:
  lease:
    sql: >-
      select coalesce((
        select case when lease_until > clock_timestamp() then 'live' else 'lapsed' end
        from job where id = %(job)s and lease_until is not null
      ), 'none')
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Observation
from failure_matrix.neighbours import alike_but_for
from failure_matrix.problems import Problem


def check(proof: Proof) -> Iterator[Problem]:
    """One problem for each such observation, with the states that it alone tells apart."""
    for observation in proof.matrix.observations.values():
        if observation.source is None or _can_be_looked_up(observation):
            continue
        pairs = [f"“{one}” from “{two}”" for one, two in dict.fromkeys(alike_but_for(proof.table, observation.id))]
        if pairs:
            message = f"only “{observation.id}” tells {' and '.join(pairs)}, and nothing says how to look it up"
            remedy = "Give the query, the file or the address that answers it."
            yield RULE.problem(proof.matrix, ("observations", observation.id), message, remedy=remedy)


def _can_be_looked_up(observation: Observation) -> bool:
    asked = observation.source is not None and observation.source.kind == "ask"
    return asked or bool(observation.sql or observation.file or observation.url)


RULE = Rule("208", "nothing-to-look-up", "warning", __doc__, check)
