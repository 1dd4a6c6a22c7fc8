"""This project's own scenarios hold, with their controls and orders; and what fails says where, and what came."""

from dataclasses import replace
from pathlib import Path

import pytest

from failure_matrix import source
from failure_matrix.evidence.loading import Suite, load_suites
from failure_matrix.evidence.orders import all_orders, run_orders
from failure_matrix.evidence.reading import ScenarioReader
from failure_matrix.evidence.running import Runner
from failure_matrix.loader import load
from failure_matrix.schema import shape, walk

ROOT = Path(__file__).parents[2]
SUITES = load_suites(ROOT / "matrix", ROOT, load(ROOT / "matrix", ROOT).project)
SCENARIOS = [(suite, scenario) for suite in SUITES.suites for scenario in suite.scenarios]
STEPPED = [pytest.param(*each, id=f"{each[0].id}/{each[1].id}") for each in SCENARIOS if each[1].orders is None]
ORDERED = [pytest.param(*each, id=f"{each[0].id}/{each[1].id}") for each in SCENARIOS if each[1].orders is not None]


def read(text: str, matrix=None):
    document, _, problems = source.read("s.yml", text)
    assert not problems
    _, problems = walk(document, shape("scenario"))
    assert not problems, problems
    reader = ScenarioReader(document, matrix, {})
    return reader.read(""), reader.problems


def test_all_scenarios_can_be_read():
    assert SUITES.problems == ()
    assert {suite.id for suite in SUITES.suites} >= {"design-export", "outbox-relay", "notification-drain"}


@pytest.mark.parametrize(("suite", "scenario"), STEPPED)
def test_a_scenario_holds_and_its_controls_break_what_they_say(server, suite: Suite, scenario):
    with Runner(server, suite.playbook) as runner:
        assert [str(each) for each in runner.run(scenario).breaks] == []
        for control in scenario.controls:
            played = runner.control(scenario, control)
            assert (control.cut, played.was_cut, played.broke) == (control.cut, True, control.breaks)


@pytest.mark.parametrize(("suite", "scenario"), ORDERED)
def test_orders_break_as_often_as_they_say(server, suite: Suite, scenario):
    run = run_orders(server, scenario, suite.playbook)
    assert (run.count, run.broken, run.limited) == (scenario.orders.count, scenario.orders.broken, False)
    assert (run.counterexample is None) == (run.broken == 0)


TABLES = """
title: t
tables: create table job (id int primary key, n int); insert into job values (1, 0)
"""


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("- a: select n from job\n  rows: [[1]]", "Step 1 (a): expected [[1]]; came [[0]]."),
        ("- a: update job set n = 1\n  count: 0", "Step 1 (a): expected 0 rows; came 1 row."),
        ("- a: select 1/0\n  rows: [[1]]", "Step 1 (a): expected no error; came error 22012 (division by zero)."),
        ("- a: select 1\n  error: '22012'", "Step 1 (a): expected error 22012; came [[1]]."),
        (
            "- a: select null\n  rows: [[null]]\n- a: select true\n  rows: [[f]]",
            "Step 2 (a): expected [[f]]; came [[t]].",
        ),
        ("- a: select 1\n  waits: b", "Step 1 (a): expected waiting for b; came [[1]]."),
        (
            "- a: begin\n- a: update job set n = 1\n- b: update job set n = 2\n  count: 1",
            "Step 3 (b): expected no waiting; came waiting for a.",
        ),
        (
            "- a: begin\n- a: update job set n = 1\n- b: update job set n = 2\n  waits: a\n- a: commit",
            "Step 4 (a): expected nobody else to wake; came b, with 1 row.",
        ),
        ("- a: begin\n  wakes: {b: {count: 1}}", "Step 1 (a): expected b to wake; came nothing."),
        (
            "- a: begin\n- a: update job set n = 1\n- b: update job set n = 2\n  waits: a\n- b: select 1",
            "Step 4 (b): expected b to go on; came nothing, it still waits.",
        ),
        ("- file: x\n  exists: true", "Step 1: expected the file; came none."),
        ("- a: {write: x}\n- file: x\n  exists: false", "Step 2: expected no file; came one."),
        (
            "- a: {sql: select %(mine)s}\n  rows: [[1]]",
            "Step 1 (a): expected no error; came error no value (The parameter `mine` has no value here.).",
        ),
    ],
)
def test_a_broken_step_says_what_came_instead(server, steps, message):
    scenario, problems = read(f"{TABLES}sessions: {{a: {{}}, b: {{}}}}\nsteps:\n{steps}\n")
    assert problems == []
    with Runner(server) as runner:
        (first, *_) = runner.run(scenario).breaks
    assert str(first) == message


def test_a_broken_step_has_its_place_in_the_file(server):
    scenario, _ = read(f"{TABLES}sessions: {{a: {{}}}}\nsteps:\n  - a: select 1\n  - a: select 2\n    rows: [[3]]\n")
    with Runner(server) as runner:
        (only,) = runner.run(scenario).breaks
    assert str(only.step.location) == "s.yml:7:5"


@pytest.mark.parametrize(
    ("steps", "message", "remedy"),
    [
        ("- row: [[1]]\n  a: select 1", "A step is of one session; this one has `row`, `a`.", ""),
        ("- b: select 1", "There is no session `b`.", "Known: a."),
        ("- a: {run: clam}", "There is no statement under `let` `clam`.", "Did you mean `claim`?"),
        ("- a: {do: claim}", "`do: claim` runs an action of a matrix, and no matrix belongs to this folder.", ""),
        ("- state: {is: x}", "`state` needs a matrix, and none belongs to this folder.", ""),
        (
            "- a: {worker: x}",
            "A step of a session says what it does: `do`, `run`, `sql`, `send`, `write` or `remove`.",
            "",
        ),
    ],
)
def test_names_that_lead_nowhere_are_problems(steps, message, remedy):
    if "row" in steps:
        steps = steps.replace("[[1]]", "select 1")
    _, problems = read(f"title: t\nsessions: {{a: {{}}}}\nlet: {{claim: select 1}}\nsteps:\n{steps}\n")
    assert (problems[0].message, problems[0].remedy) == (message, remedy)


RELAY = next(suite.playbook for suite in SUITES.suites if suite.id == "outbox-relay")
STRUCK = """
title: t
given: insert into outbox (id) values (1)
values: {event: 1}
sessions: {r1: {}, r2: {}}
steps:
  - r1: {do: claim}
  - kill: r1
    STATE
    fails: FAILURE
"""


def struck(state: str, failure: str):
    return read(STRUCK.replace("STATE", state).replace("FAILURE", failure), RELAY.matrix)


@pytest.mark.parametrize(
    ("failure", "messages", "cells"),
    [
        ("relay-killed", [], [("held", "relay-killed", "pending")]),
        ("broker-refuses", ["Step 2 (r1): expected broker-refuses in held to lead to held; came pending."], []),
        (
            "minute-passes",
            ["Step 2 (r1): expected minute-passes in a state in which it has an outcome; came held."],
            [],
        ),
    ],
)
def test_a_failure_is_held_to_its_outcome_and_shows_its_cell(server, failure, messages, cells):
    scenario, problems = struck("state: {event: 1, is: pending}", failure)
    assert problems == []
    with Runner(server, RELAY) as runner:
        played = runner.run(replace(scenario, tables=RELAY.tables))
    assert [str(each) for each in played.breaks] == messages
    found = [(each.state, each.action, each.target) for each in played.cells]
    assert found == [("pending", "claim", "held"), *cells]


def test_a_failure_that_is_none_or_happens_to_nobody_is_a_problem():
    _, problems = struck("state: {event: 1, is: pending}", "relay-kiled")
    assert [(each.message, each.remedy) for each in problems] == [
        ("There is no failure `relay-kiled`.", "Did you mean `relay-killed`?")
    ]
    _, problems = struck("note: It dies.", "relay-killed")
    assert [each.message for each in problems] == ["`fails` says by `state` which subject the failure happens to."]


def test_a_control_that_cuts_nothing_is_a_problem():
    steps = "title: t\nsessions: {a: {}}\nsteps:\n  - a: select 1 where  true\n"
    text = f"{steps}controls:\n  - {{cut: where true, breaks: []}}\n"
    assert read(text)[1] == []
    _, problems = read(text.replace("{cut: where true", "{cut: where false"))
    assert [(each.message, str(each.location)) for each in problems] == [
        ("`where false` stands nowhere in any statement that a step runs.", "s.yml:6:11")
    ]


def test_a_statement_that_reads_the_real_clock_is_a_problem():
    _, problems = read("title: t\nsessions: {a: {}}\nsteps:\n  - a: select current_timestamp\n")
    assert problems[0].message == "`current_timestamp` reads the real clock, which no scenario can set."


def test_what_a_walk_names_has_to_be_there(tmp_path):
    for name in ("design-export.yml", "owners.yml", "schemas/design-export.sql"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / "matrix" / name).read_text())
    walk_yml = tmp_path / "scenarios/design-export/walk.yml"
    walk_yml.parent.mkdir(parents=True)
    walk_yml.write_text("files:\n  discrad: {remove: x}\nsubjects:\n  epoch: [1]\n")
    problems = load_suites(tmp_path, tmp_path, load(tmp_path, tmp_path).project).problems
    assert [(each.message, each.remedy, each.location.line) for each in problems] == [
        ("There is no action `discrad`.", "Did you mean `discard`?", 2),
        ("There is no parameter `epoch`.", "Known: `job`, `generation`, `worker`, `candidate`, `digest`.", 4),
    ]


def test_actions_and_states_that_lead_nowhere_are_problems():
    matrix = load(ROOT / "matrix", ROOT).project.matrices["design-export"]
    text = "title: t\nsessions: {a: {}}\nsteps:\n  - a: {do: publsh}\n    state: {job: 1, is: orphn}\n"
    _, problems = read(text, matrix)
    assert [(each.message, each.remedy) for each in problems] == [
        ("There is no action `publsh`.", "Did you mean `publish`?"),
        ("There is no state `orphn`.", "Did you mean `orphan`?"),
    ]


def test_all_orders_are_the_interleavings():
    assert list(all_orders({"a": 2, "b": 1})) == [("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a")]
    assert sum(1 for _ in all_orders({"a": 5, "b": 5})) == 252


def test_a_crash_may_come_at_any_time_after_a_step():
    assert [order for order in all_orders({"a": 2, "b": 1}, ("a",)) if "!a" in order] == [
        ("a", "!a", "b"),
        ("a", "b", "!a"),
        ("b", "a", "!a"),
    ]


LOST_UPDATE = f"""{TABLES}
sessions: {{a: {{}}, b: {{}}}}
steps:
  - a: select n from job
    keep: {{n: n}}
  - a: {{sql: update job set n = %(n)s + 1}}
  - b: select n from job
    keep: {{n: n}}
  - b: {{sql: update job set n = %(n)s + 1}}
orders: all
never-at-end: select n from job where n < 2
"""


def test_the_shortest_counterexample_is_shown_and_parts_add_up(server):
    scenario, _ = read(LOST_UPDATE)
    whole = run_orders(server, scenario)
    assert (whole.count, whole.broken) == (6, 4)
    assert [step.session for step, _ in whole.counterexample.steps] == ["a", "b", "a", "b"]
    parts = [run_orders(server, scenario, shard=(part, 4)) for part in range(1, 5)]
    assert parts[0].joined(parts[1]).joined(parts[2]).joined(parts[3]) == whole


def test_the_limit_on_orders_is_said(server):
    scenario, _ = read(LOST_UPDATE)
    run = run_orders(server, scenario, limit=2)
    assert (run.count, run.limited) == (2, True)


BLOCKED = f"""{TABLES}
sessions: {{a: {{}}, b: {{}}}}
steps:
  - a: begin
  - a: update job set n = n + 1
  - a: commit
  - b: update job set n = n + 1
orders: all
never-at-end: select n from job where n < 2
"""


def test_a_waiting_session_is_no_fork(server):
    scenario, _ = read(BLOCKED)
    seen = []
    run = run_orders(server, scenario, progress=seen.append)
    assert (run.count, run.broken, seen) == (4, 0, [1, 2, 3, 4])


def test_a_session_that_never_lets_go_leaves_the_other_waiting(server):
    scenario, _ = read(BLOCKED.replace("  - a: commit\n", ""))
    run = run_orders(server, scenario)
    assert (run.count, run.broken) == (3, 3)
