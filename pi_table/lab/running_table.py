"""Runs a real table in a separate process, as systemd would. Programs take the place of people.

Tests and measurements use it to examine the real program: its speed, its memory, and what happens
if it is killed.
"""

import os
import select
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final

import msgspec

from pi_table.common.errors import DeviceError

TIMEOUT_SECONDS: Final = 200.0
"""Timeout in seconds for each expected message. The first start of an emulated program takes 12 s
on a quiet machine, because it also compiles its modules."""
TRY_AGAIN: Final = 1.0
"""Seconds after which a finger without effect is lifted and touches again. A touch may have no
effect because a stopped table, when it continues, treats all waiting input as a single movement."""

PROGRAM: Final = (sys.executable, "-m", "pi_table")
"""The command of pi-table, without arguments."""

Message = dict[str, Any]


def cover_of(table: Message, cell: str) -> str | None:
    """Return the identity of a covered cell, from a message to the console; None if not covered."""
    covering: str | None = table["public"]["cells"][cell]["covered"]
    return covering


class Wire:
    """A connection for JSON lines over a Unix socket. Each read waits for a line."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(TIMEOUT_SECONDS)
        self._rest = b""
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise

    def send(self, *messages: Message) -> None:
        self._socket.sendall(b"".join(msgspec.json.encode(each) + b"\n" for each in messages))

    def read(self) -> Message:
        """Wait for the next message, and return it. Raises ConnectionError if the table closed the
        connection."""
        while b"\n" not in self._rest:
            data = self._socket.recv(65536)
            if not data:
                raise ConnectionError("The table hung up.")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        message: Message = msgspec.json.decode(line)
        return message

    def waiting(self, seconds: float = 0.0) -> bool:
        return b"\n" in self._rest or bool(select.select([self._socket], [], [], seconds)[0])

    def close(self) -> None:
        self._socket.close()


class Console(Wire):
    """A client that replaces the spymasters' screen. ``table`` is the newest message about the
    table."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._number = 0
        try:
            self.table: Message = super().read()
        except OSError:
            self.close()
            raise

    def read(self) -> Message:
        message = super().read()
        if message["kind"] != "answer":
            self.table = message
        return message

    def begin(self, act: str, seat: str = "operator", **fields: Any) -> int:
        """Send a request without waiting; return its number, by which `answer_to` finds the
        answer."""
        self._number += 1
        self.send({"id": self._number, "do": {"act": act, "seat": seat, **fields}})
        return self._number

    def ask(self, act: str, seat: str = "operator", **fields: Any) -> Message:
        return self.answer_to(self.begin(act, seat, **fields))

    def answer_to(self, number: int) -> Message:
        while True:
            message = self.read()
            if message["kind"] == "answer" and message["id"] == number:
                return message

    def do(self, act: str, seat: str = "operator", **fields: Any) -> Message:
        """Request an act, and wait until the table shows its effect. Raises AssertionError if it is
        refused."""
        answer = self.ask(act, seat, **fields)
        if not answer["ok"]:
            raise AssertionError(f"{act}: {answer['sentence']}")
        while self.read()["kind"] != "table":
            pass
        return answer

    @property
    def key(self) -> str:
        seat = next(seat for seat in self.table["may"] if seat.endswith("-spymaster"))
        letters: str = self.ask("look", seat)["told"]["key"]
        return letters

    def until(self, shown: Callable[[Message], bool]) -> Message:
        while not shown(self.table):
            self.read()
        return self.table

    def within(self, seconds: float, shown: Callable[[Message], bool]) -> bool:
        end = monotonic() + seconds
        while not shown(self.table):
            if not self.waiting(max(0.0, end - monotonic())):
                return False
            self.read()
        return True


def hear(manager: socket.socket, program: "subprocess.Popen[bytes]") -> str | None:
    """Return the next message that a program sends to systemd; None if it ends, or sends nothing
    within `TIMEOUT_SECONDS`."""
    ended = os.pidfd_open(program.pid)
    try:
        ready, _, _ = select.select([manager.fileno(), ended], [], [], TIMEOUT_SECONDS)
        return manager.recv(4096).decode() if manager.fileno() in ready else None
    finally:
        os.close(ended)


class RunningTable:
    """A running ``pi-table run``. Its journal, sockets and configuration are in ``folder``."""

    def __init__(
        self,
        folder: Path,
        settings: str = "",
        link: str | None = None,
        environment: dict[str, str] | None = None,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        """Start the table. ``settings`` is TOML for the configuration. ``link`` is the port of the
        simulated hardware, by default a socket in ``folder``. ``program`` takes the arguments of
        pi-table."""
        self.folder = folder
        self.link = Path(link) if link is not None else folder / "link.sock"
        self.log = folder / "log"
        self.config = folder / "table.toml"
        self.config.write_text(
            f'{settings}\n[simulated]\nlink = "{self.link}"\n'
            f'[paths]\nstate = "{folder / "state"}"\nruntime = "{folder / "run"}"\n'
        )
        notify = folder / "notify.sock"
        notify.unlink(missing_ok=True)
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(notify))
        self.started = monotonic()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*program, "run", "--config", str(self.config)],
                env=os.environ | {"NOTIFY_SOCKET": str(notify)} | (environment or {}),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def wait(self, state: str = "READY=1") -> float:
        """Wait until the table sends this state to systemd. Return the seconds since the table's
        start.

        Raises DeviceError, with the table's log, if the table ends or sends no such state in time.
        """
        while (said := hear(self.manager, self.process)) is not None:
            if said == state:
                return monotonic() - self.started
        raise DeviceError(f"The table did not say {state}: {self.log.read_text()}")

    def read_notifications(self) -> list[str]:
        found = []
        while select.select([self.manager], [], [], 0)[0]:
            found.append(self.manager.recv(4096).decode())
        return found

    def console(self) -> Console:
        return Console(self.folder / "run" / "console.sock")

    def public(self) -> Wire:
        return Wire(self.folder / "run" / "public.sock")

    def world(self) -> Wire:
        return Wire(self.link)

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        return self._wait_for_end()

    def kill(self) -> None:
        """Kill the table at once, as a power cut would. Its files stay as they are."""
        self.process.kill()
        self._wait_for_end()

    def _wait_for_end(self) -> int:
        status = self.process.wait(TIMEOUT_SECONDS)
        self.manager.close()
        return status

    def __enter__(self) -> "RunningTable":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self._wait_for_end()
