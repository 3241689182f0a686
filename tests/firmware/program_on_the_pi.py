"""The controller's program for a Raspberry Pi, as a process; and the Pi's end of its line."""

import os
import select
import signal
import socket
import subprocess
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from patience import PATIENCE

from pi_table.devices.wire.codec import Deframer, frame
from pi_table.devices.wire.commands import Command, write
from pi_table.devices.wire.messages import Hello, Message, State, read
from pi_table.simulator.emulated import BUILT, PI_DEVICES, simulated_devices

PROGRAM: Final = BUILT / "pi-table-controller"


class World:
    """The control socket of the simulated devices."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self.shown: list[tuple[int, ...]] = []
        """Pulses of all frames that the lights have latched, as far as they were heard."""
        self.tell("watch")

    def tell(self, line: str) -> str:
        self._socket.sendall(line.encode() + b"\n")
        while self._is_shown(answer := self._lines.readline()):
            pass
        assert answer.startswith("ok"), answer
        return answer.removeprefix("ok").strip()

    def hear_the_rest(self) -> None:
        """Listen until the program ends."""
        while self._is_shown(self._lines.readline()):
            pass

    def _is_shown(self, line: str) -> bool:
        word, *values = line.split() or [""]
        if word == "shown":
            self.shown.append(tuple(int(each, 16) for each in values[2:]))
        return word == "shown"

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


class Line:
    """The Pi's end of the terminal."""

    def __init__(self, port: Path) -> None:
        self._fd = os.open(port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._fd)
        self._deframer = Deframer()
        self.said: list[Message] = []

    def say(self, command: Command, number: int) -> None:
        os.write(self._fd, frame(write(command, number)))

    def until(self, condition: Callable[[], bool]) -> None:
        """Listen until the condition holds of what was said."""
        while not condition():
            assert select.select([self._fd], [], [], PATIENCE)[0], self.said[-3:]
            for message in self._deframer.feed(os.read(self._fd, 4096)):
                meaning = read(message)
                assert meaning is not None
                self.said.append(meaning)

    @property
    def hellos(self) -> list[Hello]:
        return [each for each in self.said if isinstance(each, Hello)]

    @property
    def state(self) -> State | None:
        """Return the newest state."""
        return next((each for each in reversed(self.said) if isinstance(each, State)), None)

    @property
    def uptime_ms(self) -> int:
        """Return the time of the newest state, since the start; 0 without a state."""
        return 0 if self.state is None else self.state.uptime_ms

    def close(self) -> None:
        os.close(self._fd)


@contextmanager
def started(
    folder: Path,
    *options: str | Path,
    devices: bool = True,
    memory: Path | None = None,
    notify: Path | None = None,
) -> Iterator["subprocess.Popen[str]"]:
    """Run the program until the context ends, with the terminal ``folder/port`` and, with
    ``devices``, the control socket ``folder/control``."""
    command: list[str | Path] = [PROGRAM, "--tty", folder / "port", *options]
    environment = os.environ.copy()
    environment.pop("NOTIFY_SOCKET", None)
    if devices:
        environment |= simulated_devices(folder / "control")
    if devices and not options:
        command += PI_DEVICES
    if memory is not None:
        command += ["--memory", memory]
    if notify is not None:
        environment["NOTIFY_SOCKET"] = str(notify)
    program = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    with program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n", program.communicate()
        try:
            yield program
        finally:
            program.send_signal(signal.SIGCONT)
            program.kill()


def ended(program: "subprocess.Popen[str]") -> str:
    """End the program as systemd does, and return what it has complained of."""
    program.terminate()
    _, complaints = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0, complaints
    return complaints
