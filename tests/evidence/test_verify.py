"""`verify` runs everything, tells what is wrong with its place, and writes a record that a second run repeats."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from failure_matrix.evidence import verifying
from failure_matrix.evidence.loading import load_suites
from failure_matrix.evidence.shown import evidence_of
from failure_matrix.evidence.verifying import Options, differences, join, verify, write
from failure_matrix.loader import load

MATRIX = """\
schema: 1
title: Ticket
subject: One ticket.
start: {open: waiting}
tables: schemas/ticket.sql
parameters: {ticket: The ticket's id.}
sources: {db: {title: Database, kind: postgresql}}
observations:
  row:
    title: Row
    source: db
    sql: select coalesce((select state from ticket where id = %(ticket)s), 'none')
    values: {none: No row., waiting: Nobody has it., taken: Somebody has it.}
impossible:
  - when: {row: none}
    because: There is no such ticket.
states:
  waiting:
    title: Waiting
    when: {row: waiting}
    permitted: {take: taken}
    forbidden: {give-back: Nobody has it.}
  taken:
    title: Taken
    when: {row: taken}
    permitted: {give-back: waiting}
    forbidden: {take: Somebody has it.}
actions:
  open:
    title: Open
    requires: {row: none}
    sets: {row: waiting}
    run: insert into ticket values (%(ticket)s, 'waiting')
  take:
    title: Take
    requires: {row: waiting}
    sets: {row: taken}
    run: update ticket set state = 'taken' where id = %(ticket)s and state = 'waiting'
  give-back:
    title: Give back
    requires: {row: taken}
    sets: {row: waiting}
    run: update ticket set state = 'waiting' where id = %(ticket)s and state = 'taken'
"""
SCENARIO = """\
title: Of two that take a ticket, one gets it
given: insert into ticket values (1, 'waiting')
values: {ticket: 1}
sessions: {a: {}, b: {}}
steps:
  - a: {do: take}
    count: 1
    state: {ticket: 1, is: taken}
  - b: {do: take}
    count: 0
controls:
  - cut: and state = 'waiting'
    from: take
    breaks: [2]
"""
ORDERS = """\
title: In no order do both get it
given: insert into ticket values (1, 'waiting')
values: {ticket: 1}
sessions: {a: {}, b: {}}
steps:
  - a: {do: take}
  - b: {do: take}
  - b: {do: give-back}
orders: all
never: select id from ticket where state is null
count: 3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "ticket.yml": MATRIX,
        "schemas/ticket.sql": "create table ticket (id int primary key, state text not null)",
        "scenarios/ticket/take.yml": SCENARIO,
        "scenarios/ticket/orders.yml": ORDERS,
        "scenarios/ticket/walk.yml": "subjects: {ticket: [1]}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def run(server, monkeypatch):
    """`verify` on the server that all tests share."""
    monkeypatch.setattr(verifying, "_servers", lambda _: iter([server]))
    return lambda folder, **options: verify(folder, folder, Options(**options))


def change(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def told(verified) -> list[tuple[str, str, str]]:
    return [(each.rule, str(each.location), each.message) for each in verified.problems]


def evidence(folder: Path):
    suite = load_suites(folder, folder, load(folder, folder).project).suites[0]
    return evidence_of(folder, suite)


def test_what_holds_is_recorded_and_a_second_run_changes_nothing(folder, run):
    verified = run(folder)
    assert told(verified) == [
        ("606", "ticket.yml:38:10", "Nothing misses `id = %(ticket)s` where “take” is without it."),
        ("606", "ticket.yml:43:10", "Nothing misses `id = %(ticket)s` where “give-back” is without it."),
    ]
    assert verified.holds
    assert list(differences(folder, verified)) == ["ticket"]
    (path,) = write(folder, verified)
    assert json.loads(path.read_text())["scenarios"]["take"]["steps"][0] == {
        "session": "a",
        "ran": "update ticket set state = 'taken' where id = 1 and state = 'waiting'",
        "count": 1,
        "state": {"subject": {"ticket": 1}, "is": "taken"},
    }
    assert differences(folder, run(folder)) == {}


def test_what_would_change_is_shown_as_a_diff(folder, run):
    write(folder, run(folder))
    change(folder, "scenarios/ticket/take.yml", "ticket: 1}\nsessions", "ticket: 1, note: x}\nsessions")
    change(folder, "scenarios/ticket/take.yml", "    count: 0", "    rows: []")
    changed = differences(folder, run(folder))["ticket"]
    assert f"--- {folder.name}/evidence/ticket.json (recorded)" in changed
    assert '\n+   "holds": false,\n' in changed


def test_parts_add_up_to_the_whole(folder, run):
    whole = run(folder)
    parts = [run(folder, parts=(part, 3)) for part in (1, 2, 3)]
    assert [sorted(part.records["ticket"]["scenarios"]) for part in parts] == [
        ["orders"],
        ["orders", "take"],
        ["orders"],
    ]
    together = join(folder, folder, [part.records for part in reversed(parts)])
    assert together.records["ticket"] == whole.records["ticket"]
    assert together.problems == whole.problems
    with pytest.raises(ValueError, match=r"Parts \[\[1, 3\], \[3, 3\]\] of a record were given"):
        join(folder, folder, [parts[0].records, parts[2].records])


def test_every_cell_is_shown(folder, run):
    write(folder, run(folder))
    assert {cell: (its.status, its.by) for cell, its in evidence(folder).cells().items()} == {
        ("waiting", "take"): ("shown", ("walk", "take")),
        ("waiting", "give-back"): ("shown", ("walk",)),
        ("taken", "take"): ("shown", ("walk", "take")),
        ("taken", "give-back"): ("shown", ("walk",)),
    }


def test_another_statement_makes_the_evidence_stale_and_another_title_does_not(folder, run):
    write(folder, run(folder))
    change(folder, "scenarios/ticket/take.yml", "title: Of two that take", "title: Of any two that take")
    change(folder, "ticket.yml", "title: Give back", "title: Return")
    assert evidence(folder).stale == ()
    change(folder, "ticket.yml", "and state = 'taken'\n", "and state in ('taken')\n")
    assert evidence(folder).stale == ("orders", "walk")
    assert evidence(folder).cells()["waiting", "give-back"].status == "stale"
    assert evidence(folder).cells()["waiting", "take"].by == ("take",)


def test_without_a_record_nothing_is_shown(folder):
    assert not evidence(folder).exists
    assert {each.status for each in evidence(folder).cells().values()} == {"not shown"}


def test_a_failing_step_is_told_at_its_place(folder, run):
    change(folder, "scenarios/ticket/take.yml", "    count: 0", "    count: 1")
    verified = run(folder, scenarios=("take",))
    assert told(verified)[0] == (
        "602",
        "scenarios/ticket/take.yml:9:5",
        "“Of two that take a ticket, one gets it” does not hold. Step 2 (b): expected 1 row; came 0 rows.",
    )


def test_a_control_that_breaks_something_else_is_told(folder, run):
    change(folder, "scenarios/ticket/take.yml", "breaks: [2]", "breaks: [1]")
    (problem,) = told(run(folder, scenarios=("take",)))
    assert problem[2] == "Without `and state = 'waiting'` step 2 broke; expected was that step 1 would."


def test_a_broken_invariant_comes_with_the_shortest_way(folder, run):
    change(folder, "scenarios/ticket/orders.yml", "where state is null", "where state = 'taken'")
    (problem,) = run(folder, scenarios=("orders",)).problems
    assert problem.message == "“In no order do both get it” does not hold: 3 of 3 orders break it; expected 0 of 3."
    assert problem.related[0].message == (
        "The shortest way: a: update ticket set state = 'taken' where id = 1 and state = 'waiting'"
    )


def test_what_the_walk_contradicts_is_an_error_at_its_cell(folder, run):
    change(folder, "ticket.yml", "where id = %(ticket)s and state = 'waiting'", "where id = %(ticket)s")
    verified = run(folder, with_mutants=False)
    contradicted = [each for each in verified.problems if each.rule == "602" and "take in taken" in each.message]
    assert contradicted[0].message == (
        "take in taken (ticket 1): it changed 1 row although its `requires` does not hold (row=taken)."
    )
    assert contradicted[0].related[0].message.startswith("The way: the empty tables; open (ticket 1): insert into")
    assert not verified.holds
    write(folder, verified)
    assert evidence(folder).cells()["taken", "take"].status == "contradicted"


def test_tables_that_cannot_be_made_are_told_once_for_each_part(folder, run):
    change(folder, "schemas/ticket.sql", "create table", "create tabel")
    verified = run(folder)
    assert {each.rule for each in verified.problems} == {"602"}
    assert str(verified.problems[-1].location) == "ticket.yml:5:9"
    assert 'syntax error at or near "tabel"' in verified.problems[0].message


def test_one_scenario_is_run_and_the_rest_of_the_record_stays(folder, run):
    write(folder, run(folder))
    before = json.loads((folder / "evidence/ticket.json").read_text())
    change(folder, "scenarios/ticket/take.yml", "b: {do: take}", "b: {do: give-back}")
    change(folder, "scenarios/ticket/take.yml", "    count: 0", "    count: 1")
    verified = run(folder, scenarios=("take",))
    assert list(verified.records["ticket"]["scenarios"]) == ["take"]
    write(folder, verified)
    after = json.loads((folder / "evidence/ticket.json").read_text())
    assert after["walk"] == before["walk"]
    assert after["scenarios"]["orders"] == before["scenarios"]["orders"]
    assert after["scenarios"]["take"]["steps"][1]["count"] == 1


def test_versions_add_up_while_nothing_changes_and_are_those_of_the_whole(folder, run):
    def versions() -> list[str]:
        return json.loads((folder / "evidence/ticket.json").read_text())["versions"]

    verified = run(folder)
    write(folder, replace(verified, versions=("17.10",)))
    write(folder, replace(verified, versions=("18.6",)))
    assert versions() == ["17", "18"]
    change(folder, "scenarios/ticket/take.yml", "values: {ticket: 1}", "values: {ticket: 1, other: 2}")
    write(folder, replace(run(folder, scenarios=("take",)), versions=("18.6", "15.4")))
    assert versions() == ["18"]


def test_versions_that_disagree_are_told(folder, run, server, monkeypatch):
    other = replace(server, version="17.10")
    monkeypatch.setattr(verifying, "_servers", lambda _: iter([server, other]))
    assert run(folder, with_mutants=False).holds
    real = verifying.walk_record
    monkeypatch.setattr(verifying, "walk_record", lambda walked: real(walked) | {"tried": next(counted)})
    counted = iter([1, 2])
    messages = [each.message for each in run(folder, with_mutants=False).problems]
    assert f"PostgreSQL 17.10 shows something else than {server.version} under `walk`." in messages


def test_a_version_that_nobody_supports_any_more_is_told(folder, run, server, monkeypatch):
    monkeypatch.setattr(verifying, "_servers", lambda _: iter([replace(server, version="13.20")]))
    assert "604" in {each.rule for each in run(folder, with_mutants=False).problems}
