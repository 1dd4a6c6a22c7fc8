"""An owner whom nobody can reach.

A name without a pager, a channel or a telephone number is of no use to somebody who needs a decision now.

## Fails

```yaml
owners:
  worker:
    contact: null
```

## Mended

```yaml
owners:
  worker:
    contact: "#jobs"
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Rule
from failure_matrix.model import Project
from failure_matrix.problems import Problem


def check_owners(project: Project) -> Iterator[Problem]:
    """Each owner without a contact. Owners belong to no single matrix, so the whole project is asked once."""
    for owner in project.owners.values():
        if not owner.contact:
            path = ("owners", owner.id)
            yield Problem(
                RULE.number,
                RULE.level,
                f"the owner “{owner.id}” has no contact",
                project.locate_owner(path),
                "Say how the owner is reached at any hour (“contact: …”).",
                address=".".join(path),
            )


RULE = Rule("402", "no-contact", "error", __doc__, check=None)
