"""What the page shows that sets the matrices' dialects side by side.

Nothing here is written for particular matrices. Each cell is a fact that a matrix says of itself, with links to the
places that it names. What acts outside under a lock, and what compares a generation, is read from the statements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from failure_matrix import urls
from failure_matrix.checks.acceptance import Accepted
from failure_matrix.checks.mechanism import has_outside_effect, held_open
from failure_matrix.checks.rule import Proof
from failure_matrix.exhibits import EvidenceView, Exhibit
from failure_matrix.model import Action, Dialect, Fact, Matrix
from failure_matrix.sql import Guard, Strength
from failure_matrix.views import MatrixView

KEY = "comparison"
"""The key of the page."""

UNFENCED = "503"
"""The rule on statements that compare no generation."""

QUESTIONS = (
    ("claim", "What the claim is"),
    ("held", "How long it is held"),
    ("crash", "What a crash leaves"),
    ("cleanup", "Who cleans up"),
    ("delivery", "How often work is delivered"),
    ("fence", "What fences it"),
    ("network", "What crosses a network under a lock"),
    ("visible", "What is visible in SQL"),
    ("evidence", "Which evidence shows it"),
)
"""The facts that are compared, in the order of the page, and what is asked about each."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place where a matrix says or shows a fact. `key` is empty where there is no such page.

    `exhibit` is set for a scenario; its sign says whether it holds.
    """

    words: str
    key: str
    exhibit: Exhibit | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What one matrix says to a question, and where it says or shows it. `says` is empty where it says nothing."""

    says: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the answer of each matrix, in the order of the matrices."""

    id: str
    title: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class UnderLock:
    """An action that acts outside while a transaction holds locks that another action took."""

    action: Action
    opener: Action


@dataclass(frozen=True, slots=True)
class Compared:
    """A matrix that says its dialect, with what is read from its statements."""

    view: MatrixView
    dialect: Dialect
    under_lock: tuple[UnderLock, ...]

    @property
    def matrix(self) -> Matrix:
        """The matrix."""
        return self.view.matrix

    @property
    def compares(self) -> tuple[Guard, ...]:
        """The statements that compare the generation in the row that they change."""
        return tuple(guard for guard in self.view.guards if guard.strength == Strength.GENERATION)

    @property
    def spared(self) -> tuple[Guard, ...]:
        """The statements that compare none, with the reason why not."""
        return tuple(guard for guard in self.view.guards if guard not in self.compares and guard.action.unfenced)

    @property
    def open(self) -> tuple[Guard, ...]:
        """The statements that compare none, without a reason."""
        return tuple(guard for guard in self.view.guards if guard not in self.compares and not guard.action.unfenced)

    @property
    def limits(self) -> tuple[Accepted, ...]:
        """What is known and accepted of statements that compare no generation."""
        return tuple(accepted for accepted in self.view.accepted if accepted.problem.rule == UNFENCED)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The matrices that say their dialect, side by side."""

    compared: tuple[Compared, ...]
    questions: tuple[Question, ...]


def compare(views: Sequence[MatrixView], evidence: Mapping[str, EvidenceView]) -> Comparison | None:
    """The comparison of all matrices that say their dialect. None where there are not two."""
    compared = tuple(
        Compared(view, view.matrix.dialect, tuple(under_lock(view.proof))) for view in views if view.matrix.dialect
    )
    if len(compared) < 2:
        return None
    questions = tuple(
        Question(id, title, tuple(_answer(each.matrix, getattr(each.dialect, id), evidence) for each in compared))
        for id, title in QUESTIONS
    )
    return Comparison(compared, questions)


def under_lock(proof: Proof) -> Iterator[UnderLock]:
    """Each action that acts outside while a transaction is open that locks or has changed rows."""
    for opener, transaction, action in held_open(proof):
        if (transaction.locks or transaction.writes) and action != opener and has_outside_effect(proof.matrix, action):
            yield UnderLock(action, opener)


def _answer(matrix: Matrix, fact: Fact, evidence: Mapping[str, EvidenceView]) -> Answer:
    return Answer(fact.says, tuple(_place(matrix, place, evidence.get(matrix.id)) for place in fact.see))


def _place(matrix: Matrix, place: str, evidence: EvidenceView | None) -> Place:
    section, _, name = place.partition(".")
    if section == "scenarios":
        exhibit = next((each for each in evidence.exhibits if each.id == name), None) if evidence else None
        return Place(exhibit.title, urls.scenario(matrix.id, name), exhibit) if exhibit else Place(name, "")
    thing = _thing(matrix, section, name)
    return Place(thing.title, urls.element(matrix, thing)) if thing else Place(name, "")


def _thing(matrix: Matrix, section: str, name: str) -> urls.Element | None:
    """A state, an action, a failure or an observation, by its id or an alias."""
    things: Mapping[str, urls.Element] = getattr(matrix, section)
    return things.get(name) or next((each for each in things.values() if name in each.aliases), None)
