"""What a report is made of, and what its forms have in common."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from failure_matrix.model import Project
from failure_matrix.problems import LEVELS, Level, Location, Problem, worst_first

if TYPE_CHECKING:
    from failure_matrix.checks import Checked
    from failure_matrix.checks.acceptance import Accepted
    from failure_matrix.checks.rule import Rule


@dataclass(frozen=True, slots=True)
class Report:
    """What a run of the checks found.

    `problems` stand in the order in which they are shown, the worst first. `accepted` are those that the
    authors know of and live with. `texts` maps each path that was read to its text, `rules` each rule's number
    to the rule. `site_url` is where the site is published, empty where that is not known.
    """

    problems: tuple[Problem, ...]
    accepted: tuple[Accepted, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)
    matrices: int = 0
    site_url: str = ""

    @classmethod
    def of(cls, project: Project, checked: Checked, site_url: str = "") -> Report:
        """The report on what the checks of a project found."""
        from failure_matrix.checks import RULES  # noqa: PLC0415 - all rules, and only where they are wanted

        rules = {rule.number: rule for rule in RULES}
        problems = worst_first(checked.problems)
        return cls(problems, checked.accepted, project.texts, rules, len(project.matrices), site_url)

    def only(self, numbers: Collection[str]) -> Report:
        """The part of the report that is about some rules, by their numbers."""
        problems = tuple(problem for problem in self.problems if problem.rule in numbers)
        accepted = tuple(each for each in self.accepted if each.problem.rule in numbers)
        return replace(self, problems=problems, accepted=accepted)

    def rule_title(self, number: str) -> str:
        """A rule's number and name, such as `202 overlap`."""
        return f"{number} {self.rules[number].name}" if number in self.rules else number

    def rule_address(self, number: str) -> str:
        """The address of a rule's page on the published site, empty where the site's is not known."""
        return f"{self.site_url.rstrip('/')}/rules/{number}/" if self.site_url else ""

    def count(self, level: Level) -> int:
        """How many problems have a level, the accepted ones left out."""
        return sum(problem.level == level for problem in self.problems)

    def summary(self) -> str:
        """One sentence: how many problems there are, and how many are accepted."""
        accepted = f", {len(self.accepted)} accepted" if self.accepted else ""
        if not self.problems:
            return f"No problems in {counted(self.matrices, 'matrix', 'matrices')}{accepted}."
        levels = ", ".join(counted(self.count(level), level) for level in LEVELS if self.count(level))
        files = len({problem.location.path for problem in self.problems})
        return f"{levels} in {counted(files, 'file')}{accepted}."


def end_of(location: Location) -> tuple[int, int]:
    """The line and column where a span ends, never before its start: a location may name its start alone."""
    return max((location.line, location.column), (location.end_line, location.end_column))


def counted(number: int, one: str, many: str = "") -> str:
    """A number and its noun, such as `1 file` and `2 matrices`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def fingerprints(problems: Iterable[Problem]) -> Iterator[str]:
    """For each problem a name that stays the same while lines move and messages are reworded.

    It is made of the rule and the place in the matrix. Where several problems share both, they are counted.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    for problem in problems:
        key = (problem.rule, problem.location.path, problem.address or problem.message)
        seen[key] += 1
        yield hashlib.sha256("\0".join((*key, str(seen[key]))).encode(errors="surrogatepass")).hexdigest()[:32]
