"""One server for the whole run of the tests, and a schema of its own for each test."""

import pytest

pytest.importorskip("psycopg")

from failure_matrix.evidence.server import embedded
from failure_matrix.evidence.stage import stage

JOBS = """
create table job (
  id int primary key,
  state text not null check (state in ('ready', 'running', 'complete', 'cancelled')),
  owner text,
  epoch int not null default 0,
  lease_until timestamptz
);
insert into job (id, state) values (1, 'ready'), (2, 'ready');
"""


@pytest.fixture(scope="session")
def server():
    with embedded() as running:
        yield running


@pytest.fixture
def jobs(server):
    with stage(server, JOBS) as played:
        yield played
