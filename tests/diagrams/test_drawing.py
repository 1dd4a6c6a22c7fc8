"""Drawing when something goes wrong: no engine, a slow one, one that fails, a cache that was cut off."""

from __future__ import annotations

import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from drawings import drawing, links

from failure_matrix.diagrams import Link, life, neighbourhood, overview
from failure_matrix.errors import NoEngine
from failure_matrix.model import Matrix
from failure_matrix.svg import Engine, draw, find_engine
from failure_matrix.svg import engine as programs
from failure_matrix.svg.batch import BATCH


def program(path: Path, text: str) -> Path:
    """A program of a few lines of shell."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def bundled() -> str:
    return find_engine().command[0]


@pytest.fixture
def no_scripts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment that pip has put no program into."""
    monkeypatch.setattr(programs, "_script_folders", lambda: iter((str(tmp_path / "none"),)))


def test_the_bundled_engine_comes_first() -> None:
    engine = find_engine()
    assert Path(engine.command[0]).parent == Path(sys.executable).parent
    assert "graphviz-pure version" in engine.version


@pytest.mark.usefixtures("no_scripts")
def test_dot_on_the_path_is_the_second(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    dot = program(tmp_path / "dot", "echo 'dot - graphviz version 9' >&2")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_engine() == Engine((str(dot),), "dot - graphviz version 9")


@pytest.mark.usefixtures("no_scripts")
def test_a_dot_that_does_not_run_is_no_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path / "dot", "echo broken >&2; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoEngine, match="No Graphviz program was found"):
        find_engine()


def test_a_chosen_engine_wins(tmp_path: Path, bundled: str) -> None:
    chosen = program(tmp_path / "mine", f'exec "{bundled}" "$@"')
    assert find_engine(str(chosen)).command == (str(chosen),)


def test_a_chosen_engine_that_is_missing() -> None:
    with pytest.raises(NoEngine, match=r"'no-such-dot' that was chosen was not found"):
        find_engine("no-such-dot")


def test_a_chosen_program_that_is_no_engine(tmp_path: Path) -> None:
    with pytest.raises(NoEngine, match="is no Graphviz program"):
        find_engine(str(program(tmp_path / "other", "echo other 1.0")))


@pytest.mark.usefixtures("no_scripts")
def test_no_engine_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoEngine, match=r"No Graphviz program was found.*install graphviz-pure with pip"):
        find_engine()


def test_an_engine_that_is_gone_when_it_is_needed(export: Matrix, link: Link, tmp_path: Path) -> None:
    with pytest.raises(NoEngine, match="does not start"):
        draw([life(export, link)], Engine((str(tmp_path / "gone"),), "graphviz 1"))


def test_a_drawing_is_kept(export: Matrix, link: Link, tmp_path: Path) -> None:
    engine = find_engine()
    first = draw(overview(export, link), engine, tmp_path)
    gone = replace(engine, command=(str(tmp_path / "gone"),))
    assert draw(overview(export, link), gone, tmp_path) == first


def test_another_engine_or_text_draws_anew(export: Matrix, link: Link, tmp_path: Path) -> None:
    engine, diagram = find_engine(), life(export, link)
    draw([diagram], engine, tmp_path)
    gone = Engine((str(tmp_path / "gone"),), engine.version)
    for changed, other in ((diagram, replace(gone, version="graphviz 1")), (replace(diagram, title="Other"), gone)):
        with pytest.raises(NoEngine):
            draw([changed], other, tmp_path)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"0" * 64 + b"\n<svg>half", None])
def test_a_damaged_entry_is_drawn_again(content: bytes | None, export: Matrix, link: Link, tmp_path: Path) -> None:
    engine, diagram = find_engine(), life(export, link)
    first = draw([diagram], engine, tmp_path)
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(entry.read_bytes()[:-20] if content is None else content)
    assert draw([diagram], engine, tmp_path) == first
    assert draw([diagram], Engine(("gone",), engine.version), tmp_path) == first


def test_several_builds_write_at_once(export: Matrix, link: Link, tmp_path: Path) -> None:
    engine, diagrams = find_engine(), overview(export, link)
    with ThreadPoolExecutor(4) as threads:
        drawn = list(threads.map(lambda _: draw(diagrams, engine, tmp_path), range(4)))
    assert all(one == drawn[0] for one in drawn)
    assert len(list(tmp_path.iterdir())) == len(diagrams)


def test_a_cache_that_cannot_be_written(export: Matrix, link: Link, tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("not a folder")
    assert "<svg" in draw([life(export, link)], find_engine(), occupied)[life(export, link).id]


def test_a_drawing_that_takes_too_long(
    export: Matrix, link: Link, tmp_path: Path, caplog: pytest.LogCaptureFixture, bundled: str
) -> None:
    """The one that is slow becomes a list of its arrows, and is not kept; the others are drawn."""
    slow = program(
        tmp_path / "slow",
        f"""
        graphs=$(cat)
        case "$graphs" in *export--life*) exec sleep 60 ;; esac
        printf %s "$graphs" | "{bundled}" "$@"
    """,
    )
    first, *others = overview(export, link)
    drawn = draw([first, *others], Engine((str(slow),), "graphviz slow"), tmp_path / "kept", limit=2)
    assert drawn[first.id].startswith('<div class="fm-diagram__instead"><p>Not drawn. Drawing it takes more than 2 sec')
    assert "<li>Valid lease → Confirmed publication: Publish.</li>" in drawn[first.id]
    assert all("<svg" in drawn[diagram.id] for diagram in others)
    assert len(list((tmp_path / "kept").iterdir())) == len(others)
    assert [record.getMessage() for record in caplog.records] == [
        f"The diagram {first.title!r}: Drawing it takes more than 2 seconds."
    ]


def test_an_engine_that_ends_with_an_error_after_a_whole_picture(
    export: Matrix, link: Link, tmp_path: Path, caplog: pytest.LogCaptureFixture, bundled: str
) -> None:
    """Upstream does so on some graphs. The picture is good, so it is kept, with a warning."""
    failing = program(tmp_path / "failing", f'"{bundled}" "$@"; echo lost 7 edges >&2; exit 1')
    diagram = life(export, link)
    drawn = draw([diagram], Engine((str(failing),), "graphviz failing"))[diagram.id]
    assert drawn == draw([diagram], find_engine())[diagram.id]
    assert caplog.messages == [f"The diagram {diagram.title!r}: The engine ended with an error. lost 7 edges"]


def test_an_engine_that_draws_nothing(
    export: Matrix, link: Link, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    failing = program(tmp_path / "failing", "cat > /dev/null; echo out of memory >&2; exit 1")
    diagram = life(export, link)
    drawn = draw([diagram], Engine((str(failing),), "graphviz failing"))[diagram.id]
    assert "Not drawn. The engine ended with an error. out of memory" in drawn
    assert caplog.messages == [f"The diagram {diagram.title!r}: The engine ended with an error. out of memory"]


def test_one_bad_drawing_costs_the_others_nothing(export: Matrix, link: Link) -> None:
    first, *others = overview(export, link)
    broken = replace(first, dot="digraph {", narrow="")
    drawn = draw([broken, *others], find_engine())
    assert "Not drawn." in drawn[broken.id]
    assert all(list(links(drawing(drawn[diagram.id]))) for diagram in others)


def test_more_drawings_than_one_process_makes(export: Matrix, link: Link) -> None:
    one = neighbourhood(export, "unavailable", link)
    many = [replace(one, id=f"copy-{number}", title=f"Copy {number}") for number in range(2 * BATCH // len(one.dot))]
    drawn = draw(many, find_engine())
    assert list(drawn) == [diagram.id for diagram in many]
    for diagram in many:
        assert f">{diagram.title}</title>" in drawn[diagram.id]
