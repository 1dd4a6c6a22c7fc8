"""An action that a state both permits and forbids.

Whoever looks it up finds whichever line comes first. This can't be accepted or lowered: there is no telling which
of the two is meant. An action that may be done only under a condition needs two states, told apart by an
observation.

## Fails

```yaml
states:
  leased:
    permitted:
      take-over: leased
    forbidden:
      take-over: The lease is live.
```

## Mended

```yaml
states:
  leased:
    forbidden:
      take-over: The lease is live.
```
"""

from failure_matrix.checks.rule import Rule

RULE = Rule("105", "permitted-and-forbidden", "error", __doc__, check=None, acceptable=False)
