"""Process interruption: real relays and drains are killed and stopped by signal at each of their steps."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from failure_matrix.evidence.stage import stage

ROOT = Path(__file__).parents[2]
WORKER = Path(__file__).with_name("real_worker.py")
LATER = 120


class Play:
    """A stage, a file that stands for what is outside, and workers on them."""

    def __init__(self, kind: str, server, played, outside: Path) -> None:
        self.kind, self.server, self.played, self.outside = kind, server, played, outside

    def start(self, pause: str) -> subprocess.Popen[str]:
        """A worker that waits at a step. Returns once it is there."""
        process = self._popen(pause)
        assert f"{pause}\n" in process.stdout  # reads up to that line
        return process

    def run(self) -> list[str]:
        """A worker that runs to its end: what it printed."""
        with self._popen("never") as process:
            said, _ = process.communicate()
        assert process.returncode == 0
        return said.splitlines()

    def _popen(self, pause: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(WORKER), self.kind, self.server.conninfo, self.played.schema]
        pipe = subprocess.PIPE
        return subprocess.Popen([*command, str(self.outside), pause], stdin=pipe, stdout=pipe, text=True)

    def sent(self) -> Counter[str]:
        """How often each message was sent."""
        return Counter(self.outside.read_text().split()) if self.outside.exists() else Counter()

    def ask(self, sql: str) -> object:
        """The only cell of a query's answer."""
        return self.played.look(sql).rows[0][0]


@pytest.fixture
def relay(server, tmp_path):
    with stage(server, (ROOT / "matrix/schemas/outbox-relay.sql").read_text()) as played:
        played.must("insert into outbox (id) select generate_series(1, 3)")
        yield Play("relay", server, played, tmp_path / "broker")


@pytest.fixture
def drain(server, tmp_path):
    with stage(server, (ROOT / "matrix/schemas/notification-drain.sql").read_text()) as played:
        played.must("insert into delivery (id) values (1)")
        yield Play("drain", server, played, tmp_path / "push-service")


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()


@pytest.mark.parametrize(
    ("step", "times"),
    [
        ("started", {"1": 1, "2": 1, "3": 1}),
        ("claimed", {"1": 1, "2": 1, "3": 1}),
        ("first published", {"1": 2, "2": 1, "3": 1}),
        ("published", {"1": 2, "2": 2, "3": 2}),
        ("marked", {"1": 2, "2": 2, "3": 2}),
        ("committed", {"1": 1, "2": 1, "3": 1}),
    ],
)
def test_a_relay_killed_at_any_step_loses_nothing(relay: Play, step, times):
    kill(relay.start(step))
    until_gone(relay)
    relay.run()
    assert relay.sent() == times
    assert relay.ask("select count(*) from outbox where published_at is null") == 0


def until_gone(play: Play) -> None:
    """Returns once the server has noticed that the client is gone."""
    own = "select count(*) from pg_stat_activity where pid <> pg_backend_pid() and query ilike '%outbox%'"
    for _ in range(1000):
        if play.ask(own) == 0:
            return
    raise AssertionError("the server has not noticed")


def test_a_relay_that_is_stopped_keeps_others_away_as_long_as_it_is_connected(relay: Play):
    stopped = relay.start("first published")
    stopped.send_signal(signal.SIGSTOP)
    relay.run()
    assert relay.sent() == {"1": 1}
    stopped.send_signal(signal.SIGCONT)
    stopped.communicate("go on\n")
    assert relay.sent() == {"1": 1, "2": 1, "3": 1}
    assert relay.ask("select count(*) from outbox where published_at is null") == 0


@pytest.mark.parametrize(("step", "pushes"), [("started", 1), ("claimed", 1), ("pushed", 2), ("recorded", 1)])
def test_a_drain_killed_at_any_step_leaves_a_lease_and_no_more(drain: Play, step, pushes):
    kill(drain.start(step))
    if step != "started":
        assert drain.run() == []
    drain.played.set_time(LATER)
    drain.run()
    assert drain.sent() == {"1": pushes}
    assert drain.ask("select status from delivery") == "sent"


def test_a_drain_that_is_stopped_past_its_lease_pushes_again_and_records_nothing(drain: Play):
    zombie = drain.start("claimed")
    zombie.send_signal(signal.SIGSTOP)
    drain.played.set_time(LATER)
    assert drain.run() == ["record-sent changed 1"]
    zombie.send_signal(signal.SIGCONT)
    said, _ = zombie.communicate("go on\n")
    assert said.split("\n")[0] == "record-sent changed 0"
    assert drain.sent() == {"1": 2}
    assert drain.ask("select claim_version from delivery") == 2
