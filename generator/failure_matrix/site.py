"""The files of a site and its navigation, whoever builds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from failure_matrix import comparison, diagrams, reference, triage, urls, views
from failure_matrix.checks import RULES, Checked
from failure_matrix.diagrams import Diagram
from failure_matrix.exhibits import EvidenceView
from failure_matrix.model import Matrix, Owner, Project
from failure_matrix.pages import Page, Templates, markdown_text
from failure_matrix.svg import figure

LISTED = 60
"""A section of the navigation with more pages than this names none of them: a builder's time grows with the square
of the navigation, and nobody reads it."""

ASSETS = "assets/failure-matrix"
"""The folder of the assets in the site."""

STYLES = (
    "failure-matrix.css",
    "failure-matrix-diagram.css",
    "failure-matrix-evidence.css",
    "failure-matrix-triage.css",
)
SCRIPTS = ("failure-matrix-diagram.js", "failure-matrix-triage.js")
"""The assets that each page needs."""

FORMS = (("matrix", "A matrix"), ("owners", "owners.yml"), ("settings", "settings.yml"))
"""The forms of the files, with what the reference calls them."""

BOOST: Mapping[str, float] = {
    "state.md.j2": 8,
    "failure.md.j2": 8,
    "action.md.j2": 8,
    "observation.md.j2": 4,
    "triage.md.j2": 4,
    "evidence.md.j2": 0.01,
    "walk.md.j2": 0.01,
    "scenario.md.j2": 0.01,
    "rule.md.j2": 0.01,
    "rules.md.j2": 0.01,
    "moved.md.j2": 0,
}
"""How much before others the search finds the pages of a template: who searches is in trouble, and wants a state or
what leads to one. What was run and why a rule exists is for those who have time."""

Draw = Callable[[Sequence[Diagram]], Mapping[str, str]]
"""Draws diagrams: gives the picture of each, by the diagram's id."""

Nav = list["str | dict[str, Nav]"]
"""Keys of pages, and sections by their title."""


@dataclass(frozen=True, slots=True)
class Site:
    """The generated pages and the navigation that leads to them."""

    pages: tuple[Page, ...]
    nav: Nav


@dataclass(frozen=True, slots=True)
class Plan:
    """A page before it is drawn and rendered: its template, and what the template is given."""

    key: str
    template: str
    context: Mapping[str, Any]
    diagrams: tuple[Diagram, ...] = ()
    source: str = ""
    wide: bool = False
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Sources:
    """What a site is made of."""

    project: Project
    checked: Checked
    home: str = "index"
    links: urls.Urls = field(default_factory=urls.Urls)


def make(sources: Sources, draw: Draw, templates: Templates) -> Site:
    """The site of a project: all pages are planned, all diagrams drawn at once, then each page is rendered."""
    views_of = [
        views.MatrixView(matrix, sources.checked.proofs[matrix.id], sources.checked)
        for matrix in sources.project.matrices.values()
    ]
    plans = list(plan(sources, views_of))
    pictures = draw([diagram for page in plans for diagram in page.diagrams])
    return Site(
        tuple(render(page, pictures, templates, sources.links) for page in plans),
        navigation(sources, {page.key for page in plans if page.listed}),
    )


def render(page: Plan, pictures: Mapping[str, str], templates: Templates, links: urls.Urls) -> Page:
    """A planned page, laid out."""

    def link(key: str, anchor: str = "") -> str:
        return links.relative(page.key, key, anchor)

    outline, blocks = templates.render(
        page.template,
        {
            **page.context,
            "link": link,
            "url": urls,
            "diagrams": [figure(diagram, pictures[diagram.id]) for diagram in page.diagrams],
        },
    )
    return Page(page.key, outline, blocks, page.source, page.wide, page.listed, BOOST.get(page.template, 1))


def plan(sources: Sources, matrices: list[views.MatrixView]) -> Iterator[Plan]:
    """All pages, those of the whole project first."""
    compared = comparison.compare(matrices, {each.id: each for each in exhibited(sources)})
    shared = {"project": sources.project, "matrices": matrices, "home": sources.home, "comparison": compared}
    yield Plan(sources.home, "home.md.j2", shared, wide=True)
    if compared:
        yield Plan(comparison.KEY, "comparison.md.j2", shared, wide=True)
    yield Plan("problems", "problems.md.j2", {**shared, **problem_context(sources.checked, matrices)}, wide=True)
    yield Plan("rules/index", "rules.md.j2", {**shared, "rules": RULES}, wide=True)
    for rule in RULES:
        yield Plan(urls.rule(rule), "rule.md.j2", {**shared, "rule": rule}, listed=False)
    yield Plan(
        "format",
        "format.md.j2",
        {**shared, "forms": [(form, title, reference.sections(form)) for form, title in FORMS]},
        wide=True,
    )
    yield Plan("owners/index", "owners.md.j2", {**shared, "duties": views.duties}, wide=True)
    for owner in sources.project.owners.values():
        yield owner_plan(owner, shared, matrices, sources.project)
    for view in matrices:
        yield from matrix_plans(view, {**shared, "matrix": view.matrix, "view": view}, sources.links)
    for shown in exhibited(sources):
        yield from evidence_plans(shown, shared)


def problem_context(checked: Checked, matrices: list[views.MatrixView]) -> dict[str, Any]:
    """What the page of the problems is given."""
    return {"checked": checked, "groups": tuple(views.problem_groups(checked, matrices))}


def owner_plan(owner: Owner, shared: Mapping[str, Any], matrices: list[views.MatrixView], project: Project) -> Plan:
    """The page of an owner."""
    context = {**shared, "owner": owner, "duties": tuple(views.duties(owner, matrices))}
    source = project.locate_owner(("owners", owner.id)).path
    return Plan(urls.owner(owner), "owner.md.j2", context, source=source, wide=True)


def matrix_plans(view: views.MatrixView, shared: Mapping[str, Any], links: urls.Urls) -> Iterator[Plan]:
    """The pages of one matrix."""
    matrix = view.matrix
    source = matrix.path

    def linker(here: str) -> Callable[[urls.Element], str]:
        return lambda thing: links.relative(here, urls.element(matrix, thing))

    key = urls.overview(matrix)
    yield Plan(key, "overview.md.j2", shared, diagrams.overview(matrix, linker(key)), source, wide=True)
    yield triage_plan(view, shared, links)
    yield Plan(urls.decision_table(matrix), "decision-table.md.j2", shared, source=source, wide=True)
    keys = [urls.element(matrix, state) for state in matrix.states.values()]
    pictures = diagrams.neighbourhoods(matrix, linker(keys[0]))  # pages of one folder see the others alike
    for key, state, picture in zip(keys, matrix.states.values(), pictures, strict=True):
        yield Plan(key, "state.md.j2", {**shared, "state": state}, (picture,), source, listed=listed(matrix.states))
    for kind, elements in (
        ("action", matrix.actions),
        ("failure", matrix.failures),
        ("observation", matrix.observations),
    ):
        for thing in elements.values():
            yield Plan(
                urls.element(matrix, thing),
                f"{kind}.md.j2",
                {**shared, kind: thing},
                source=source,
                listed=listed(elements),
            )
    yield from moved_plans(matrix, shared)


def exhibited(sources: Sources) -> tuple[EvidenceView, ...]:
    """The suites that have pages of evidence."""
    return tuple(EvidenceView(evidence) for evidence in sources.checked.evidence.values())


def evidence_plans(shown: EvidenceView, shared: Mapping[str, Any]) -> Iterator[Plan]:
    """The pages of what was run for one matrix, or for scenarios that belong to none."""
    context = {**shared, "shown": shown}
    source = shown.matrix.path if shown.matrix else ""
    yield Plan(urls.evidence(shown.id), "evidence.md.j2", context, source=source, wide=True)
    if shown.record is not None and shown.record.walk is not None and shown.matrix is not None:
        yield Plan(urls.walk(shown.id), "walk.md.j2", context, source=source, wide=True)
    scenarios = {each.id: each for each in shown.evidence.suite.scenarios}
    for exhibit in shown.exhibits:
        scenario = scenarios[exhibit.id]
        current = {"exhibit": exhibit, "orders": scenario.orders, "given": scenario.given}
        yield Plan(
            urls.scenario(shown.id, exhibit.id),
            "scenario.md.j2",
            {**context, **current},
            source=scenario.location.path,
            wide=True,
            listed=listed(scenarios),
        )


def moved_plans(matrix: Matrix, shared: Mapping[str, Any]) -> Iterator[Plan]:
    """The pages at former ids, so that an address that somebody keeps still leads to what it was."""
    for thing in urls.elements(matrix):
        for alias in thing.aliases:
            context = {**shared, "thing": thing, "alias": alias}
            yield Plan(urls.alias(matrix, thing, alias), "moved.md.j2", context, source=matrix.path, listed=False)


def triage_plan(view: views.MatrixView, shared: Mapping[str, Any], links: urls.Urls) -> Plan:
    """The page that tells which state a subject is in, with the data that its script works with."""
    key = urls.triage(view.matrix)
    data = triage.data(view.triage, lambda there: links.relative(key, there)) if view.triage else None
    return Plan(key, "triage.md.j2", {**shared, "data": data}, source=view.matrix.path, wide=True)


def listed(elements: Mapping[str, object]) -> bool:
    """Whether the navigation names the elements of a section."""
    return len(elements) <= LISTED


def navigation(sources: Sources, keys: set[str]) -> Nav:
    """The navigation: home, a section for each matrix, then what belongs to all of them."""
    nav: Nav = [sources.home]
    shown = {each.id: evidence_navigation(each, keys) for each in exhibited(sources)}
    for matrix in sources.project.matrices.values():
        nav.append({matrix.title: [*matrix_navigation(matrix, keys), *shown.pop(matrix.id, [])]})
    nav += [{suite.replace("-", " ").capitalize(): pages} for suite, pages in shown.items()]
    nav += [comparison.KEY] if comparison.KEY in keys else []
    owners: Nav = [key for owner in sources.project.owners.values() if (key := urls.owner(owner)) in keys]
    return [*nav, {"Owners": ["owners/index", *owners]}, "problems", {"Reference": ["format", "rules/index"]}]


def matrix_navigation(matrix: Matrix, keys: set[str]) -> Nav:
    """The section of a matrix."""
    nav: Nav = [urls.overview(matrix), urls.triage(matrix), urls.decision_table(matrix)]
    for title, elements in (
        ("States", matrix.states),
        ("Actions", matrix.actions),
        ("Failures", matrix.failures),
        ("Observations", matrix.observations),
    ):
        pages: Nav = [key for thing in elements.values() if (key := urls.element(matrix, thing)) in keys]
        if pages:
            nav.append({title: pages})
    return nav


def evidence_navigation(shown: EvidenceView, keys: set[str]) -> Nav:
    """The section of what was run. The scenarios' long titles are a section of their own."""
    scenarios = [urls.scenario(shown.id, each.id) for each in shown.exhibits]
    found: Nav = [key for key in (urls.evidence(shown.id), urls.walk(shown.id)) if key in keys]
    inner: Nav = [key for key in scenarios if key in keys]
    return [{"Evidence": [*found, {"Scenarios": inner}] if inner else found}]


def broken(sources: Sources, templates: Templates) -> Site:
    """What is shown in the place of a site that may not be published: its problems."""
    checked = sources.checked
    groups = (views.ProblemGroup("Problems now", "now", checked.problems, ()),)
    context = {"checked": checked, "groups": groups, "project": sources.project, "home": sources.home}
    pages = [
        render(Plan(key, "problems.md.j2", context), {}, templates, sources.links) for key in (sources.home, "problems")
    ]
    return Site(tuple(pages), [sources.home, "problems"])


def apology(message: str, home: str) -> Site:
    """What is shown in the place of a site that could not be made: why."""
    page = f"# The site could not be built\n\n{markdown_text(message)}\n"
    return Site((Page(home, page), Page("problems", page)), [home, "problems"])
