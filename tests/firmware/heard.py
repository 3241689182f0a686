"""The controller of the Pi as a program, with a socket on which it tells systemd its state."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from patience import PATIENCE

from pi_table.simulator.emulated import running


class Heard:
    """A running program. ``told`` has the newest state of each part."""

    def __init__(self, folder: Path, socket: socket.socket) -> None:
        self.port = folder / "port"
        self.told: dict[str, str] = {}
        self._control = folder / "control"
        self._socket = socket

    def tell(self, line: str) -> str:
        """Give the simulated devices a command; return their answer."""
        with socket.socket(socket.AF_UNIX) as world:
            world.connect(str(self._control))
            world.sendall(f"{line}\n".encode())
            with world.makefile("r") as answers:
                answer = answers.readline()
        assert answer.startswith("ok"), answer
        return answer

    def wait(
        self, until: Callable[[dict[str, str]], bool], pad: str | None = None
    ) -> dict[str, str]:
        """Read messages until the states are as wanted. Meanwhile lay a finger on ``pad`` for a
        second, lift it for one, and so on: a finger that was there before the chips had started
        would be part of their baselines."""
        messages = count()
        while not until(self.told):
            if pad is not None:
                self.tell(f"shape 0 {pad} 20:{30 * (next(messages) // 4 % 2)}")
            for line in self._socket.recv(4096).decode().splitlines():
                if line.startswith("STATUS="):
                    parts = line.removeprefix("STATUS=").split("; ")
                    self.told = dict(part.split(": ", 1) for part in parts)
        return self.told


@contextmanager
def heard(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    devices: Sequence[str],
    memory: Path | None = None,
) -> Iterator[Heard]:
    """Run the program with these options for its devices."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(folder / "notify"))
        manager.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", str(folder / "notify"))
        with running("pi", folder / "port", folder / "control", memory, devices=devices):
            yield Heard(folder, manager)
