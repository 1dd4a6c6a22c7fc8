"""Nothing that a matrix says can make it write: hostile queries, asked of a real server by the one way there is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from failure_matrix.errors import NoDatabase
from failure_matrix.evidence.connection import Connection
from failure_matrix.evidence.looking import Reader, reading
from failure_matrix.evidence.server import Server

SHOP = """
create table job (id bigint primary key, state text not null);
insert into job values (1, 'ready'), (2, 'running');
create table trail (said text);
create sequence numbers;
create role keeper;
alter table trail owner to keeper;
grant insert on job to keeper;
create function note(said text) returns text language plpgsql as
  $$ begin insert into trail values (said); return said; end $$;
create function note_as_owner(said text) returns text language plpgsql security definer as
  $$ begin insert into trail values (said); return said; end $$;
alter function note_as_owner owner to keeper;
create function freed() returns text language plpgsql security definer as
  $$ begin perform set_config('transaction_read_only', 'off', false); insert into trail values ('freed');
     return 'freed'; end $$;
alter function freed owner to keeper;
create function programmed(command text) returns text language plpgsql as
  $$ begin execute format('copy (select 1) to program %L', command); return 'done'; end $$;
create function stubborn() returns text language plpgsql as
  $$ begin loop begin perform pg_sleep(60); exception when query_canceled then null; end; end loop; end $$;
create function strict_read(text) returns text language sql stable as $$ select $1 $$;
create role reader login;
grant pg_read_all_data, pg_read_all_stats to reader;
grant usage, update on sequence numbers to reader;
"""

LEFT = """
select (select json_agg(j order by id)::text from job j), (select count(*)::text from trail),
  (select is_called::text from numbers), (select count(*)::text from pg_largeobject_metadata),
  (select string_agg(relname, ',' order by relname) from pg_class where relnamespace = 'public'::regnamespace),
  (select count(*)::text from pg_locks where locktype = 'advisory')
"""
"""All that a query could have left behind."""


def to(server: Server, user: str) -> str:
    return server.conninfo.replace("dbname=postgres", "dbname=shop").replace("user=postgres", f"user={user}")


@pytest.fixture(scope="module")
def shop(server: Server) -> Iterator[Connection]:
    """A database with jobs and traps, as its owner sees it."""
    admin = Connection(server.conninfo)
    assert not admin.run("create database shop").failed
    owner = Connection(to(server, "postgres"))
    made = owner.run(SHOP)
    assert not made.failed, made.message
    yield owner
    owner.run("drop owned by reader, keeper")
    owner.close()
    admin.run("drop database shop with (force)")
    admin.run("drop role reader")
    admin.run("drop role keeper")
    admin.close()


@pytest.fixture
def reader(server: Server, shop: Connection) -> Iterator[Reader]:
    before = shop.run(LEFT).rows
    with reading(to(server, "reader"), seconds=0.5) as it:
        yield it
    assert shop.run(LEFT).rows == before
    assert before is not None


def test_a_query_is_answered(reader: Reader) -> None:
    assert reader.ask("select state from job where id = 2").rows == (("running",),)
    assert reader.ask("with own as (select 1 as one) select one from own -- a remark").rows == ((1,),)
    assert reader.ask("values (1), (2), (3);").count == 2
    assert reader.all("values (1), (2), (3)").count == 3


HOSTILE = {
    "insert into job values (3, 'ready')": "42601",
    "delete from job": "42601",
    "with gone as (delete from job returning id) select id from gone": "0A000",
    "select * into stolen from job": "42601",
    "select note('here')": "25006",
    "select note_as_owner('here')": "25006",
    "select freed()": "25001",
    "select state, note_as_owner(state) from job": "25006",
    "select nextval('numbers')": "25006",
    "select setval('numbers', 100)": "25006",
    "select id from job for update": "25006",
    "copy job to program 'touch {file}'": "42601",
    "copy (select 1) to '{file}'": "42601",
    "select programmed('touch {file}')": "42501",
    "select lo_export(lo_create(4711), '{file}')": "42501",
    "select pg_read_file('/etc/hostname')": "42501",
    "select 1; drop table job": "42601",
    "select 1; commit; drop table job": "42601",
    "commit": "42601",
    "rollback": "42601",
    "end": "42601",
    "set transaction read write": "42601",
    "set session characteristics as transaction read write": "42601",
    "select set_config('transaction_read_only', 'off', false)": "25001",
    "select set_config('transaction_read_only', 'off', true), note_as_owner('x')": "25001",
    "select set_config('role', 'keeper', false)": "42501",
    "do $$ begin perform note('x'); end $$": "42601",
    "explain analyze insert into job values (3, 'ready')": "42601",
    "prepare p as delete from job": "42601",
    "listen job": "42601",
    "discard all": "42601",
    "select pg_sleep(1000)": "57014",
    "with recursive forever as (select 1 union all select 1 from forever) select count(*) from forever": "57014",
    "select count(*) from generate_series(1, 1000000000000)": "57014",
    "select set_config('statement_timeout', '0', true), pg_sleep(1000)": "57014",
    "": "42601",
    ";": "42601",
    "-- nothing": "42601",
}


@pytest.mark.parametrize("query", HOSTILE)
def test_what_is_more_than_a_question_fails_and_the_next_is_answered(
    reader: Reader, query: str, tmp_path: Path
) -> None:
    file = tmp_path / "written"
    assert reader.ask(query.format(file=file) if "{file}" in query else query).sqlstate == HOSTILE[query]
    assert not file.exists()
    assert reader.ask("select count(*)::int from job").rows == ((2,),)
    assert reader.ask("show transaction_read_only").sqlstate == "42601"
    assert reader.ask("select current_setting('transaction_read_only')").rows == (("on",),)


def test_what_a_query_sets_is_forgotten_before_the_next(reader: Reader) -> None:
    reader.ask("select set_config('statement_timeout', '0', false), set_config('search_path', 'nowhere', false)")
    reader.ask("select set_config('default_transaction_read_only', 'off', false)")
    assert reader.ask("select current_setting('statement_timeout')").rows == (("500ms",),)
    assert reader.ask("select pg_sleep(1000)").sqlstate == "57014"
    assert reader.ask("select count(*)::int from job").rows == ((2,),)


def test_what_only_a_rollback_undoes_is_undone(reader: Reader) -> None:
    reader.ask("select lo_create(4711)")
    reader.ask("select pg_notify('job', 'x'), pg_advisory_xact_lock(1)")


def test_all_queries_see_one_snapshot(reader: Reader, shop: Connection) -> None:
    assert reader.ask("select count(*)::int from job").rows == ((2,),)
    shop.run("insert into job values (9, 'ready')")
    assert reader.ask("select count(*)::int from job").rows == ((2,),)
    assert reader.ask("select current_setting('transaction_isolation')").rows == (("repeatable read",),)
    shop.run("delete from job where id = 9")


def test_a_query_that_the_server_does_not_stop_is_given_up(server: Server, shop: Connection) -> None:
    reader = Reader(to(server, "reader"), seconds=0.2)
    with pytest.raises(NoDatabase, match="did not end in time"):
        reader.ask("select stubborn()")
    shop.run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader'")


def test_a_lost_connection_is_no_answer(reader: Reader, shop: Connection) -> None:
    shop.run("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'reader'")
    with pytest.raises(NoDatabase, match="does not let us look"):
        reader.ask("select 1")


WRITERS = {
    "grant insert on job to reader": "reader may write to job",
    "grant truncate on job to public": "reader may write to job",
    "grant update (state) on job to reader": "reader may write to job",
    "alter table job owner to reader": "reader may write to job",
    "alter table job owner to reader; revoke all on job from reader": "reader may write to job",
    "create role boss superuser; grant boss to reader": "it may act as boss",
    "alter role reader createrole": "reader may create roles, databases or replicas",
    "alter role reader replication": "reader may create roles, databases or replicas",
    "alter role reader superuser": "reader is a superuser",
    "grant pg_write_all_data to reader": "it may act as pg_write_all_data",
    "grant pg_execute_server_program to reader": "it may act as pg_execute_server_program",
    "grant keeper to reader with inherit false": "keeper may write to job",
    "grant keeper to reader with set false": "keeper may write to job",
    "alter function strict_read security definer": "it may call strict_read(text), which acts as postgres",
    "alter database shop owner to reader": "it may act as pg_database_owner",
}

MENDED = """
drop role if exists boss;
revoke all on job from reader, public; revoke update (state) on job from reader; alter table job owner to postgres;
alter role reader nosuperuser nocreaterole noreplication;
revoke pg_write_all_data, pg_execute_server_program, keeper from reader;
alter function strict_read security invoker; alter database shop owner to postgres; grant insert on job to keeper
"""


@pytest.mark.parametrize("grant", WRITERS)
def test_a_role_that_can_write_is_refused_before_anything_is_asked(
    server: Server, shop: Connection, grant: str
) -> None:
    granted = shop.run(grant)
    assert not granted.failed, granted.message
    try:
        with pytest.raises(NoDatabase) as refused:
            Reader(to(server, "reader"))
        assert WRITERS[grant] in str(refused.value)
    finally:
        assert not shop.run(MENDED).failed
    with reading(to(server, "reader")) as reader:
        assert reader.ask("select 1").rows == ((1,),)


def test_a_server_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase, match="can't be reached"):
        Reader(f"host={tmp_path} user=reader dbname=shop")


@pytest.mark.usefixtures("shop")
def test_many_can_look_at_once(server: Server) -> None:
    found = []

    def look() -> None:
        with reading(to(server, "reader")) as reader:
            found.append(reader.ask("select count(*)::int from job").rows)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [((2,),)] * 4
