"""The GPIO lines of QEMU's arm64 machine, from outside: contacts that close to ground, and a lamp.

QEMU's protocol for tests (`-qtest`) runs beside an ordinary machine here. It sets what comes in at
the lines of the pl061, and reads the chip's own register of them.
"""

import select
import socket
from pathlib import Path
from typing import Final

from machine import Machine

CHIP: Final = 0x0903_0000
"""Where the pl061 stands in the memory of QEMU's machine `virt`."""
LINES: Final = 8
POWER_BUTTON: Final = 3
"""The line at which the kernel has the machine's own power button."""


def words(scratch: Path) -> list[str]:
    """Return QEMU's arguments for a chip that can be asked."""
    return ["-qtest", f"unix:{scratch / 'lines'},server=on,wait=off", "-qtest-log", "none"]


class LinesOutside:
    """The lines; all contacts are open to begin with, which the board's pull-ups hold high."""

    def __init__(self, machine: Machine, scratch: Path) -> None:
        machine.here()  # by then QEMU listens
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(scratch / "lines"))
        self._lines = self._socket.makefile("rw")
        self._chip = self._found(machine)

    def opens(self, *lines: int) -> None:
        """A contact opens: its line goes high."""
        for line in lines:
            self._set(line, 1)

    def closes(self, *lines: int) -> None:
        """A contact closes to ground."""
        for line in lines:
            self._set(line, 0)

    def is_high(self, line: int) -> bool:
        """True if the chip itself drives a line high."""
        answer = self._ask(f"readb 0x{CHIP + (1 << line + 2):x}")
        return int(answer.split()[1], 16) != 0

    def close(self) -> None:
        self._lines.close()
        self._socket.close()

    def _set(self, line: int, level: int) -> None:
        self._ask(f"set_irq_in {self._chip} unnamed-gpio-in {line} {level}")

    def _ask(self, said: str) -> str:
        self._lines.write(said + "\n")
        self._lines.flush()
        assert select.select([self._socket], [], [], 60)[0], f"QEMU does not answer {said}."
        answer = self._lines.readline().strip()
        assert answer.startswith("OK"), f"{said}: {answer}"
        return answer

    @staticmethod
    def _found(machine: Machine) -> str:
        for each in machine.monitor("qom-list", path="/machine/unattached"):
            if each["type"] == "child<pl061>":
                return f"/machine/unattached/{each['name']}"
        raise AssertionError("The machine has no pl061.")
