"""Where each page is. A page's key is its path without ending: `design-export/states/leased`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from failure_matrix.model import Action, Failure, Matrix, Observation, Owner, State

if TYPE_CHECKING:
    from failure_matrix.checks.rule import Rule

FOLDERS: dict[type, str] = {
    State: "states",
    Action: "actions",
    Failure: "failures",
    Observation: "observations",
}
"""The folder of a matrix's pages of one kind."""

Element = State | Action | Failure | Observation


def overview(matrix: Matrix) -> str:
    """The key of a matrix's overview."""
    return f"{matrix.id}/index"


def decision_table(matrix: Matrix) -> str:
    """The key of a matrix's decision table."""
    return f"{matrix.id}/decision-table"


def element(matrix: Matrix, thing: Element) -> str:
    """The key of the page of a state, an action, a failure or an observation."""
    return f"{matrix.id}/{FOLDERS[type(thing)]}/{thing.id}"


def owner(who: Owner) -> str:
    """The key of an owner's page."""
    return f"owners/{who.id}"


def rule(which: Rule) -> str:
    """The key of a rule's page."""
    return f"rules/{which.number}"


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
