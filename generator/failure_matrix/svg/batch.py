"""Many drawings at once: what the cache doesn't have is drawn in batches, each in one process."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

from failure_matrix.diagrams import Diagram
from failure_matrix.svg import cache
from failure_matrix.svg.cleaning import inline
from failure_matrix.svg.engine import Engine, Run, processors, run
from failure_matrix.svg.markup import listed

log = logging.getLogger(__name__)

LIMIT = 10.0
"""The seconds that a drawing may take."""

BATCH = 200_000
"""The letters of DOT text that one process draws, far within the limit. Starting it takes about as long as 2,000."""


def draw(
    diagrams: Sequence[Diagram], engine: Engine, folder: Path | None = None, limit: float = LIMIT
) -> dict[str, str]:
    """Markup for each diagram, by its id: inline SVG, or a list of its arrows where drawing took too long.

    `folder` keeps drawings for the next build; `limit` is in seconds for one drawing. What goes wrong with a
    drawing is logged as a warning. Raises `NoEngine` where the engine does not start.
    """
    keys = {diagram.id: cache.key(diagram, engine) for diagram in diagrams}
    found = {one.id: cache.read(folder, keys[one.id]) for one in diagrams} if folder else {}
    missing = [diagram for diagram in diagrams if not found.get(diagram.id)]
    for diagram, markup, whole in _drawn(missing, engine, limit):
        found[diagram.id] = markup
        if folder and whole:
            cache.write(folder, keys[diagram.id], markup)
    return {diagram.id: found[diagram.id] or "" for diagram in diagrams}


def _drawn(diagrams: Sequence[Diagram], engine: Engine, limit: float) -> Iterator[tuple[Diagram, str, bool]]:
    """Each diagram with its markup, and whether that is the picture."""
    batches = list(_batches(diagrams))
    with ThreadPoolExecutor(processors()) as threads:
        runs = threads.map(lambda batch: run(engine, "".join(map(_joined, batch)), limit), batches)
        for batch, done in zip(batches, runs, strict=True):
            yield from _cleaned(batch, done) if _is_whole(batch, done) else _one_by_one(batch, engine, limit)


def _batches(diagrams: Sequence[Diagram]) -> Iterator[list[Diagram]]:
    batch: list[Diagram] = []
    size = 0
    for diagram in diagrams:
        size += len(_joined(diagram))
        if batch and size > BATCH:
            yield batch
            batch, size = [], len(_joined(diagram))
        batch.append(diagram)
    if batch:
        yield batch


def _joined(diagram: Diagram) -> str:
    return "".join(_texts(diagram))


def _texts(diagram: Diagram) -> list[str]:
    return [diagram.dot, diagram.narrow] if diagram.narrow else [diagram.dot]


def _is_whole(batch: Sequence[Diagram], done: Run) -> bool:
    return not done.failed and len(done.drawings) == sum(len(_texts(diagram)) for diagram in batch)


def _cleaned(batch: Sequence[Diagram], done: Run) -> Iterator[tuple[Diagram, str, bool]]:
    drawings = iter(done.drawings)
    for diagram in batch:
        yield diagram, inline(list(islice(drawings, len(_texts(diagram)))), diagram), True


def _one_by_one(batch: Sequence[Diagram], engine: Engine, limit: float) -> Iterator[tuple[Diagram, str, bool]]:
    """The diagrams of a batch that went wrong, so that one bad drawing costs the others nothing."""
    for diagram in batch:
        runs = list(_until_too_long(run(engine, text, limit) for text in _texts(diagram)))
        drawings = [done.drawings[0] for done in runs if done.drawings]
        reasons = list(dict.fromkeys(_reason(done, limit) for done in runs if done.failed or not done.drawings))
        for reason in reasons:
            log.warning("The diagram %r: %s", diagram.title, reason)
        whole = len(drawings) == len(_texts(diagram))
        yield diagram, inline(drawings, diagram) if whole else listed(diagram, reasons[0]), whole


def _until_too_long(runs: Iterator[Run]) -> Iterator[Run]:
    """The runs up to the first one that was stopped: then the diagram has no picture anyway."""
    for done in runs:
        yield done
        if done.too_long:
            return


def _reason(done: Run, limit: float) -> str:
    if done.too_long:
        return f"Drawing it takes more than {limit:g} seconds."
    said = done.complaint.splitlines()[:1]
    return " ".join(["The engine ended with an error.", *said])
