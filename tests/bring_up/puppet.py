"""A table in virtual time, at the end of a line, and somebody who does what a calibration says."""

import math
import re
from collections.abc import Mapping, Sequence

from pi_table.devices.wire.settings import PADS
from pi_table.simulator.emulated import EmulatedTable

SECOND_US = 1_000_000
FINGER = 16
"""Counts, through 3 mm and a card: what a table without hardware takes for a fingertip."""


class VirtualLine:
    """The serial line of a table whose time passes only while somebody waits at the line."""

    def __init__(self, table: EmulatedTable) -> None:
        self._table = table

    def now(self) -> float:
        return self._table.now_us / SECOND_US

    def send(self, data: bytes) -> None:
        self._table.write(data)

    def receive(self, seconds: float) -> bytes:
        until = self._table.now_us + max(1, math.ceil(seconds * SECOND_US))  # waiting takes time
        while not (data := self._table.read()) and self._table.now_us < until:
            self._table.run(until, stop_early=True)
        return data


Finger = Mapping[str, float]
"""Loads of one attempt at a requested pad: counts by the pads' names."""


class Puppet:
    """Puts a finger where it is told to, takes it away when it is told to, and remembers all that
    was said.

    ``fingers`` are what it does instead for some pads, one after the other at each attempt, the
    last of them for ever; ``answers`` what it answers, in order. It is never asked more than that.
    """

    def __init__(
        self,
        table: EmulatedTable,
        fingers: Mapping[str, Sequence[Finger]] | None = None,
        answers: str = "",
    ) -> None:
        self._table = table
        self._fingers = {name: [*each] for name, each in (fingers or {}).items()}
        self._answers = [*answers]
        self.said: list[str] = []
        self.done: list[str] = []
        self.asked: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    def show_task(self, text: str) -> None:
        self.done.append(text)
        if wanted := re.search(r"hold a finger on (\S+)\.", text):
            for pad, counts in self._finger(wanted[1]).items():
                self._table.tell(f"shape 0 {pad} 100:0 130:{counts}")
        elif "lift" in text or "hands off" in text:
            for pad in PADS:
                self._table.tell(f"shape 0 {pad} 30:0")

    def choose(self, question: str, answers: str, unasked: str) -> str:
        self.asked.append(question)
        assert self._answers, f"Nobody expected to be asked {question!r} after {self.said[-1]!r}"
        return str(self._answers.pop(0))

    def _finger(self, pad: str) -> Finger:
        planned = self._fingers.get(pad, [{pad: FINGER}])
        return planned.pop(0) if len(planned) > 1 else planned[0]
