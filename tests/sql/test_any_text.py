"""Whatever stands in `run`, reading it gives facts or a problem, never an exception."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from failure_matrix import sql
from failure_matrix.model import Authority, Source

AUTHORITY = Authority(Source("db", "Database", "postgresql"), "job", "epoch", "owner", "lease_until")

PIECES = """
    select insert into update delete from merge using on when matched then set where and or not in is null exists any
    ( ) , ; = <> < <= > >= + - * . values with as returning for skip locked limit 1 order by case else end
    on conflict do nothing begin commit rollback lock table truncate union all left join between like interval
    job j id epoch owner lease_until state %(generation)s %(job)s now() clock_timestamp() 'ready' '2' excluded.epoch
"""
FORMS = (
    "update job set state = 'done' where {}",
    "delete from job as j using ticket where {}",
    "with next as (select id from job where {} for update skip locked) update job set epoch = 1 from next where {}",
    "insert into job (id) values (1) on conflict (id) do update set epoch = 1 where {}",
    "merge into job using ticket on {} when matched and {} then update set state = 'done'",
    "{}",
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(FORMS), st.lists(st.sampled_from(PIECES.split()), max_size=14))
def test_words_in_any_order(form: str, words: list[str]) -> None:
    text = " ".join(words)
    assert isinstance(sql.facts(form.format(text, text), AUTHORITY), sql.Facts)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_any_characters(text: str) -> None:
    assert isinstance(sql.facts(text), sql.Facts)
