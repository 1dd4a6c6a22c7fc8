"""The matrix's own observations are asked of a database and a folder, and what they do not tell is unknown."""

from dataclasses import replace
from pathlib import Path

import pytest

from failure_matrix.evidence.loading import load_suites
from failure_matrix.evidence.observing import Observer, one_by_one, path_in
from failure_matrix.evidence.playing import write
from failure_matrix.evidence.stage import stage
from failure_matrix.loader import load

ROOT = Path(__file__).parents[2]
SUITES = load_suites(ROOT / "matrix", ROOT, load(ROOT / "matrix", ROOT).project).suites
BOOK = next(suite.playbook for suite in SUITES if suite.playbook)
SUBJECT = {"job": 1, "generation": 1}
RUNNING = "insert into job (id, state, epoch, lease_until) values (1, 'running', 1, clock_timestamp() + interval '9 s')"


@pytest.fixture
def played(server):
    with stage(server, BOOK.tables) as it:
        yield it


def observe(played, subject=SUBJECT, **sql):
    """What is seen of a subject, with other queries for some observations."""
    observations = {name: replace(its, sql=sql.get(name, its.sql)) for name, its in BOOK.matrix.observations.items()}
    matrix = replace(BOOK.matrix, observations=observations)
    return Observer(matrix, BOOK.table, played.store).observe(one_by_one(played.look), subject)


def test_nothing_requested_is_outside(played):
    seen = observe(played)
    assert seen.values == {
        "job": "invisible",
        "age": "fresh",
        "writer": "none",
        "generation": "none",
        "lease": "none",
        "candidate": "absent",
    }
    assert seen.state == "outside"


def test_a_row_and_a_file_give_a_state(played):
    played.must(RUNNING)
    write(played.store, "exports/1/1", "bytes")
    assert observe(played).state == "leased"
    played.set_time(9)
    assert observe(played).state == "lapsed"


def test_a_digest_tells_a_damaged_file(played):
    digest = write(played.store, "exports/1/1", "bytes").rows[0][1]
    played.must(
        f"insert into job (id, state, epoch, candidate, digest) values (1, 'complete', 1, 'exports/1/1', '{digest}')"
    )
    assert observe(played).state == "published"
    write(played.store, "exports/1/1", "other bytes")
    assert observe(played).values["candidate"] == "damaged"
    assert observe(played).state == "unavailable"


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("select state from jobs", 'relation "jobs" does not exist'),
        ("select 'paused'", "gave 'paused', which is none of its values"),
        ("select null", "no value"),
        ("select 1 where false", "no value"),
        ("select %(shard)s", "The parameter `shard` has no value here."),
        ("", "has to be asked (postgresql)"),
    ],
)
def test_a_query_that_tells_nothing_gives_unknown(played, query, reason):
    assert observe(played, job=query).unknown == {"job": reason}


def test_a_query_that_takes_too_long_gives_unknown(played):
    played.must("set statement_timeout = '20ms'")
    assert observe(played, job="select pg_sleep(5)").unknown == {"job": "timed out"}


def test_a_query_that_is_not_allowed_gives_unknown(played):
    played.must(f"create role evidence_reader; grant usage on schema {played.schema} to evidence_reader")
    played.must("set role evidence_reader")
    unknown = observe(played).unknown
    played.must(f"reset role; revoke usage on schema {played.schema} from evidence_reader; drop role evidence_reader")
    assert unknown["job"] == "not allowed"


def test_what_is_known_may_leave_one_state(played):
    played.must(RUNNING)
    assert observe(played, lease="").state is None
    assert observe(played, lease="").states == ("leased", "lapsed")
    assert observe(played, writer="").state == "leased"


def test_a_missing_parameter_leaves_the_states_that_fit(played):
    seen = observe(played, {"job": 1})
    assert set(seen.unknown) == {"generation", "candidate"}
    assert set(seen.states) == {"outside", "orphan"}


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x"])
def test_a_path_cannot_lead_out_of_the_store(tmp_path, name):
    with pytest.raises(ValueError, match="leads out of the store"):
        path_in(tmp_path, name)


RELAY = next(suite.playbook for suite in SUITES if suite.id == "outbox-relay")


@pytest.mark.parametrize(
    ("rows", "seconds", "depth", "oldest"),
    [
        (0, "0", "none", "fresh"),
        (1, "59.999999", "some", "fresh"),
        (1, "60", "some", "late"),
        (100, "0", "some", "fresh"),
        (101, "0", "backlog", "fresh"),
    ],
)
def test_a_number_gives_the_range_that_it_lies_in(server, rows, seconds, depth, oldest):
    with stage(server, RELAY.tables) as played:
        played.must(f"insert into outbox (id) select generate_series(1, {rows})")
        played.set_time(seconds)
        seen = Observer(RELAY.matrix, RELAY.table, played.store).observe(one_by_one(played.look), {"event": 1})
    assert (seen.values["depth"], seen.values["oldest"]) == (depth, oldest)


def test_a_number_in_no_range_and_no_number_at_all_give_unknown(server):
    depth = RELAY.matrix.observations["depth"]
    with stage(server, RELAY.tables) as played:
        for query, reason in (("-1", "gave '-1', which is none of its values"), ("'many'", "gave 'many', which is")):
            observations = {**RELAY.matrix.observations, "depth": replace(depth, sql=f"select {query}")}
            matrix = replace(RELAY.matrix, observations=observations)
            seen = Observer(matrix, RELAY.table, played.store).observe(one_by_one(played.look), {"event": 1})
            assert seen.unknown["depth"].startswith(reason)
