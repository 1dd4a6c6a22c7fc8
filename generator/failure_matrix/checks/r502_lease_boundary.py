"""Two conditions on the lease disagree about the very instant at which it ends.

A lease is valid while `lease_until > t`, and may be taken over when `lease_until <= t`: every instant belongs to
exactly one of the two. With `<=` on one side and `>=` on the other, the instant `t = lease_until` belongs to both, and
two workers hold the job at once. With `<` and `>` it belongs to neither, and a job whose time stands there can be
neither finished nor taken over. An instant is short, but timestamps are often rounded to seconds, and a test with
logical time sits on the boundary by intention. Either convention is sound as long as all conditions share it.

Conditions to which a grace time is added are not compared: they leave the gap on purpose.

## Fails

```yaml
actions:
  renew:
    run: |
      update job set lease_until = clock_timestamp() + interval '120 seconds'
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until >= clock_timestamp()
```

## Mended

```yaml
actions:
  renew:
    run: |
      update job set lease_until = clock_timestamp() + interval '120 seconds'
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until > clock_timestamp()
```
"""

from collections.abc import Iterator
from dataclasses import dataclass

from failure_matrix import sql
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.model import Authority, Path
from failure_matrix.problems import Problem, Related

LIVE_AT_THE_END = (">=", "<")
VALID = (">", ">=")


@dataclass(frozen=True, slots=True)
class Boundary:
    """A condition on the lease, and where it stands."""

    path: Path
    operator: str
    text: str

    @property
    def is_live_at_the_end(self) -> bool:
        """Whether it takes the lease for live at the instant of its end."""
        return self.operator in LIVE_AT_THE_END

    @property
    def is_valid(self) -> bool:
        """Whether it asks for a lease that lives, rather than one that has lapsed."""
        return self.operator in VALID


def check(proof: Proof) -> Iterator[Problem]:
    """Each condition that disagrees with most of the others."""
    authority = proof.matrix.authority
    if authority is None or not authority.expires:
        return
    boundaries = list(_boundaries(proof, authority))
    live = sum(boundary.is_live_at_the_end for boundary in boundaries)
    usual = 2 * live > len(boundaries)
    for boundary in boundaries:
        if boundary.is_live_at_the_end != usual:
            yield _problem(proof, authority, boundary, _partner(boundaries, boundary))


def _boundaries(proof: Proof, authority: Authority) -> Iterator[Boundary]:
    read = {("actions", action, "run"): facts for action, facts in proof.statements.items()}
    for observation in proof.matrix.observations.values():
        if observation.sql:
            read["observations", observation.id, "sql"] = sql.facts(observation.sql, authority)
    for path, facts in read.items():
        found = (one for statement in facts.statements for one in statement.checks if one.role == "lease")
        for one in found:
            is_plain = not one.shifted and one.operand in ("clock", "parameter")
            if is_plain and one.operator in ("<", "<=", ">", ">=") and sql.same_table(one.table, authority.table):
                yield Boundary(path, one.operator, one.text)


def _partner(boundaries: list[Boundary], odd: Boundary) -> Boundary:
    """A condition that the odd one disagrees with, one of the opposite kind if there is one."""
    others = [one for one in boundaries if one.is_live_at_the_end != odd.is_live_at_the_end]
    return next((one for one in others if one.is_valid != odd.is_valid), others[0])


def _problem(proof: Proof, authority: Authority, odd: Boundary, other: Boundary) -> Problem:
    lease = f"at the instant `{authority.expires}` itself"
    if odd.is_valid == other.is_valid:
        says = "live, and" if odd.is_live_at_the_end else "lapsed, and"
        effect = f"{lease} this takes the lease for {says} `{other.text}` does not"
    elif odd.is_live_at_the_end == odd.is_valid:
        effect = f"{lease} the lease is both live and lapsed, by this and by `{other.text}`"
    else:
        effect = f"{lease} the lease is neither live nor lapsed, by this and by `{other.text}`"
    remedy = f"Ask for a live lease by `{authority.expires} > t` and for a lapsed one by `{authority.expires} <= t`."
    related = (Related("the condition that it disagrees with", proof.matrix.locate(other.path)),)
    return RULE.problem(proof.matrix, odd.path, f"`{odd.text}`: {effect}", remedy=remedy, related=related)


RULE = Rule("502", "lease-boundary", "error", __doc__, check)
