"""The rules, in the order of their numbers, and the one function that asks them all.

What follows from another problem is not reported:

- A matrix that can't be read for certain is not checked further; the others are.
- Where actions lead is judged only while each possible combination is in exactly one state (201 to 203).
- What the arrows lead to (304 to 307, 309, 310) is judged only while they lead where the matrix says, and each
  action is decided (301, 302, 406).
- What many places have in common is told once, in the place that they share: a clause, an action, a pattern.
- An acceptance is not called unused while an error stands that may hide its problem.
- What is recorded of stale evidence says nothing, neither for a matrix nor against it (603).

Each rule says in its own check what else it waits for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from failure_matrix.checks import (
    r100_unreadable,
    r101_unknown_key,
    r102_duplicate_key,
    r103_dangling_reference,
    r104_unplaced_action,
    r105_permitted_and_forbidden,
    r106_same_title,
    r107_unused_observation,
    r108_unused_value,
    r109_wrong_kind,
    r110_undeclared_parameter,
    r111_missing_key,
    r201_gap,
    r202_overlap,
    r203_impossible_state,
    r204_idle_clause,
    r205_unshown_exclusions,
    r206_broken_ranges,
    r207_undecided_table,
    r208_nothing_to_look_up,
    r301_effect_outside_targets,
    r302_impossible_effect,
    r303_never_possible,
    r304_unreachable_state,
    r305_dead_end,
    r306_way_back_in,
    r307_no_way_to_an_end,
    r308_unreached_target,
    r309_circle,
    r310_broken_path,
    r401_no_owner,
    r402_no_contact,
    r403_no_source,
    r404_no_reversal,
    r405_reversal_not_permitted,
    r406_undecided_action,
    r407_missing_outcome,
    r408_no_reason,
    r409_open_retention,
    r410_no_completion,
    r411_open_reversal,
    r412_nobody_decides,
    r413_exercise_without_target,
    r414_only_forbidden,
    r501_lease_without_time_source,
    r502_lease_boundary,
    r503_unfenced_statement,
    r504_generation_never_compared,
    r505_unexplained_skip,
    r506_unexplained_zero_rows,
    r507_zero_rows_as_verdict,
    r508_claim_without_record,
    r509_lock_across_outside_effect,
    r510_silent_duplicates,
    r511_cancellation_without_limits,
    r512_expiry_as_death,
    r513_unbounded_retry,
    r514_frozen_clock,
    r515_check_then_write,
    r516_cleanup_without_recheck,
    r517_returned_for_changed,
    r601_unshown_cell,
    r602_contradicted,
    r603_stale_evidence,
    r604_unsupported_version,
    r605_scenario_without_control,
    r606_idle_condition,
    r607_another_statement,
    r608_invalid_mutant,
    r901_acceptance_without_reason,
    r902_unused_acceptance,
    r903_expired_acceptance,
    r904_unacceptable_rule,
)
from failure_matrix.checks.acceptance import Accepted, acceptance_of, sort_out
from failure_matrix.checks.levels import at_level, misplaced
from failure_matrix.checks.rule import Proof, Rule
from failure_matrix.evidence.shown import Evidence
from failure_matrix.model import Project
from failure_matrix.problems import Problem, worst_first

RULES: tuple[Rule, ...] = (
    r100_unreadable.RULE,
    r101_unknown_key.RULE,
    r102_duplicate_key.RULE,
    r103_dangling_reference.RULE,
    r104_unplaced_action.RULE,
    r105_permitted_and_forbidden.RULE,
    r106_same_title.RULE,
    r107_unused_observation.RULE,
    r108_unused_value.RULE,
    r109_wrong_kind.RULE,
    r110_undeclared_parameter.RULE,
    r111_missing_key.RULE,
    r201_gap.RULE,
    r202_overlap.RULE,
    r203_impossible_state.RULE,
    r204_idle_clause.RULE,
    r205_unshown_exclusions.RULE,
    r206_broken_ranges.RULE,
    r207_undecided_table.RULE,
    r208_nothing_to_look_up.RULE,
    r301_effect_outside_targets.RULE,
    r302_impossible_effect.RULE,
    r303_never_possible.RULE,
    r304_unreachable_state.RULE,
    r305_dead_end.RULE,
    r306_way_back_in.RULE,
    r307_no_way_to_an_end.RULE,
    r308_unreached_target.RULE,
    r309_circle.RULE,
    r310_broken_path.RULE,
    r401_no_owner.RULE,
    r402_no_contact.RULE,
    r403_no_source.RULE,
    r404_no_reversal.RULE,
    r405_reversal_not_permitted.RULE,
    r406_undecided_action.RULE,
    r407_missing_outcome.RULE,
    r408_no_reason.RULE,
    r409_open_retention.RULE,
    r410_no_completion.RULE,
    r411_open_reversal.RULE,
    r412_nobody_decides.RULE,
    r413_exercise_without_target.RULE,
    r414_only_forbidden.RULE,
    r501_lease_without_time_source.RULE,
    r502_lease_boundary.RULE,
    r503_unfenced_statement.RULE,
    r504_generation_never_compared.RULE,
    r505_unexplained_skip.RULE,
    r506_unexplained_zero_rows.RULE,
    r507_zero_rows_as_verdict.RULE,
    r508_claim_without_record.RULE,
    r509_lock_across_outside_effect.RULE,
    r510_silent_duplicates.RULE,
    r511_cancellation_without_limits.RULE,
    r512_expiry_as_death.RULE,
    r513_unbounded_retry.RULE,
    r514_frozen_clock.RULE,
    r515_check_then_write.RULE,
    r516_cleanup_without_recheck.RULE,
    r517_returned_for_changed.RULE,
    r601_unshown_cell.RULE,
    r602_contradicted.RULE,
    r603_stale_evidence.RULE,
    r604_unsupported_version.RULE,
    r605_scenario_without_control.RULE,
    r606_idle_condition.RULE,
    r607_another_statement.RULE,
    r608_invalid_mutant.RULE,
    r901_acceptance_without_reason.RULE,
    r902_unused_acceptance.RULE,
    r903_expired_acceptance.RULE,
    r904_unacceptable_rule.RULE,
)

FIXED = frozenset(rule.number for rule in RULES if not rule.acceptable)
"""The rules that can't be accepted, and whose level can't be changed."""

OF_EVIDENCE = frozenset(rule.number for rule in RULES if rule.number.startswith("6"))
"""The rules that need evidence."""

MARKED = frozenset(rule.number for rule in (r602_contradicted.RULE, r603_stale_evidence.RULE))
"""The rules whose problems the pages themselves mark at each cell, so that the site may be built with them."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the rules say of a project.

    `problems` still stand, the worst first, the reader's among them; `accepted` are known and may stay. `proofs`
    holds the work that was done for each matrix, so that its pages needn't do it again; `evidence` is what was
    recorded of each suite.
    """

    problems: tuple[Problem, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    proofs: Mapping[str, Proof] = field(default_factory=dict)
    evidence: Mapping[str, Evidence] = field(default_factory=dict)

    @property
    def stops(self) -> bool:
        """Whether a site may not be published: an error stands that its pages would not show."""
        return any(problem.level == "error" and problem.rule not in MARKED for problem in self.problems)


def check(
    project: Project,
    problems: Iterable[Problem],
    today: date,
    evidence: Mapping[str, Evidence] = MappingProxyType({}),
) -> Checked:
    """Check every matrix of a project by every rule.

    `problems` are those that reading found; a matrix that could not be read is not in the project, and is not
    checked further. `today` is the day on which acceptances have expired or not. `evidence` is what was recorded
    of each suite, by its id.
    """
    proofs = {matrix.id: Proof(matrix, evidence.get(matrix.id)) for matrix in project.matrices.values()}
    standing = [*problems, *r402_no_contact.check_owners(project), *misplaced(project.levels.values(), RULES)]
    for suite in evidence.values():
        standing += _of_record(suite)
    accepted: list[Accepted] = []
    for proof in proofs.values():
        own = [problem for problem in standing if problem.matrix == proof.matrix.id]
        others = [problem for problem in standing if problem.matrix != proof.matrix.id]
        has_record = proof.evidence is not None and proof.evidence.exists
        unasked = frozenset() if has_record else OF_EVIDENCE
        found = sort_out(proof.matrix, [*own, *_found(proof)], FIXED, today, unasked)
        standing = [*others, *found.standing]
        accepted += found.accepted
    return Checked(worst_first(list(at_level(standing, project.levels, FIXED))), tuple(accepted), proofs, evidence)


def unaccepted(project: Project, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems that no matrix accepts, at the levels that the settings give them, the worst first."""
    kept = []
    for problem in problems:
        matrix = project.matrices.get(problem.matrix)
        if problem.rule in FIXED or matrix is None or acceptance_of(problem, matrix.accepted) is None:
            kept.append(problem)
    return worst_first(list(at_level(kept, project.levels, FIXED)))


def _of_record(evidence: Evidence) -> Iterator[Problem]:
    """What is to say of a record as a whole, and all that one says whose suite belongs to no matrix."""
    yield from r603_stale_evidence.check_evidence(evidence)
    yield from r604_unsupported_version.check_evidence(evidence)
    if evidence.matrix is None:
        yield from evidence.problems()


def _found(proof: Proof) -> Iterator[Problem]:
    """What the rules find in one matrix."""
    for rule in RULES:
        if rule.check is not None:
            yield from rule.check(proof)
