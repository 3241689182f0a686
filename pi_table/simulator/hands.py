"""Fingers and eyes of a person at a simulated or emulated table, for the simulator's window."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import msgspec

from pi_table.common.geometry import PLACES
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.led_curve import colour_of_pulses
from pi_table.devices.hal.simulated import DARK
from pi_table.protocols.ipc.client import Client, Connected, Disconnected

FINGER_COUNTS: Final = 16
"""Counts by which a fingertip lowers a pad's value, through 3 mm of acrylic and a card
(firmware/model/README.md)."""
FINGER_MS: Final = 20
"""Milliseconds in which a finger comes down. Lifting it takes as long."""


class Hands(Protocol):
    def touch(self, place: int) -> None: ...

    def release(self, place: int) -> None: ...

    def lights(self, now: float) -> LightFrame:
        """Return the frame that the lights show; a dark frame while the table cannot be reached."""

    def close(self) -> None: ...


class _SocketHands:
    """Hands that act over a socket: they send a line for each touch, and receive the frames of the
    lights."""

    def __init__(
        self, path: Path, read: Callable[[bytes], LightFrame | None], greeting: bytes = b""
    ) -> None:
        self._client = Client(path, read)
        self._greeting = greeting
        self._lights = DARK

    def touch(self, place: int) -> None:
        self._client.send(self._line(place, True))

    def release(self, place: int) -> None:
        self._client.send(self._line(place, False))

    def lights(self, now: float) -> LightFrame:
        for message in self._client.poll(now):
            if isinstance(message, Connected):
                self._client.send(self._greeting)
            elif isinstance(message, Disconnected):
                self._lights = DARK
            elif message is not None:
                self._lights = message
        return self._lights

    def close(self) -> None:
        self._client.close()

    def _line(self, place: int, is_down: bool) -> bytes:
        raise NotImplementedError


class SimulatedHands(_SocketHands):
    """Hands at the simulated table, over its link (`pi_table.devices.hal.simulated_link`)."""

    def __init__(self, link: Path) -> None:
        super().__init__(link, _read_link)

    def _line(self, place: int, is_down: bool) -> bytes:
        return msgspec.json.encode({"touch" if is_down else "release": PLACES[place]}) + b"\n"


class EmulatedHands(_SocketHands):
    """Hands at the emulated table, over its control socket (`firmware/model/README.md`). They
    change what the touch chips measure, and read the lights from their data pin."""

    def __init__(self, control: Path) -> None:
        super().__init__(control, _read_control, b"watch\n")

    def _line(self, place: int, is_down: bool) -> bytes:
        counts = FINGER_COUNTS if is_down else 0
        return f"shape 0 {PLACES[place]} {FINGER_MS}:{counts}\n".encode()


def _read_link(text: bytes) -> LightFrame:
    said = msgspec.json.decode(text, type=dict[str, list[str]])
    return tuple(int(colour.lstrip("#"), 16) for colour in said["leds"])


def _read_control(text: bytes) -> LightFrame | None:
    """Return the frame in a line from the emulated table; None for a line about something else."""
    word, *fields = text.split()
    if word != b"shown":
        return None
    return tuple(colour_of_pulses(int(pulses, 16)) for pulses in fields[2:])
