"""A subject looked at where it is: each observation's query is asked of its own database, each in one snapshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from failure_matrix.decision_table import DecisionTable
from failure_matrix.evidence.connection import Result
from failure_matrix.evidence.looking import SECONDS, Reader, reading
from failure_matrix.evidence.observing import Observed, Observer
from failure_matrix.model import Matrix, Observation

ANY = ""
"""The source that a database stands for where no source is named."""

NOT_GIVEN = Result(sqlstate="08001", message="no database was given for its source")


@dataclass(frozen=True, slots=True)
class Places:
    """Where to look: connection strings by the id of their source, or `ANY`; and the folder of the files, if any."""

    databases: Mapping[str, str]
    files: Path | None = None
    seconds: float = field(default=SECONDS)

    def database(self, observation: Observation) -> str | None:
        """The connection string of an observation's database."""
        source = observation.source.id if observation.source else ANY
        return self.databases.get(source, self.databases.get(ANY))


def look(matrix: Matrix, table: DecisionTable, places: Places, subject: Mapping[str, str]) -> Observed:
    """What is seen of a subject, which is given by its parameters.

    Raises `NoDatabase` where a server can't be reached or doesn't let us look.
    """
    observer = Observer(matrix, table, places.files)
    asked = list(observer.queries(subject))
    with ExitStack() as stack:
        readers = {
            database: stack.enter_context(reading(database, places.seconds))
            for database in dict.fromkeys(places.database(observation) for observation, _ in asked)
            if database is not None
        }

        def ask(_: Sequence[str]) -> list[Result]:
            return [answer(readers, places.database(observation), query) for observation, query in asked]

        return observer.observe(ask, subject)


def answer(readers: Mapping[str, Reader], database: str | None, query: str) -> Result:
    """The answer of a query's database."""
    return NOT_GIVEN if database is None else readers[database].ask(query)
