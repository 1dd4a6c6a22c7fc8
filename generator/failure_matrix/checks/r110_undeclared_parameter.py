"""A statement or a query uses a parameter that isn't declared.

Whoever copies a query from a page fills in its parameters, and `parameters` is where the page finds out what each
one means and where to look it up. A misspelt one is filled in with a guess.

## Fails

```yaml
observations:
  job:
    sql: select state from job where id = %(jobb)s
```

## Mended

```yaml
observations:
  job:
    sql: select state from job where id = %(job)s
```
"""

from failure_matrix.checks.rule import Rule

RULE = Rule("110", "undeclared-parameter", "error", __doc__, check=None)
