"""The controller's binary in the emulator, and what it says, each with the time when it came."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.wire.codec import Deframer, frame
from pi_table.devices.wire.commands import Command, lights, write
from pi_table.devices.wire.messages import Hello, Message, State, read
from pi_table.simulator.emulated import EmulatedTable

MS = 1000
"""The table counts microseconds."""
ALL_CHIPS = frozenset({0, 1, 2})
FINGER = 30
"""Counts: well above the default threshold of 7, well below what is heavy."""


class Said(NamedTuple):
    at_us: int
    message: Message


class Chip:
    """A table that is switched on."""

    def __init__(self, table: EmulatedTable) -> None:
        self.table = table
        self._deframer = Deframer()
        self._broken = 0
        self._number = 0

    @property
    def now_us(self) -> int:
        return self.table.now_us

    def run(self, ms: float) -> list[Said]:
        """Let so much time pass; what came meanwhile."""
        until_us = self.table.now_us + round(ms * MS)
        said = []
        while self.table.now_us < until_us:
            self.table.run(until_us, stop_early=True)
            for message in self._deframer.feed(self.table.read()):
                meaning = read(message)
                assert meaning is not None, f"The controller said {message.hex()}."
                said.append(Said(self.table.now_us, meaning))
        assert self._deframer.dropped <= self._broken
        return said

    def say(self, command: Command) -> int:
        """Put a command on the line; its number."""
        self._number = self._number % 255 + 1
        self.table.write(frame(write(command, self._number)))
        return self._number

    def light(self, frame: tuple[int, ...], places: Iterable[int] = range(PLACE_COUNT)) -> int:
        """Put these places of a frame of light on the line, in as many commands as it takes; the
        number of the last."""
        return [self.say(part) for part in lights(frame, places)][-1]

    def state(self, ms: float = 150) -> State:
        """The last state of so long; by default a time in which there is one."""
        states = [said.message for said in self.run(ms) if isinstance(said.message, State)]
        return states[-1]

    def cut_short(self, line: str) -> None:
        """Tell the table what breaks the frame that the controller is sending, which is no fault
        of its."""
        self.table.tell(line)
        self.table.read()
        self._deframer = Deframer()
        self._broken = 1

    def applied(self, number: int, within_ms: int = 100) -> State:
        """The first state that tells that this command has been applied."""
        for _ in range(within_ms):
            for _, message in self.run(1):
                if isinstance(message, State) and message.applied == number:
                    return message
        raise AssertionError(f"Command {number} was not applied within {within_ms} ms.")

    def started(self, ms: float = 150) -> Hello:
        """The hello of a start that has just been made."""
        (hello,) = (said.message for said in self.run(ms) if isinstance(said.message, Hello))
        return hello


@contextmanager
def switched_on(memory: bytes | None = None, seed: int = 1) -> Iterator[Chip]:
    """A table that was just switched on."""
    with EmulatedTable("emulated", memory, seed) as table:
        yield Chip(table)


@contextmanager
def at_rest(memory: bytes | None = None, seed: int = 1) -> Iterator[Chip]:
    """A table whose controller has said hello and feels nothing."""
    with switched_on(memory, seed) as chip:
        chip.started()
        yield chip
