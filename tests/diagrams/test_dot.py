"""The DOT text of the reference matrix's pictures, and what every picture has to show."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from many_states import many_states

from failure_matrix.diagrams import Diagram, Link, failures, life, neighbourhood, neighbourhoods, overview, recovery
from failure_matrix.model import Failure, Matrix, Outcome

EXPECTED = Path(__file__).parent / "expected"
Golden = Callable[[str, Path], None]


def pictures(matrix: Matrix, link: Link) -> dict[str, Diagram]:
    found = {"life": life(matrix, link), "failures": failures(matrix, link), "recovery": recovery(matrix, link)}
    around = {f"at-{state}": neighbourhood(matrix, state, link) for state in ("uncommitted", "orphan", "cancelled")}
    return {name: diagram for name, diagram in {**found, **around}.items() if diagram}


@pytest.mark.parametrize("name", ["life", "failures", "recovery", "at-uncommitted", "at-orphan", "at-cancelled"])
def test_drawings_of_the_reference_matrix(name: str, export: Matrix, link: Link, golden: Golden) -> None:
    diagram = pictures(export, link)[name]
    golden(diagram.dot, EXPECTED / f"{name}.dot")
    golden(diagram.narrow, EXPECTED / f"{name}-narrow.dot")
    golden("\n".join((diagram.description, "", *diagram.omitted, "")), EXPECTED / f"{name}.txt")


def test_hostile_titles(hostile: Matrix, link: Link, golden: Golden) -> None:
    golden(life(hostile, link).narrow, EXPECTED / "hostile.dot")


def test_every_arrow_is_in_some_picture(export: Matrix, link: Link) -> None:
    text = "\n".join(line for diagram in overview(export, link) for line in diagram.description.splitlines())
    for arrow in export.transitions():
        if arrow.source != arrow.target:
            source, target = (_title(export, state) for state in (arrow.source, arrow.target))
            lines = [line for line in text.splitlines() if line.startswith(f"{source} → {target}: ")]
            assert any(arrow.event.title in line for line in lines), arrow


def _title(matrix: Matrix, state: str) -> str:
    return matrix.states[state].title if state in matrix.states else "Outside this matrix"


def test_what_stays_in_its_state_is_named(export: Matrix, link: Link) -> None:
    noted = " ".join(note for diagram in overview(export, link) for note in diagram.omitted)
    for arrow in export.transitions():
        if arrow.source == arrow.target:
            assert arrow.event.title in noted, arrow


def test_all_neighbourhoods_are_those_of_each_state(export: Matrix, link: Link) -> None:
    assert list(neighbourhoods(export, link)) == [neighbourhood(export, state, link) for state in export.states]


def test_nothing_to_recover_from(export: Matrix, link: Link) -> None:
    spine = {state: replace(export.states[state], reversals=()) for state in export.spine_states()}
    actions = {name: replace(action, undo=None) for name, action in export.actions.items()}
    assert recovery(replace(export, states=spine, actions=actions, failures={}), link) is None


def test_states_that_only_failures_lead_to(export: Matrix, link: Link) -> None:
    dots = "".join(diagram.dot for diagram in neighbourhoods(export, link))
    marked = set(re.findall(r'tooltip="?([^"\]]*)', "".join(line for line in dots.splitlines() if "fm-fault" in line)))
    assert marked == {"Lapsed lease", "Unavailable artifact"}


def test_the_first_state_is_led_to_by_the_start(export: Matrix, link: Link) -> None:
    lost = Failure("lost", "Lost", outcomes=(Outcome("ready", ("uncommitted",)),))
    assert "fm-fault" not in neighbourhood(replace(export, failures={"lost": lost}), "uncommitted", link).dot


def test_without_a_path_everything_is_life(export: Matrix, link: Link) -> None:
    pathless = replace(export, spine=())
    assert "Lapsed lease → Taken over: Take over." in life(pathless, link).description


def test_without_a_start_nothing_is_drawn_of_a_path(export: Matrix, link: Link) -> None:
    diagram = life(replace(export, start=None, spine=()), link)
    assert "(start)" not in diagram.dot


def nodes(dot: str) -> int:
    """The boxes of a drawing, without the words of its arrows."""
    return dot.count("class=fm-outside") + dot.count('class="fm-state') + dot.count("class=fm-state")


@pytest.mark.parametrize("count", [41, 200, 1000])
def test_large_matrices_are_drawn_in_parts(count: int, link: Link) -> None:
    diagrams = overview(many_states(count), link)
    assert len({diagram.id for diagram in diagrams}) == len(diagrams) > 3
    for diagram in diagrams:
        assert 0 < nodes(diagram.dot) <= 160, diagram.title
        assert 0 < nodes(diagram.narrow) <= 160, diagram.title
    parts = [note for diagram in diagrams for note in diagram.omitted if "parts" in note]
    assert any(f"The matrix has {count} states, so this picture is drawn in" in note for note in parts)


def test_pictures_that_are_not_drawn_are_said(link: Link) -> None:
    last = next(diagram for diagram in overview(many_states(1000), link) if diagram.id.endswith("failures-4"))
    assert any(note.startswith("Parts 5 to ") for note in last.omitted)


def test_a_state_that_everything_leads_to(link: Link) -> None:
    diagram = neighbourhood(many_states(200), "s0", link)
    assert nodes(diagram.dot) <= 100
    assert any(note.startswith("The picture shows 40 arrows on each side") for note in diagram.omitted)
    assert len(diagram.description.splitlines()) > 190
