"""What the engines make of the pictures, once it is cleaned. Each test is run with both engines."""

from __future__ import annotations

import re
from collections import Counter

from drawings import SVG, drawing, links, parts

from failure_matrix.diagrams import Link, life, neighbourhood, overview
from failure_matrix.model import Matrix
from failure_matrix.svg import Engine, draw, figure


def test_titles_come_out_as_they_are_written(hostile: Matrix, link: Link, engine: Engine) -> None:
    diagram = life(hostile, link)
    markup = draw([diagram], engine)[diagram.id]
    for size in ("wide", "narrow"):
        shown = list(links(drawing(markup, size)))
        for things in (hostile.states, hostile.actions):
            for thing in things.values():
                assert " ".join(thing.title.split()) in {one.title for one in shown}, thing.id
        texts = {one.text.replace(" ", "") for one in shown}
        for state in hostile.states.values():
            assert "".join(state.label.split()) in texts, state.id


def test_states_and_events_lead_to_their_pages(export: Matrix, link: Link, engine: Engine) -> None:
    diagram = neighbourhood(export, "leased", link)
    shown = {(one.text, one.href) for one in links(drawing(draw([diagram], engine)[diagram.id]))}
    assert ("publish", "../actions/publish/") in shown
    assert ("worker paused", "../failures/worker-paused/") in shown
    assert ("Cancelled", "../states/cancelled/") in shown
    assert all(href for _, href in shown)


def test_kinds_have_classes_and_lines_of_their_own(export: Matrix, link: Link, engine: Engine) -> None:
    diagrams = overview(export, link)
    markup = "".join(draw(diagrams, engine).values())
    for kind in ("fm-path", "fm-terminal", "fm-fault", "fm-again", "fm-start", "fm-outside", "fm-action", "fm-failure"):
        assert re.search(rf'class="(node|edge)[^"]* ?{kind}\b', markup), kind
    for group in re.findall(r'<g class="edge fm-failure">.*?</g>', markup):
        assert "stroke-dasharray" in group
    for group in re.findall(r'<g class="node fm-state fm-terminal">.*?</g>', markup):
        assert group.count("<path") == 2


def test_several_pictures_share_a_page(export: Matrix, link: Link, engine: Engine) -> None:
    diagrams = [*overview(export, link), neighbourhood(export, "leased", link)]
    page = "".join(figure(diagram, markup) for diagram, markup in _drawn(diagrams, engine))
    identifiers = Counter(re.findall(r'\bid="([^"]*)"', page))
    assert set(identifiers.values()) == {1}
    for name in re.findall(r'aria-(?:labelledby|describedby)="([^"]*)"', page):
        assert name in identifiers


def _drawn(diagrams: list, engine: Engine) -> list:  # type: ignore[type-arg]
    markup = draw(diagrams, engine)
    return [(diagram, markup[diagram.id]) for diagram in diagrams]


def test_the_page_decides_on_size_and_font(export: Matrix, link: Link, engine: Engine) -> None:
    diagram = life(export, link)
    markup = draw([diagram], engine)[diagram.id]
    svg = drawing(markup)
    assert svg.get("viewBox") == f"0 0 {svg.get('width')} {svg.get('height')}"
    assert svg.get("role") == "group"
    for cut in ("font-family", "<!--", "<?xml", "DOCTYPE", 'pt"', "\n"):
        assert cut not in markup, cut


def test_words_are_in_the_middle_of_their_place(export: Matrix, link: Link, engine: Engine) -> None:
    diagram = life(export, link)
    for text in parts(draw([diagram], engine)[diagram.id]).iter(f"{SVG}text"):
        assert text.get("text-anchor") == "middle"


def test_the_same_picture_is_the_same_markup(export: Matrix, link: Link, engine: Engine) -> None:
    diagrams = overview(export, link)
    assert draw(diagrams, engine) == draw(diagrams[::-1], engine)
