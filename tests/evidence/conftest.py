"""One server for the whole run of the tests, and a schema of its own for each test."""

from pathlib import Path

import pytest

pytest.importorskip("psycopg")

from failure_matrix.evidence.loading import load_suites
from failure_matrix.evidence.server import embedded
from failure_matrix.evidence.stage import stage
from failure_matrix.evidence.walking import walk
from failure_matrix.loader import load

ROOT = Path(__file__).parents[2]

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


@pytest.fixture(scope="session")
def design_export():
    """The suite of the design export."""
    suites = load_suites(ROOT / "matrix", ROOT, load(ROOT / "matrix", ROOT).project).suites
    return next(suite for suite in suites if suite.id == "design-export")


@pytest.fixture(scope="session")
def walked(server, design_export):
    """The design export, walked once for all tests. Don't change it."""
    return walk(server, design_export.playbook)
