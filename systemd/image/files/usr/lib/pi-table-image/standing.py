"""The health of the table, which its engine reports at the house socket.

As a program, this module runs before another slot is tried. It stores the present health for
`check_slot`, which judges that slot. The file is on the partition of the games, which both slots
share. This module uses no module of the table's own program, because a new version of that program
may be at fault.
"""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, Final

from held_folder import image_folder

HOUSE: Final = "/run/pi-table/house.sock"
BEFORE: Final = "before.json"
ANSWERS: Final = 20.0
"""Timeout in seconds for the engine's answer; a healthy engine answers sooner."""
FREE_SECONDS: Final = 600
"""Seconds for which no new game may begin during a slot's trial, because the table may restart."""

WRONG: Final = {
    "can_store": (False, "The engine has no journal to store a game in."),
    "link": (False, "The engine does not reach the touch device."),
    "out_of_order": (True, "The table is out of order."),
}
"""For each health field of the engine's message: the value that means a fault, and a sentence that
describes the fault."""


class Engine:
    """A connection to the engine. It begins with a message about the engine's health."""

    def __init__(self, line: socket.socket, answers: BinaryIO) -> None:
        self._line = line
        self._answers = answers
        told = json.loads(answers.readline())
        self.wrong = [name for name, (wrong, _) in WRONG.items() if told[name] is wrong]
        """Names of the health fields that report a fault."""

    def keep_free(self, seconds: int) -> None:
        """Ask the engine to begin no game for this many seconds; 0 allows games again.

        The engine's answer is not read here; `stays` skips it.
        """
        do = {"act": "keep-free", "seat": "operator", "seconds": seconds}
        with suppress(ConnectionError):
            self._line.sendall(json.dumps({"id": 1, "do": do}).encode() + b"\n")

    def stays(self, seconds: float) -> bool:
        """True if the engine keeps the connection open for this many seconds. Its messages are
        skipped."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._line.settimeout(left)
            try:
                if not self._line.recv(1 << 16):
                    return False
            except TimeoutError:
                break
            except ConnectionError:
                return False
        return True


@contextmanager
def engine() -> Iterator[Engine]:
    """Yield a connection to the engine. Raises OSError if there is no engine, and ValueError,
    KeyError or TypeError for an unexpected message."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(ANSWERS)
        line.connect(HOUSE)
        with line.makefile("rb") as answers:
            yield Engine(line, answers)


def remember() -> None:
    """Store the names of the present faults. If the engine does not answer, store the names of all
    possible faults."""
    wrong: list[str] = [*WRONG]
    with suppress(OSError, ValueError, KeyError, TypeError), engine() as here:
        wrong = here.wrong
    (image_folder() / BEFORE).write_text(json.dumps(wrong))


def earlier_faults() -> list[Any]:
    """Return the names that `remember` stored before this trial. If nothing is stored, return the
    names of all possible faults."""
    try:
        return list(json.loads((image_folder() / BEFORE).read_text()))
    except (OSError, ValueError, TypeError):
        return [*WRONG]


if __name__ == "__main__":
    remember()
