"""How statements become transactions, locks and clocks, and what is said of SQL that can't be read."""

from __future__ import annotations

import pytest

from failure_matrix import sql
from failure_matrix.model import Authority, Source

AUTHORITY = Authority(Source("db", "Database", "postgresql"), "job", "epoch", "owner", "lease_until")


def facts(statements: str) -> sql.Facts:
    return sql.facts(statements, AUTHORITY)


def test_each_statement_without_a_block_is_a_transaction_of_its_own() -> None:
    read = facts("select 1; update job set a = 1 where id = 1;")
    assert [part.explicit for part in read.transactions] == [False, False]
    assert not read.ends
    assert read.left_open is None


def test_a_block_is_one_transaction() -> None:
    read = facts("begin; select 1; update job set a = 1 where id = 1; commit")
    assert [[one.kind for one in part.statements] for part in read.transactions] == [
        ["begin", "read", "write", "commit"]
    ]
    assert not read.ends


def test_an_action_can_leave_its_transaction_open_and_another_can_end_it() -> None:
    opening = facts("start transaction isolation level serializable; select id from outbox for update skip locked")
    assert opening.left_open is not None
    assert [lock.table for lock in opening.left_open.locks] == ["outbox"]
    assert facts("update outbox set published_at = now() where id = any(%(batch)s); end").ends
    assert facts("rollback").ends
    assert not facts("rollback to savepoint before_send").ends


def test_which_rows_are_locked_and_which_are_passed_over() -> None:
    read = facts(
        "select 1 from job j join ticket t on t.job = j.id"
        " where j.state = 'ready' and t.state = 'open' for update of j skip locked"
    )
    assert [(lock.table, lock.skips) for lock in read.locks] == [("job", True)]
    assert [one.text for one in read.locks[0].comparisons] == ["j.state = 'ready'"]
    assert {(one.table, one.column) for one in read.statements[0].checks} == {
        *(("ticket", "job"), ("job", "id"), ("job", "state"), ("ticket", "state")),
    }
    assert [(lock.table, lock.skips) for lock in facts("select 1 from job for share nowait").locks] == [("job", False)]
    assert [lock.table for lock in facts("lock table job in exclusive mode").locks] == ["job"]
    assert not facts("select 1 from job").locks


def test_a_claim_reads_locks_and_changes_in_one_statement() -> None:
    [statement] = facts(
        "with next as (select id from job where state = 'ready' limit 1 for update skip locked)"
        " update job set epoch = epoch + 1, lease_until = now() + interval '2 minutes'"
        " from next where job.id = next.id returning job.id, job.epoch"
    ).statements
    [write] = statement.writes
    assert statement.reads == ("job",)
    assert write.returning == ("job.id", "job.epoch")
    assert [(one.column, one.operand, one.clock, one.ahead) for one in write.assignments] == [
        ("epoch", "column", None, None),
        ("lease_until", "clock", "transaction", 120),
    ]


@pytest.mark.parametrize(
    ("clock", "kind"),
    [
        ("clock_timestamp()", "real"),
        ("pg_catalog.clock_timestamp()", "real"),
        ("now()", "transaction"),
        ("current_timestamp", "transaction"),
        ("localtimestamp", "transaction"),
        ("transaction_timestamp()", "transaction"),
        ("statement_timestamp()", "statement"),
        ("clock_timestamp() at time zone 'utc'", "real"),
        ("%(t)s", None),
    ],
)
def test_which_instant_a_clock_gives(clock: str, kind: str | None) -> None:
    [statement] = facts(f"select 1 from job where lease_until > {clock}").statements
    assert [(one.role, one.operator, one.clock) for one in statement.checks] == [("lease", ">", kind)]


def test_a_comparison_is_quoted_as_it_was_written() -> None:
    [statement] = facts("select 1 from job where now() >= lease_until and lease_until < current_timestamp").statements
    assert [one.text for one in statement.checks] == ["now() >= lease_until", "lease_until < CURRENT_TIMESTAMP"]
    assert [one.operator for one in statement.checks] == ["<=", "<"]


@pytest.mark.parametrize(
    ("statement", "may_skip"),
    [
        ("update job set a = 1 where id = %(job)s", False),
        ("update job set a = 1 where id = %(job)s and state = 'ready'", True),
        ("update job set a = 1", False),
        ("insert into job (id) values (1)", False),
        ("insert into job (id) values (1) on conflict do nothing", True),
        ("insert into job (id) select id from request where accepted", True),
        ("insert into job (id) values (1) on conflict (id) do update set a = 1", False),
        ("insert into job (id) values (1) on conflict (id) do update set a = 1 where job.state = 'ready'", True),
        ("delete from job where id = any(%(jobs)s)", False),
        ("delete from job where finished_at < now() - interval '7 days'", True),
    ],
)
def test_whether_a_row_can_be_there_and_stay_as_it_is(statement: str, may_skip: bool) -> None:
    assert [write.may_skip for write in facts(statement).writes] == [may_skip]


@pytest.mark.parametrize(
    ("statement", "loose"),
    [
        ("with done as (update job set a = 1 returning id) select * from done", False),
        ("with done as (update job set a = 1 returning id) select count(*) from done", False),
        ("with done as (update job set a = 1 returning id) select * from job where id in (select id from done)", False),
        ("with done as (update job set a = 1 returning id) select * from done left join person using (id)", False),
        ("with done as (update job set a = 1 returning id) select * from job left join done using (id)", True),
        ("with done as (update job set a = 1 returning id) select * from done union all select id from job", True),
        ("with done as (update job set a = 1 returning id) select 1 where not exists (select from done)", True),
        ("with done as (insert into job values (1) on conflict do nothing returning id) select id from job", True),
        ("with gone as (delete from job returning id) insert into history select id from gone", False),
        ("update job set a = case when b then 1 else a end where id = 1 returning id", True),
        ("update job set a = case when b then 1 else 2 end where id = 1 returning id", False),
        ("update job set a = case when b then 1 else a end, tries = tries + 1 where id = 1 returning id", False),
    ],
)
def test_whether_rows_come_back_that_were_not_changed(statement: str, loose: bool) -> None:
    assert [bool(one.loose) for one in facts(statement).statements] == [loose]


@pytest.mark.parametrize(
    ("statements", "place", "words"),
    [
        ("selekt 1", (1, 1), "`selekt` does not begin a statement"),
        ("select 1;\n  update job sett a = 1", (2, 19), "`a`"),
        ("select 1;\n\nupdate job set a = (1\nwhere id = 2", (4, 1), "where"),
        ("select 'open", (1, 1), "Missing '"),
        ("select " + "(" * 20_000, (1, 1), "nested too deeply"),
    ],
)
def test_sql_that_cannot_be_read_is_told_with_its_place(statements: str, place: tuple[int, int], words: str) -> None:
    problem = facts(statements).problem
    assert problem is not None
    assert (problem.line, problem.column) == place
    assert words in problem.message


def test_what_can_be_read_is_read_beside_what_cannot() -> None:
    read = facts("update job sett a = 1; update job set a = 1 where id = %(job)s")
    assert read.problem is not None
    assert [write.strength for write in read.writes] == [sql.Strength.ID]


def test_other_statements_are_passed_over_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    read = facts(
        "set local lock_timeout = '5s'; call tidy(1); do $$ begin null; end $$; notify jobs; explain select 1; ;"
    )
    assert read.problem is None
    assert read.writes == ()
    assert [one.limits for one in read.statements] == ["lock_timeout", "", "", "", ""]
    assert caplog.text == ""


def test_nothing_says_nothing() -> None:
    assert facts("") == facts("-- only a remark") == sql.Facts()
