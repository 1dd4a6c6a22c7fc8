"""A scenario's steps as lanes: who runs, who waits meanwhile, who goes on, and what each saw."""

from __future__ import annotations

import pytest

from failure_matrix.evidence.recorded import ResultRecorded, StateRecorded, StepRecorded
from failure_matrix.lanes import LaneCell, Outcome, lanes, lines_of_sql


def drawn(cell: LaneCell | None) -> str:
    if cell is None:
        return "-"
    came = f" -> {cell.outcome.words}" if cell.outcome else ""
    return f"{cell.kind}: {' / '.join(cell.text.splitlines())}{came}"


def picture(sessions: tuple[str, ...], *steps: StepRecorded) -> list[list[str]]:
    return [[drawn(cell) for cell in row.cells] for row in lanes(sessions, steps).rows]


def test_a_session_that_waits_is_drawn_until_it_goes_on() -> None:
    steps = (
        StepRecorded("a", "update job set owner = 'a'", count=1),
        StepRecorded("b", "update job set owner = 'b'", waits=("a",)),
        StepRecorded("a", "select 1", rows=((1,),)),
        StepRecorded("a", "commit", count=0, woke={"b": ResultRecorded(count=1)}),
        StepRecorded("b", "commit", count=0),
    )
    assert picture(("a", "b"), *steps) == [
        ["runs: update job / set owner = 'a' -> 1 row changed", "-"],
        ["-", "runs: update job / set owner = 'b' -> waits for a"],
        ["runs: select 1 -> 1 row", "waits: waits for a"],
        ["runs: commit", "goes on:  -> 1 row changed"],
        ["-", "runs: commit"],
    ]


def test_a_waiting_session_whose_client_dies_waits_no_longer() -> None:
    steps = (
        StepRecorded("b", "update job set owner = 'b'", waits=("a",)),
        StepRecorded("b", "the client dies", count=0),
        StepRecorded("a", "commit", count=0),
    )
    assert [row[1] for row in picture(("a", "b"), *steps)] == [
        "runs: update job / set owner = 'b' -> waits for a",
        "runs: the client dies",
        "-",
    ]


def test_what_belongs_to_no_session_crosses_all_lanes() -> None:
    seen = StateRecorded({"job": 1, "generation": None}, state="lapsed")
    [row] = lanes(("a", "b"), (StepRecorded("", "the clock shows 120 s", count=0, state=seen),)).rows
    assert row.cells == (None, None)
    assert drawn(row.all) == "runs: the clock shows 120 s"
    assert row.sight is not None
    assert (row.sight.subject, row.sight.state) == ("job 1, generation null", "lapsed")


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        (StepRecorded("a", "begin", count=0), None),
        (StepRecorded("a", "delete from job", count=0), Outcome("0 rows changed")),
        (StepRecorded("a", "select 1 where false", rows=()), Outcome("no row")),
        (StepRecorded("a", "select 1", rows=((None, True, 2.5, "x"),)), Outcome("1 row", ("null, true, 2.5, x",))),
        (
            StepRecorded("a", "select 1", rows=tuple((n,) for n in range(10))),
            Outcome("10 rows", (*(str(n) for n in range(8)), "and 2 more")),
        ),
        (
            StepRecorded("a", "commit", error="40001"),
            Outcome("error 40001: the transaction could not be serialized", is_error=True),
        ),
        (StepRecorded("a", "commit", error="XX000"), Outcome("error XX000", is_error=True)),
        (StepRecorded("a", "send 1, 2 to broker", count=2), Outcome("2 sent")),
        (StepRecorded("", "look for exports/1", count=0), Outcome("it is not there")),
        (StepRecorded("a", "write exports/1", rows=(("exports/1", "0ab"),)), None),
    ],
)
def test_what_came_of_a_step_is_said_in_words(step: StepRecorded, outcome: Outcome | None) -> None:
    [row] = lanes(("a",), (step,)).rows
    cell = row.all or row.cells[0]
    assert cell is not None
    assert cell.outcome == outcome


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        ("update job set state = 'ready' where id = 1 and epoch = 2", 4),
        ("select (select 1 from job where id = 1) as found", 1),
        ("insert into job values ('set this from where and')", 2),
        ("update job set note = 'from where and' where id = 1", 3),
        ("select id from outbox order by id for update skip locked", 4),
        ("begin; select 1", 2),
    ],
)
def test_clauses_begin_lines_but_not_within_parentheses_or_quotes(statement: str, lines: int) -> None:
    found = list(lines_of_sql(statement))
    assert len(found) == lines
    assert " ".join(line.strip() for line in found) == statement
