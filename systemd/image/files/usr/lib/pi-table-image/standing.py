"""How the table fares, as its engine tells it at the socket of the house.

As a program, called before another slot is tried: writes that down for the judge of that slot. The
partition of the games holds it, which both slots have. Nothing of the table's own program is used
here: a new version of that may be what is wrong.
"""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, Final

from held_folder import held

HOUSE: Final = "/run/pi-table/house.sock"
BEFORE: Final = "before.json"
ANSWERS: Final = 20.0
"""Seconds within which an engine that is well has answered."""
FREE_SECONDS: Final = 600
"""For so long no game begins at a table whose slot is being judged: it may be started anew."""

WRONG: Final = {
    "can_store": (False, "The engine has no journal to store a game in."),
    "link": (False, "The engine does not reach the device that feels touches."),
    "out_of_order": (True, "The table is out of order."),
}
"""What the engine tells when something is wrong, and that in a sentence."""


class Engine:
    """The line to an engine, which has told how it fares."""

    def __init__(self, line: socket.socket, answers: BinaryIO) -> None:
        self._line = line
        self._answers = answers
        told = json.loads(answers.readline())
        self.wrong = [name for name, (wrong, _) in WRONG.items() if told[name] is wrong]
        """The names of what is wrong."""

    def keep_free(self, seconds: int) -> None:
        """Ask that no game begins for so many seconds; 0: that one may. What the engine answers
        is not heeded, and that it has ended is for `stays` to tell."""
        do = {"act": "keep-free", "seat": "operator", "seconds": seconds}
        with suppress(ConnectionError):
            self._line.sendall(json.dumps({"id": 1, "do": do}).encode() + b"\n")

    def stays(self, seconds: float) -> bool:
        """Does the engine keep the line for so long? What it says meanwhile is not heeded."""
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
    """The line to the engine. Raises OSError, and ValueError, KeyError or TypeError for what is
    none."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(ANSWERS)
        line.connect(HOUSE)
        with line.makefile("rb") as answers:
            yield Engine(line, answers)


def remember() -> None:
    """Write down what is wrong now: all, where the engine cannot be asked."""
    wrong: list[str] = [*WRONG]
    with suppress(OSError, ValueError, KeyError, TypeError), engine() as here:
        wrong = here.wrong
    (held() / BEFORE).write_text(json.dumps(wrong))


def was_wrong() -> list[Any]:
    """What was wrong before this slot was tried: all, where nobody knows."""
    try:
        return list(json.loads((held() / BEFORE).read_text()))
    except (OSError, ValueError, TypeError):
        return [*WRONG]


if __name__ == "__main__":
    remember()
