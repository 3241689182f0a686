"""A real PostgreSQL with a Unix socket in a folder of its own, for as long as tests need it."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

import psycopg
import pytest
from patience import PATIENCE

PROGRAMS: Final = Path("/usr/lib/postgresql/15/bin")
USER: Final = "postgres"
"""The server does not run as root."""


class Postgres:
    """A server, whose data stay the same when it is started again. What it says of a commit holds
    where the server is killed; a power cut would be another matter (``fsync`` is off)."""

    def __init__(self) -> None:
        # Not below pytest's folder, into which the server's user may not look.
        self.folder = Path(tempfile.mkdtemp(prefix="pg-"))
        self._data = self.folder / "data"
        self.log = self.folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0

    def __enter__(self) -> Self:
        if os.geteuid() == 0:
            user = pwd.getpwnam(USER)
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        make = [str(PROGRAMS / "initdb"), "-D", str(self._data), "-U", USER, "-A", "trust"]
        done = subprocess.run(
            self._as_user([*make, "-E", "UTF8", "--no-sync"]), capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        assert self._process is None
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",
            "shared_buffers": "32MB",
        }
        given = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._as_user([str(PROGRAMS / "postgres"), "-D", str(self._data), *given]),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            try:
                psycopg.connect(self.address("postgres")).close()
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError(f"PostgreSQL does not start: {self.log.read_text()}")

    def stop(self) -> None:
        """End the server at once, as a crash does: it recovers when it is started again."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(PATIENCE)
            self._process = None

    def kill(self) -> None:
        """Kill all its processes at once."""
        assert self._process is not None
        own = self._process.pid
        others = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        for pid in (own, *map(int, others)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait(PATIENCE)
        self._process = None

    def new_database(self, encoding: str = "UTF8") -> str:
        """The address of a new, empty database."""
        self._databases += 1
        name = f"games{self._databases}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(
                f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' "
                "LC_COLLATE 'C' LC_CTYPE 'C'".encode()
            )
        return self.address(name)

    def address(self, name: str, user: str = USER) -> str:
        return f"postgresql:///{name}?host={self.folder}&user={user}"

    @staticmethod
    def _as_user(command: list[str]) -> list[str]:
        if os.geteuid() != 0:
            return command
        return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command]


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running
