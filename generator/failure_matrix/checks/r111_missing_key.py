"""A key that the form requires is missing.

Without its title a state has no name on its page, without `when` nobody can recognise it. What the form requires is
what a page can't do without.

## Fails

```yaml
states:
  ready:
    title: null
```

## Mended

```yaml
states:
  ready:
    title: Ready job
```
"""

from failure_matrix.checks.rule import Rule

RULE = Rule("111", "missing-key", "error", __doc__, check=None)
