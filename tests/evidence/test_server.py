"""The embedded server comes up, is private, and leaves nothing behind however its owner ends."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from failure_matrix.errors import NoDatabase
from failure_matrix.evidence import binaries as programs
from failure_matrix.evidence import server as servers

psycopg = pytest.importorskip("psycopg")

OWNER = """
import sys, time
from failure_matrix.evidence.server import embedded
with embedded() as server:
    print(server.conninfo, flush=True)
    time.sleep(600)
"""


def owner_of_a_server() -> subprocess.Popen[str]:
    command = [sys.executable, "-c", OWNER]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def folder_of(conninfo: str) -> Path:
    return Path(conninfo.split(maxsplit=1)[0].removeprefix("host="))


def wait_for(condition) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not condition():
        time.sleep(0.02)
    return condition()


def test_it_answers_on_a_socket_and_is_gone_after_the_block():
    with servers.embedded() as server, psycopg.connect(server.conninfo, autocommit=True) as connection:
        folder = folder_of(server.conninfo)
        assert connection.execute("show listen_addresses").fetchone() == ("",)
        assert connection.execute("show server_version").fetchone()[0].startswith(server.version)
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()


def test_an_exception_in_the_block_ends_it_too():
    folders = []

    def fail() -> None:
        with servers.embedded() as server:
            folders.append(folder_of(server.conninfo))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not folders[0].exists()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_its_owner_is_ended(how):
    with owner_of_a_server() as owner:
        conninfo = owner.stdout.readline().strip()
        pid = int((folder_of(conninfo) / "data" / "postmaster.pid").read_text().split()[0])
        owner.send_signal(how)
    assert wait_for(lambda: not folder_of(conninfo).exists())
    assert wait_for(lambda: not Path(f"/proc/{pid}").exists())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="tells processes apart by /proc")
def test_a_server_whose_supervisor_was_killed_with_its_owner_is_swept_at_the_next_start():
    with owner_of_a_server() as owner:
        conninfo = owner.stdout.readline().strip()
        pid = int((folder_of(conninfo) / "data" / "postmaster.pid").read_text().split()[0])
        supervisor = int(Path(f"/proc/{pid}/stat").read_text().split()[3])
        children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
        for shell in [*map(int, children), supervisor]:
            if shell != pid:
                os.kill(shell, signal.SIGKILL)
        owner.kill()
    assert folder_of(conninfo).exists()
    with servers.embedded():
        assert not folder_of(conninfo).exists()
    assert wait_for(lambda: not Path(f"/proc/{pid}").exists())


def test_a_long_temporary_folder_is_avoided(tmp_path, monkeypatch):
    long = tmp_path / ("x" * 90)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    with servers.embedded() as server, psycopg.connect(server.conninfo):
        assert folder_of(server.conninfo).parent == Path("/tmp")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user")
def test_root_copies_programs_that_the_servers_user_cannot_reach(tmp_path, monkeypatch):
    chosen = programs.choose()
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0o700)
    shutil.copytree(chosen.root, hidden / "package" / "pginstall")
    libraries = chosen.libraries and hidden / chosen.libraries.name
    if libraries:
        shutil.copytree(chosen.libraries, libraries)
    monkeypatch.setattr(servers, "choose", lambda _: programs.Binaries(hidden / "package" / "pginstall", libraries))
    with servers.embedded() as server, psycopg.connect(server.conninfo):
        folder = folder_of(server.conninfo)
        assert (folder / "programs").is_dir()
    assert not folder.exists()


def test_without_a_cache_each_start_makes_its_own_data(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/nowhere")
    with servers.embedded() as server, psycopg.connect(server.conninfo) as connection:
        assert connection.execute("select 1").fetchone() == (1,)


def test_a_version_that_is_not_installed_is_named_with_those_that_are():
    with pytest.raises(NoDatabase, match=r"No PostgreSQL 9\.6 was found\. Installed: .*\d+\.\d+"):
        programs.choose("9.6")


def test_programs_that_do_not_run_are_said_to(tmp_path):
    with pytest.raises(NoDatabase, match="does not run"):
        programs.Binaries(tmp_path).version()


def test_a_server_that_cannot_start_says_why(monkeypatch):
    monkeypatch.setitem(servers.SETTINGS, "shared_buffers", "no number")
    with pytest.raises(NoDatabase, match=r"did not start: .*shared_buffers"), servers.embedded():
        pass


def test_an_existing_server_is_asked_for_its_version():
    with servers.embedded() as server, servers.existing(server.conninfo) as same:
        assert same.version == server.version
    with pytest.raises(NoDatabase, match="can't be reached"), servers.existing(server.conninfo):
        pass
