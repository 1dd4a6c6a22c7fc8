"""Sessions that wait, die and are dropped, and the settable clock, on a real server."""

import pytest

from failure_matrix.evidence.connection import Connection
from failure_matrix.evidence.stage import BadSchema, Stage


def rows(result):
    return [list(row) for row in result.rows]


def test_two_sessions_skip_each_others_locked_rows(jobs):
    claim = "select id from job where state = 'ready' order by id for update skip locked limit 1"
    jobs.step("a", "begin")
    jobs.step("b", "begin")
    assert rows(jobs.step("a", claim)) == [[1]]
    assert rows(jobs.step("b", claim)) == [[2]]


def test_the_loser_of_a_race_waits_and_then_changes_nothing(jobs):
    take = "update job set epoch = epoch + 1 where id = 1 and epoch = 0 returning epoch"
    jobs.step("b", "begin")
    assert rows(jobs.step("b", take)) == [[1]]
    assert jobs.step("c", take) is None
    assert jobs.blockers("c") == ("b",)
    assert list(jobs.woken()) == []
    jobs.step("b", "commit")
    ((name, result),) = jobs.woken()
    assert (name, result.rows, result.changed) == ("c", (), 0)


def test_under_repeatable_read_the_loser_gets_an_error(jobs):
    take = "update job set epoch = epoch + 1 where id = 1 and epoch = 0"
    jobs.step("b", "begin")
    jobs.step("c", "begin isolation level repeatable read")
    jobs.step("c", "select 1 from job")
    jobs.step("b", take)
    assert jobs.step("c", take) is None
    jobs.step("b", "commit")
    assert [result.sqlstate for _, result in jobs.woken()] == ["40001"]


def test_a_deadlock_ends_the_step_that_closed_the_circle(jobs):
    for name, own in (("a", 1), ("b", 2)):
        jobs.step(name, "begin")
        jobs.step(name, f"update job set epoch = 1 where id = {own}")
    assert jobs.step("a", "update job set epoch = 2 where id = 2") is None
    assert jobs.step("b", "update job set epoch = 2 where id = 1").sqlstate == "40P01"
    assert [(name, result.count) for name, result in jobs.woken()] == [("a", 1)]


def test_a_killed_client_takes_its_transaction_and_locks_with_it(jobs):
    jobs.step("a", "begin")
    jobs.step("a", "update job set state = 'running' where id = 1")
    assert jobs.step("b", "update job set state = 'cancelled' where id = 1 returning epoch") is None
    jobs.kill("a")
    assert [(name, rows(result)) for name, result in jobs.woken()] == [("b", [[0]])]


def test_a_client_that_is_killed_while_it_waits_is_gone(jobs):
    jobs.step("a", "begin")
    jobs.step("a", "update job set state = 'running' where id = 1")
    assert jobs.step("b", "update job set state = 'cancelled' where id = 1") is None
    jobs.kill("b")
    jobs.step("a", "commit")
    assert rows(jobs.look("select state from job where id = 1")) == [["running"]]


def test_a_dropped_session_learns_of_it_at_its_next_step(jobs):
    jobs.step("a", "begin")
    jobs.drop("a")
    assert jobs.step("a", "select 1").sqlstate == "57P01"
    assert jobs.step("a", "select 1").sqlstate == "08006"


def test_errors_come_with_their_sqlstate_and_constraint(jobs):
    result = jobs.step("a", "insert into job (id, state) values (1, 'ready')")
    assert (result.sqlstate, result.constraint) == ("23505", "job_pkey")


def test_rows_returned_are_not_rows_changed(jobs):
    selected = jobs.step("a", "select id from job")
    assert (selected.count, selected.changed) == (2, 0)
    joined = jobs.step("a", "with u as (update job set epoch = 1 where id = 1 returning id) select id from job")
    assert (joined.count, joined.changed) == (2, 0)
    updated = jobs.step("a", "update job set epoch = 1 where id = 1 returning id")
    assert (updated.count, updated.changed) == (1, 1)


def test_clock_timestamp_is_exact_and_moves_within_a_transaction_of_any_isolation(jobs):
    jobs.must("update job set lease_until = clock_timestamp() + interval '120 seconds'")
    lapsed = "select lease_until <= clock_timestamp(), lease_until <= now() from job where id = 1"
    jobs.step("a", "begin isolation level repeatable read")
    assert rows(jobs.step("a", lapsed)) == [["f", "f"]]
    jobs.set_time("119.999999")
    assert rows(jobs.step("a", lapsed)) == [["f", "f"]]
    jobs.set_time(120)
    assert rows(jobs.step("a", lapsed)) == [["t", "f"]]
    jobs.step("a", "rollback")
    assert rows(jobs.step("a", lapsed)) == [["t", "t"]]


def test_the_clock_does_not_go_back_with_a_rollback(jobs):
    jobs.step("a", "begin")
    jobs.set_time(60)
    jobs.step("a", "rollback")
    assert rows(jobs.look("select clock_timestamp()")) == [["2000-01-01 00:01:00+00"]]


def test_what_was_sent_stays_sent(jobs):
    jobs.step("a", "begin")
    jobs.send("broker", "it's 1")
    jobs.step("a", "rollback")
    assert rows(jobs.look("select receiver, message from sent order by at")) == [["broker", "it's 1"]]


def test_tables_that_cannot_be_created_are_said_so_and_leave_no_schema(server, tmp_path):
    with pytest.raises(BadSchema, match=r'type "inta" does not exist \(SQLSTATE 42704\)'):
        Stage(server, "create table job (id inta)", tmp_path)
    connection = Connection(server.conninfo)
    assert connection.run("select from pg_namespace where nspname like 'failure_matrix%'").count == 0
    connection.close()


def test_a_transaction_that_has_only_looked_holds_nothing_and_is_ended(jobs):
    jobs.step("a", "begin; select id from job where id = 9 for update skip locked")
    assert not jobs.has_begun_something("a")
    jobs.step("b", "begin; select id from job where id = 1 for update skip locked")
    assert jobs.has_begun_something("b")
    assert jobs.step("a", "select id from job where id = 1 for update skip locked").rows == ()


def test_a_session_that_another_one_has_ended_is_known_to_have_and_is_opened_anew(jobs):
    pid = jobs.step("a", "select pg_backend_pid()").rows[0][0]
    assert not jobs.has_ended("a")
    jobs.step("b", f"select pg_terminate_backend({pid}, 5000)")
    assert jobs.has_ended("a")
    jobs.retire("a")
    assert jobs.step("a", "select 1").rows == ((1,),)
