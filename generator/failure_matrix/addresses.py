"""Addresses, the names of places: `leased.permitted.publish`, `actions.publish.run`, `orphan.failures.file-lost`.

A path leads through the keys of a file. Its address is the same without the prefix `states`, and with the state
first where a failure has its outcome. A state that is called like a part of the form keeps its prefix.
"""

from __future__ import annotations

from failure_matrix.model import Path

PARTS = frozenset(
    (
        *("schema", "title", "summary", "subject", "start", "path", "parameters", "clock", "authority", "tables"),
        *(
            "subjects",
            "completion",
            "dialect",
            "sources",
            "observations",
            "impossible",
            "states",
            "actions",
            "failures",
            "exercises",
        ),
        *("accept", "owners", "levels", "templates", "engine"),
    )
)
"""The keys at the top of the files. A state of such a name is addressed as `states.start`."""


def address(path: Path) -> str:
    """The address of a path; empty for the file itself."""
    match path:
        case ("states", state, *rest):
            return ".".join((_state(state), *rest))
        case ("failures", failure, "outcome", state, *rest):
            return ".".join((_state(state), "failures", failure, *rest))
    return ".".join(path)


def path_of(address: str) -> Path:
    """The path of an address, whether or not a matrix has anything there."""
    words = tuple(address.split(".")) if address else ()
    if words[:1] == ("states",) and len(words) > 1:
        words = words[1:]
    elif words[:1] and words[0] in PARTS:
        return words
    match words:
        case (state, "failures", failure, *rest):
            return ("failures", failure, "outcome", state, *rest)
    return ("states", *words) if words else ()


def _state(state: str) -> str:
    return f"states.{state}" if state in PARTS else state
