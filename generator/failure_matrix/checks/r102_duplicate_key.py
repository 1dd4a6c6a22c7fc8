"""A key or an id that stands twice in the same place.

YAML's usual readers keep the second and drop the first without a word. Whoever edits the first then wonders why
nothing changes. The same holds for an alias that is another one's id. This can't be accepted or lowered: there is
no telling which of the two is meant.

## Fails

```yaml
schema: 1
title: Leased job
summary: A job is claimed for two minutes at a time.
title: Job with a lease
```

## Mended

```yaml
schema: 1
title: Job with a lease
summary: A job is claimed for two minutes at a time.
```
"""

from failure_matrix.checks.rule import Rule

RULE = Rule("102", "duplicate-key", "error", __doc__, check=None, acceptable=False)
