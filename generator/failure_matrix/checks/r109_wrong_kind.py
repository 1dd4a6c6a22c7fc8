"""A value of the wrong kind: a text where a list is due, a word where it is yes or no.

What isn't of the kind that the form expects can't be read for certain, so it isn't read at all. The message says
what was found and what was expected.

## Fails

```yaml
states:
  done:
    terminal: perhaps
```

## Mended

```yaml
states:
  done:
    terminal: true
```
"""

from failure_matrix.checks.rule import Rule

RULE = Rule("109", "wrong-kind", "error", __doc__, check=None)
