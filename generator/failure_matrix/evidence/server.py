"""A PostgreSQL server of our own, which lives as long as a `with` block and leaves nothing behind.

It listens on a Unix socket in a private folder, never on TCP. A small shell script stands between us and the
server. It holds the reading end of a pipe whose writing end only we have, so it learns of our end however that
comes, a SIGKILL included, and then stops the server and removes the folder. Should the script itself be killed,
the next start sweeps up: a folder whose lock nobody holds belongs to nobody.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from failure_matrix.errors import NoDatabase
from failure_matrix.evidence.binaries import Binaries, choose
from failure_matrix.evidence.connection import Connection

PREFIX = "failure-matrix-"
SOCKET = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 100  # the kernels' limits are 103 and 107 bytes
UNPRIVILEGED = "nobody"
SECONDS_TO_START = 60

SUPERVISOR = """
trap '' INT TERM HUP
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
(read -r _; kill -QUIT "$server") <&3 &
exec 3<&-
wait "$server"
kill "$!" 2>/dev/null
cd / && rm -rf "$0"
"""
"""Run as `sh -c SUPERVISOR folder postgres …`, with the pipe as its standard input."""

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "40",
    "shared_buffers": "16MB",
    "logging_collector": "off",
    "log_min_messages": "fatal",
}


@dataclass(frozen=True, slots=True)
class Server:
    """A server that can be connected to: libpq's connection string, and the version, such as `18.6`.

    `folder` is a private place for files, which goes when we do.
    """

    conninfo: str
    version: str
    folder: Path


@contextlib.contextmanager
def embedded(version: str = "") -> Iterator[Server]:
    """A server that is started for the block and gone after it.

    `version` chooses among what is installed (`18`, `17.10`); empty takes the first. Raises `NoDatabase`.
    """
    if sys.platform == "win32":
        raise NoDatabase("The embedded server needs Unix sockets. Name a server with --dsn.")
    binaries = choose(version)
    with _private_folder() as folder:
        its_version = binaries.version()
        binaries = _reachable_binaries(binaries, folder)
        _make_data(binaries, folder, its_version)
        with _running(binaries, folder):
            yield Server(f"host={folder} port=5432 user=postgres dbname=postgres", its_version, folder)


@contextlib.contextmanager
def existing(dsn: str) -> Iterator[Server]:
    """A server that runs already. Raises `NoDatabase` where it can't be reached."""
    connection = Connection(dsn)
    try:
        number = int(str((connection.run("show server_version_num").rows or ((0,),))[0][0]))
    finally:
        connection.close()
    with _private_folder() as folder:
        yield Server(dsn, f"{number // 10000}.{number % 10000}", folder)


@contextlib.contextmanager
def _private_folder() -> Iterator[Path]:
    """A folder of the server's user, locked for as long as we live, and swept with all stale ones."""
    base = _short_base()
    _sweep(base)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    try:
        with (folder / "lock.new").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (folder / "lock.new").rename(folder / "lock")
            _give_away(folder)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _short_base() -> Path:
    """The temporary folder, or /tmp where sockets' paths get too long there or the server's user can't enter."""
    base = Path(tempfile.gettempdir()).resolve()
    too_long = len(os.fsencode(base / f"{PREFIX}12345678" / SOCKET)) > LONGEST_SOCKET_PATH
    return Path("/tmp") if too_long or not _reachable(base) else base


def _runs_as() -> pwd.struct_passwd | None:
    """The user that the server runs as, where that isn't our own: PostgreSQL refuses to run as root."""
    return pwd.getpwnam(UNPRIVILEGED) if os.geteuid() == 0 else None


def _identity() -> dict[str, Any]:
    user = _runs_as()
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _reachable(path: Path) -> bool:
    """Whether the server's user can read a file or enter a folder."""
    if _runs_as() is None:
        return True
    return all(step.stat().st_mode & 0o001 for step in (path, *path.parents))


def _give_away(folder: Path) -> None:
    user = _runs_as()
    if user is None:
        return
    for place, _, files in os.walk(folder):
        os.chown(place, user.pw_uid, user.pw_gid)
        for name in files:
            os.chown(Path(place) / name, user.pw_uid, user.pw_gid)


def _reachable_binaries(binaries: Binaries, folder: Path) -> Binaries:
    """The binaries themselves, or a copy where the server's user can't get at them."""
    if _reachable(binaries.program("postgres").resolve()):
        return binaries
    home = folder / "programs" / "package"
    copy = Binaries(home / binaries.root.name, binaries.libraries)
    for part in ("lib", "share"):
        shutil.copytree(binaries.root / part, copy.root / part, ignore=shutil.ignore_patterns("pgxs", "*.a"))
    copy.program("postgres").parent.mkdir()
    for name in ("postgres", "initdb"):
        shutil.copy(binaries.program(name), copy.program(name))
    if binaries.libraries is not None:
        shutil.copytree(binaries.libraries, home.with_name(binaries.libraries.name))
    folder.chmod(0o700)
    _give_away(folder)
    return copy


def _make_data(binaries: Binaries, folder: Path, version: str) -> None:
    """The server's data, copied from the cached template, which is made the first time."""
    data = folder / "data"
    template = _cache() / f"postgresql-{version}"
    if template.is_dir():
        shutil.copytree(template, data, symlinks=True)
        data.chmod(0o700)
        _give_away(data)
        return
    _initialise(binaries, folder, data)
    with contextlib.suppress(OSError):  # without a place for the cache, each run makes its own
        _cache().mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=_cache()))
        try:
            shutil.copytree(data, draft / "data", symlinks=True)
            (draft / "data").rename(template)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "failure-matrix"


def _initialise(binaries: Binaries, folder: Path, data: Path) -> None:
    command = [str(binaries.program("initdb")), "-D", str(data), "-U", "postgres", "-E", "UTF8", "--locale=C"]
    command += ["--auth=trust", "--no-sync", "--wal-segsize=1"]
    try:
        subprocess.run(
            command, cwd=folder, env=_environment(), check=True, capture_output=True, text=True, **_identity()
        )
    except subprocess.CalledProcessError as problem:
        raise NoDatabase(f"initdb failed: {problem.stderr.strip()}") from problem


def _environment() -> dict[str, str]:
    """Only what the programs need, so that a user's PG* variables change nothing."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


@contextlib.contextmanager
def _running(binaries: Binaries, folder: Path) -> Iterator[None]:
    command = [str(binaries.program("postgres")), "-D", str(folder / "data"), "-k", str(folder)]
    for name, value in SETTINGS.items():
        command += ["-c", f"{name}={value}"]
    reading, writing = os.pipe()
    with (folder / "log").open("w+") as log:
        supervisor = subprocess.Popen(
            ["/bin/sh", "-c", SUPERVISOR, str(folder), *command],
            stdin=reading,
            stdout=log,
            stderr=log,
            cwd=folder,
            env=_environment(),
            start_new_session=True,  # a Ctrl-C is for us; the server ends when we say so
            **_identity(),
        )
        os.close(reading)
        try:
            _wait_until_ready(supervisor, folder, log)
            yield
        finally:
            os.close(writing)
            _wait_until_gone(supervisor, folder)


def _wait_until_ready(supervisor: subprocess.Popen[bytes], folder: Path, log: IO[str]) -> None:
    """Waits for the line `ready` that the server writes into its pid file once it takes connections."""
    status = folder / "data" / "postmaster.pid"
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        if supervisor.poll() is not None:
            log.seek(0)
            raise NoDatabase(f"The PostgreSQL server did not start: {log.read().strip()}")
        with contextlib.suppress(OSError):
            if "ready" in status.read_text():
                return
        time.sleep(0.005)
    raise NoDatabase(f"The PostgreSQL server did not start within {SECONDS_TO_START} seconds.")


def _wait_until_gone(supervisor: subprocess.Popen[bytes], folder: Path) -> None:
    try:
        supervisor.wait(timeout=20)
    except subprocess.TimeoutExpired:
        _stop_server_of(folder)
        supervisor.kill()
        supervisor.wait()


def _sweep(base: Path) -> None:
    """Removes the folders whose owner died together with the script that should have cleaned up."""
    for lock in base.glob(f"{PREFIX}*/lock"):
        with contextlib.suppress(OSError), lock.open() as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _stop_server_of(lock.parent)
            shutil.rmtree(lock.parent, ignore_errors=True)


def _stop_server_of(folder: Path) -> None:
    """Stops the server whose data lie in a folder, after making sure that its number is still that process's."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        pid = int((folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        if Path(f"/proc/{pid}/cwd").readlink() == folder / "data":
            os.kill(pid, signal.SIGQUIT)
