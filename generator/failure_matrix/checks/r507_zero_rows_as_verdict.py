"""Zero changed rows are taken for a failure or for a success, without reading the record.

Repeating a completion changes zero rows. So does completing after a take-over, after a cancellation, with the wrong
state, or for a row that is gone. The number is the same; what to do next is not. Taking it for a failure repeats work
that is done, and taking it for a success presents work that was refused. Only a reading tells them apart: already
applied, authority lost, cancelled, incompatible, absent. So `zero-rows` names the reading.

This rule goes by words, which the message quotes, and can be wrong.

## Fails

```yaml
actions:
  finish:
    zero-rows: The job was already finished, so all is well.
```

## Mended

```yaml
actions:
  finish:
    zero-rows: Read the row. It shows this generation as done (repeated), or a later one that took over.
```
"""

from collections.abc import Iterator

from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.checks.wording import claimed, phrases
from failure_matrix.problems import Problem

VERDICT = phrases(
    r"fail(ed|s|ure)?|errors?|succe(ss|ssful|ed|eds|eded)|done|finished|completed?|already \w+",
    "fine|all is well|ignore",
)
READING = phrases(
    r"reconcil\w*|read(s|ing)?|look(s|ing)?|check(s|ing)?|counts?|select|compare[sd]?",
    "quer(y|ies)|ask|inspect|see",
)


def check(proof: Proof) -> Iterator[Problem]:
    """Each `zero-rows` that gives a verdict and names no reading."""
    for action in proof.matrix.actions.values():
        words = claimed(action.zero_rows, VERDICT)
        if words and action.id in proof.statements and not _names_reading(proof, action.zero_rows):
            message = f"“{words}” is a verdict that zero rows can't give: the record was not read"
            remedy = "Say what to read, and how it shows already applied, lost, cancelled, incompatible and absent."
            yield RULE.problem(proof.matrix, ("actions", action.id, "zero-rows"), message, remedy=remedy)


def _names_reading(proof: Proof, text: str) -> bool:
    """Whether a text tells to read, or names an action that does nothing else."""
    readings = (
        action.title.lower()
        for action in proof.matrix.actions.values()
        if action.id in proof.statements and not proof.statements[action.id].writes
    )
    return bool(READING.search(text)) or any(title in text.lower() for title in readings)


RULE = Rule("507", "zero-rows-as-verdict", "warning", __doc__, check)
