"""A rule is accepted, or its level is changed, that can't be.

With a gap or an overlap in the decision table, a key that stands twice, a reference that leads nowhere, or evidence
that contradicts the page, the page may be plainly wrong. No reason makes it right.

## Fails

```yaml
states:
  leased:
    when: [{job: running}]
accept:
  - rule: "202"
    at: lapsed.when
    because: Whoever reads it will know which row is meant.
    by: Worker team
    until: 2027-06-30
```

## Mended

```yaml
states:
  leased:
    when: {job: running, lease: live}
```
"""

from failure_matrix.checks.rule import Rule
from failure_matrix.model import Acceptance, LevelSetting, Matrix
from failure_matrix.problems import Problem


def problem(matrix: Matrix, acceptance: Acceptance) -> Problem:
    """The problem of an entry of `accept` for a rule that can't be accepted."""
    message = f"rule {acceptance.rule} can't be accepted"
    remedy = "Mend the problem and delete the entry."
    return RULE.problem(matrix, ("accept", str(acceptance.index)), message, remedy=remedy)


def problem_of_level(setting: LevelSetting) -> Problem:
    """The problem of a level in the settings for a rule that is always an error."""
    message = f"rule {setting.rule} is always an error; its level can't be changed"
    address = f"levels.{setting.rule}"
    return Problem(RULE.number, RULE.level, message, setting.location, "Delete the entry.", address=address)


RULE = Rule("904", "unacceptable-rule", "error", __doc__, check=None, acceptable=False)
