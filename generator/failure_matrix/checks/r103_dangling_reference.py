"""A name of something that doesn't exist.

A target, an owner, a source, an observation or a value that isn't defined leads the reader nowhere, and whatever is
said about it can't be checked. The message names the nearest id that exists. This can't be accepted or lowered.

## Fails

```yaml
states:
  ready:
    permitted:
      claim: leasd
```

## Mended

```yaml
states:
  ready:
    permitted:
      claim: leased
```
"""

from failure_matrix.checks.rule import Rule

RULE = Rule("103", "dangling-reference", "error", __doc__, check=None, acceptable=False)
