"""The whole way on one screen: read the sources, check them, plan the site, draw and render it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from failure_matrix import site, source, svg
from failure_matrix.checking import read_and_check
from failure_matrix.checks import Checked
from failure_matrix.diagrams import Diagram
from failure_matrix.errors import BadTemplate
from failure_matrix.model import Project
from failure_matrix.pages import Templates
from failure_matrix.urls import Urls


@dataclass(frozen=True, slots=True)
class Request:
    """What to make a site of: the matrices' folder, the project's folder, and how the site is served.

    `home` is the key of the page that lists the matrices; `cache` is a folder for drawings; `today` is the day
    on which acceptances expire or don't. `watch` is told of each file and folder that was read, before what is
    in it can stop anything.
    """

    folder: Path
    root: Path
    today: date
    home: str = "index"
    cache: Path | None = None
    urls: Urls = field(default_factory=Urls)
    watch: Callable[[Path], None] = field(default=lambda _: None)


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a request: the site, or none where an error stops it; and what was found on the way."""

    site: site.Site | None
    project: Project
    checked: Checked


@source.without_garbage_collector()
def make(request: Request) -> Made:
    """The site of a folder of matrices, if it may be published.

    Raises `NoMatrix`, `NoEngine` or `BadTemplate` where it can't go on.
    """
    project, checked = read_and_check(request.folder, request.root, request.today)
    for path in read(request, project):
        request.watch(path)
    if checked.stops:
        return Made(None, project, checked)
    sources = site.Sources(project, checked, request.home, request.urls)
    made = site.make(sources, drawing(request, project), templates(request, project))
    return Made(made, project, checked)


def instead(request: Request, made: Made) -> site.Site:
    """What is shown in the place of a site that may not be published: the problems that stand in its way."""
    sources = site.Sources(made.project, made.checked, request.home, request.urls)
    return site.broken(sources, templates(request, made.project))


def read(request: Request, project: Project) -> Iterator[Path]:
    """What the site depends on: the files that were read, and the folder of the user's own templates."""
    yield from (request.root / path for path in project.texts)
    if project.settings.templates:
        yield request.root / project.settings.templates


def drawing(request: Request, project: Project) -> site.Draw:
    """Draws with the engine that the settings choose."""
    engine = svg.find_engine(project.settings.engine or None)

    def draw(diagrams: Sequence[Diagram]) -> Mapping[str, str]:
        return svg.draw(diagrams, engine, request.cache)

    return draw


def templates(request: Request, project: Project) -> Templates:
    """The templates, with those of the folder that the settings name.

    Raises `BadTemplate` where there is no such folder.
    """
    name = project.settings.templates
    if name and not (request.root / name).is_dir():
        raise BadTemplate(f"The settings name the folder {name} for templates, but {request.root / name} is none.")
    return Templates(request.root / name if name else None)
