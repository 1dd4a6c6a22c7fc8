"""Where each page is. A page's key is its path without ending: `design-export/states/leased`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from failure_matrix.model import Action, Failure, Matrix, Observation, Owner, State


class Numbered(Protocol):
    """What has a number, as a rule has."""

    @property
    def number(self) -> str:
        """The number, which never changes."""


FOLDERS: dict[type, str] = {
    State: "states",
    Action: "actions",
    Failure: "failures",
    Observation: "observations",
}
"""The folder of a matrix's pages of one kind."""

TAKEN = frozenset({"assets", "comparison", "format", "index", "matrices", "owners", "problems", "rules", "search"})
"""The first parts of the keys of pages that belong to no matrix, and so no ids for one."""

Element = State | Action | Failure | Observation


def overview(matrix: Matrix) -> str:
    """The key of a matrix's overview."""
    return f"{matrix.id}/index"


def decision_table(matrix: Matrix) -> str:
    """The key of a matrix's decision table."""
    return f"{matrix.id}/decision-table"


def triage(matrix: Matrix) -> str:
    """The key of the page that tells a subject's state from what one observes."""
    return f"{matrix.id}/triage"


def element(matrix: Matrix, thing: Element) -> str:
    """The key of the page of a state, an action, a failure or an observation."""
    return f"{matrix.id}/{FOLDERS[type(thing)]}/{thing.id}"


def elements(matrix: Matrix) -> Iterator[Element]:
    """All things of a matrix that have a page of their own."""
    for things in (matrix.states, matrix.actions, matrix.failures, matrix.observations):
        yield from things.values()


def alias(matrix: Matrix, thing: Element, name: str) -> str:
    """The key of the page that leads from a former id to the thing that it was."""
    return f"{matrix.id}/{FOLDERS[type(thing)]}/{name}"


def owner(who: Owner) -> str:
    """The key of an owner's page."""
    return f"owners/{who.id}"


def rule(which: Numbered) -> str:
    """The key of a rule's page."""
    return f"rules/{which.number}"


def evidence(suite: str) -> str:
    """The key of the page that says what was run, by the id of a matrix or of another suite of scenarios."""
    return f"{suite}/evidence/index"


def walk(suite: str) -> str:
    """The key of the page of the walk."""
    return f"{suite}/evidence/walk"


def scenario(suite: str, which: str) -> str:
    """The key of a scenario's page, by its id."""
    return f"{suite}/evidence/scenarios/{which}"


@dataclass(frozen=True, slots=True)
class Urls:
    """Relative URLs between pages, in the form in which the site is served.

    `directories` is MkDocs' `use_directory_urls`: `states/leased/` instead of `states/leased.html`.
    """

    directories: bool = True

    def served(self, key: str) -> str:
        """The URL of a page, relative to the root of the site."""
        if not self.directories:
            return f"{key}.html"
        return key.removesuffix("index") if key == "index" or key.endswith("/index") else f"{key}/"

    def relative(self, here: str, there: str, anchor: str = "") -> str:
        """The URL of the page `there`, as seen from the page `here`."""
        url = "../" * self.served(here).count("/") + self.served(there)
        return (url or "./") + (f"#{anchor}" if anchor else "")
