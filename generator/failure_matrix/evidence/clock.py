"""The settable clock: functions that stand before PostgreSQL's own in the search path.

Statements say `clock_timestamp()`, as in production. The time is kept in a sequence, since that is the one thing
that every transaction sees at once, whatever its isolation level, and that no rollback takes back. `now()` stands
still within a transaction: it reads a setting of the session that is only renewed between transactions.
"""

from __future__ import annotations

from decimal import Decimal

MICROSECONDS = 1_000_000
BEGAN = "failure_matrix.began"
"""The session's setting that holds the time at which its transaction began, in microseconds."""

EPOCH = "2000-01-01 00:00:00+00"
"""The instant that the clock shows at second 0."""

FUNCTIONS = f"""
create sequence evidence_clock as bigint minvalue -9000000000000000 start 0;
create function clock_timestamp() returns timestamptz language sql volatile parallel unsafe as
  $$ select timestamptz '{EPOCH}' + last_value * interval '1 microsecond' from evidence_clock $$;
create function statement_timestamp() returns timestamptz language sql stable parallel unsafe as
  $$ select timestamptz '{EPOCH}' + last_value * interval '1 microsecond' from evidence_clock $$;
create function now() returns timestamptz language sql stable parallel unsafe as
  $$ select timestamptz '{EPOCH}' + current_setting('{BEGAN}')::bigint * interval '1 microsecond' $$;
create function transaction_timestamp() returns timestamptz language sql stable parallel unsafe as
  $$ select timestamptz '{EPOCH}' + current_setting('{BEGAN}')::bigint * interval '1 microsecond' $$;
"""
"""Made in the schema that comes first in the search path."""


def microseconds(seconds: Decimal | int | str) -> int:
    """A time of the clock in microseconds, from one in seconds."""
    return int(Decimal(seconds) * MICROSECONDS)


def set_clock(time: int) -> str:
    """The statement that sets the clock, in microseconds."""
    return f"select setval('evidence_clock', {time})"


def set_began(time: int) -> str:
    """The statement that tells a session, between transactions, what `now()` is."""
    return f"set {BEGAN} = '{time}'"
