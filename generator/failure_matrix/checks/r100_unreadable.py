"""The file can't be read as YAML of the plain kind.

A file that breaks off, holds a tag or a tab in the wrong place, is too large, or isn't UTF-8 yields no matrix at all,
and nothing in it can be checked. The other files are read and checked all the same. Tags and anchors that expand
without end are refused since nothing in a matrix is ever run or evaluated.

## Fails

The list is never closed.

```yaml
schema: 1
title: Leased job
path: [request, claim
```

## Mended

```yaml
schema: 1
title: Leased job
path: [request, claim]
```
"""

from failure_matrix.checks.rule import Rule

RULE = Rule("100", "unreadable", "error", __doc__, check=None)
