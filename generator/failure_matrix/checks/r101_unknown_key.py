"""A key that the form doesn't know.

A misspelt key would say nothing, and nobody would notice: a state with `onwer:` has no owner when somebody needs to
call one. So every key has to be one of those that the form knows. The message names the nearest of them.

## Fails

```yaml
states:
  ready:
    onwer: requester
```

## Mended

```yaml
states:
  ready:
    owner: requester
```
"""

from failure_matrix.checks.rule import Rule

RULE = Rule("101", "unknown-key", "error", __doc__, check=None)
