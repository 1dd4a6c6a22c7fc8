"""Questions about mechanisms that more than one rule asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from failure_matrix.checks.rule import Proof
from failure_matrix.checks.wording import claimed, phrases
from failure_matrix.model import Action, Matrix
from failure_matrix.sql import Statement, Strength, Transaction, Write, same_table

EFFECT = phrases(
    "sends?|publish(es)?|push(es)?|delivers?|posts?|notif(y|ies)|uploads?|charges?|mails?",
    "calls?|deletes?|removes?",
    "(is|are) (sent|published|pushed|delivered|posted|uploaded|charged|mailed|called|deleted|removed|moved|copied)",
)


def unguarded(proof: Proof) -> Iterator[tuple[Action, Write]]:
    """The changes of the authority's table that compare no generation and give no reason why not."""
    authority = proof.matrix.authority
    if authority is None:
        return
    for action, statement in _statements(proof):
        for write in statement.writes:
            is_ours = same_table(write.table, authority.table) and not write.fresh
            if is_ours and write.strength < Strength.GENERATION and not action.unfenced:
                yield action, write


def _statements(proof: Proof) -> Iterator[tuple[Action, Statement]]:
    for action in proof.matrix.actions.values():
        if action.id in proof.statements:
            yield from ((action, statement) for statement in proof.statements[action.id].statements)


def checked_before(proof: Proof, action: Action) -> Statement | None:
    """An earlier statement of an action that looks at a row which a later one then changes by its id alone."""
    looked: list[Statement] = []
    for statement in proof.statements[action.id].statements if action.id in proof.statements else ():
        for write in statement.writes:
            if not write.fresh and write.strength <= Strength.ID:
                found = (one for one in looked if _looks_at(one, write.table))
                return next(found, None)
        looked.append(statement)
    return None


def _looks_at(statement: Statement, table: str) -> bool:
    checks = (one for one in statement.checks if same_table(one.table, table))
    return statement.kind == "read" and any(check.strength > Strength.ID for check in checks)


def is_permitted(matrix: Matrix, action: Action) -> bool:
    """Whether an action is meant to happen: a state permits it, or it brings the subject in."""
    starts = matrix.start is not None and matrix.start.action == action
    return starts or any(state.permission(action.id) is not None for state in matrix.states.values())


def has_outside_effect(matrix: Matrix, action: Action) -> bool:
    """Whether an action does something that no database takes back: by what it sets, or by what it says of itself.

    A statement that changes a record can change how something outside compares with it, without touching it.
    """
    sources = (matrix.observations[name].source for name in action.sets if name in matrix.observations)
    sets_outside = any(source is not None and source.kind != "postgresql" for source in sources)
    return (sets_outside and bool(action.outside or not action.run)) or bool(claimed(action.outside, EFFECT))


def held_open(proof: Proof) -> Iterator[tuple[Action, Transaction, Action]]:
    """Actions that happen inside a transaction which another one left open: the opener, its transaction, the action.

    The states are walked from where the opener leads, along the actions of the same owner, until one ends it.
    """
    for opener in proof.matrix.actions.values():
        transaction = proof.statements[opener.id].left_open if opener.id in proof.statements else None
        if transaction is not None:
            yield from ((opener, transaction, action) for action in _until_ended(proof, opener))


def _until_ended(proof: Proof, opener: Action) -> Iterator[Action]:
    waiting, seen, told = list(_targets(proof.matrix, opener)), set[str](), set[str]()
    while waiting:
        state = proof.matrix.states.get(waiting.pop())
        if state is None or state.id in seen:
            continue
        seen.add(state.id)
        for cell in state.permitted:
            if cell.action.by == opener.by and cell.action.id != opener.id:
                if cell.action.id not in told:
                    told.add(cell.action.id)
                    yield cell.action
                if not _ends(proof, cell.action):
                    waiting.extend(cell.targets)


def _ends(proof: Proof, action: Action) -> bool:
    return action.id in proof.statements and proof.statements[action.id].ends


def _targets(matrix: Matrix, action: Action) -> Iterator[str]:
    if matrix.start is not None and matrix.start.action == action:
        yield matrix.start.state
    for state in matrix.states.values():
        cell = state.permission(action.id)
        yield from () if cell is None else cell.targets


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 2 else words)
