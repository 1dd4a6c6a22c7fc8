"""HTTP: the answer to a publication is cut off before, amid and after its commit, and asking clears it up."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psycopg
import pytest

from failure_matrix.evidence.stage import stage
from failure_matrix.evidence.statements import bind
from failure_matrix.loader import load

ROOT = Path(__file__).parents[2]
ACTIONS = load(ROOT / "matrix", ROOT).project.matrices["design-export"].actions
VALUES = {"job": 1, "generation": 1, "worker": "A", "candidate": "exports/1/1", "digest": "abc"}
STATUS = {"ready": 202, "running": 202, "complete": 303, "cancelled": 410}
"""What `ask` says that is answered to whom asks for the export."""


class Handler(BaseHTTPRequestHandler):
    """Publishes at a POST, and at a GET says how the job stands. `X-Cut` says when the answer is lost."""

    conninfo = ""
    schema = ""

    def do_POST(self) -> None:
        cut = self.headers.get("X-Cut")
        if cut == "before":
            return self.hang_up()
        with self.database() as connection:
            cursor = connection.execute(bind(ACTIONS["publish"].run, VALUES))
            if cut == "amid":
                connection.close()  # as the death of this process would
                return self.hang_up()
            connection.commit()
        return self.hang_up() if cut == "after" else self.answer(200, f"{cursor.rowcount}")

    def do_GET(self) -> None:
        with self.database() as connection:
            (row,) = connection.execute(bind(ACTIONS["ask"].run, VALUES)).fetchall()
        self.answer(STATUS[row[0]], "")

    def database(self) -> psycopg.Connection:
        """A connection to the stage."""
        return psycopg.connect(self.conninfo, options=f"-c search_path={self.schema},pg_catalog")

    def answer(self, status: int, body: str) -> None:
        """Answer in full."""
        self.send_response(status)
        self.send_header("Content-Length", f"{len(body)}")
        self.end_headers()
        self.wfile.write(body.encode())

    def hang_up(self) -> None:
        """End the connection without an answer."""
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing in the output of tests."""


@pytest.fixture
def address(server) -> Iterator[tuple[str, int]]:
    """A server for one running job, whose worker A has generation 1."""
    with stage(server, (ROOT / "matrix/schemas/design-export.sql").read_text()) as played:
        played.must("insert into job (id, state) values (1, 'ready')")
        played.must(bind(ACTIONS["claim"].run, VALUES))
        handler = type("Bound", (Handler,), {"conninfo": server.conninfo, "schema": played.schema})
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as listening:
            thread = threading.Thread(target=listening.serve_forever)
            thread.start()
            yield ("127.0.0.1", listening.server_port)
            listening.shutdown()
            thread.join()


def ask(address: tuple[str, int], method: str, cut: str = "") -> tuple[int, str]:
    """The status and the body of the answer. Raises `ConnectionError` where none comes."""
    connection = http.client.HTTPConnection(*address)
    connection.request(method, "/exports/1", headers={"X-Cut": cut} if cut else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


@pytest.mark.parametrize(("cut", "status", "changed"), [("before", 202, "1"), ("amid", 202, "1"), ("after", 303, "0")])
def test_a_lost_answer_is_cleared_up_by_asking(address, cut, status, changed):
    with pytest.raises(ConnectionError):
        ask(address, "POST", cut)
    assert ask(address, "GET")[0] == status
    assert ask(address, "POST") == (200, changed)
    assert ask(address, "GET")[0] == 303
