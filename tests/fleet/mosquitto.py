"""A real Mosquitto on a port of this machine's own loopback, for as long as a test needs it."""

import os
import resource
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from patience import PATIENCE
from ports import free_port

from pi_table.fleet.provisioning.broker_files import OPEN_FILES

PROGRAM: Final = os.environ.get("MOSQUITTO", "/usr/sbin/mosquitto")
"""The broker; ``MOSQUITTO`` names one of another version."""
OPEN: Final = ("allow_anonymous true",)
"""The configuration of a broker that takes everybody."""
RELOADS: Final = "Reloading config."
RUNNING: Final = " running\n"
"""The end of the line that a broker writes shortly before it minds signals."""
TRIES: Final = 5
"""Ports that are tried: between finding a free one and taking it somebody else may take it."""


class Mosquitto:
    """A broker with these lines of configuration, which stand behind its one ``listener`` line.

    Its ``port`` stays the same when it is started again, and so does ``folder``, where its
    configuration, its log and what it keeps lie. It writes what it keeps to the disk only where the
    lines say ``persistence true``.
    """

    def __init__(self, folder: Path, *lines: str) -> None:
        self.folder = folder
        self.log = folder / "mosquitto.log"
        self.port = 0
        self.lines = lines or OPEN
        """The lines of its configuration."""
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The number of the broker's process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the broker, and wait until it minds signals. Raises AssertionError, with its log,
        where it never does."""
        assert self._process is None, "The broker runs already."
        ports = [self.port] if self.port else [free_port() for _ in range(TRIES)]
        for port in ports:
            if self._started(port):
                self.port = port
                return
        raise AssertionError(f"Mosquitto does not start: {self.log.read_text()}")

    def stop(self) -> None:
        """End the broker as a machine does that is switched off. May be called again, with no
        effect."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End the broker as a power cut does."""
        self._end(signal.SIGKILL)

    def reload(self) -> None:
        """Have the broker read its passwords and rights anew; whoever connects after this meets
        them."""
        assert self._process is not None
        before = self.log.read_text().count(RELOADS)
        self._process.send_signal(signal.SIGHUP)
        until = time.monotonic() + PATIENCE
        while self.log.read_text().count(RELOADS) == before:
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.01)

    def freeze(self) -> None:
        """Let the broker stand still: its connections stay open, and nothing is answered."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a broker that stands still go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _started(self, port: int) -> bool:
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = self.folder / "mosquitto.conf"
        first = ["user root"] if os.geteuid() == 0 else []
        settings.write_text("\n".join([*first, f"listener {port} 127.0.0.1", *self.lines]) + "\n")
        with self.log.open("ab") as log:
            before = self.log.read_text().count(RUNNING)
            process = subprocess.Popen(
                [PROGRAM, "-c", str(settings), "-v"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        as_its_unit = min(OPEN_FILES, hard)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (as_its_unit, as_its_unit))
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and process.poll() is None:
            if self.log.read_text().count(RUNNING) > before:
                _wait_for_an_answer(port)
                self._process = process
                return True
            time.sleep(0.01)
        process.kill()
        process.wait()
        return False

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGCONT)
        self._process.send_signal(how)
        self._process.wait(PATIENCE)
        self._process = None


def _wait_for_an_answer(port: int) -> None:
    """Wait until the broker hangs up on what is neither a packet nor TLS. It forgets a SIGTERM that
    comes between its line "running" and its loop."""
    with (
        suppress(ConnectionResetError),
        socket.create_connection(("127.0.0.1", port), PATIENCE) as door,
    ):
        door.sendall(bytes(16))
        door.recv(1)


def with_passwords(folder: Path, users: dict[str, str]) -> tuple[str, ...]:
    """Lines of configuration for a broker that takes these users, by their passwords, and nobody
    else."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "passwords"
    file.write_text("".join(f"{user}:{password}\n" for user, password in users.items()))
    subprocess.run(["mosquitto_passwd", "-U", str(file)], check=True)
    return "allow_anonymous false", f"password_file {file}"
