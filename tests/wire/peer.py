"""The controller's end of the wire, in Python: a second program by the rules of PROTOCOL.md."""

import binascii
import struct
from collections.abc import Sequence
from itertools import chain, repeat
from typing import Final

from pi_table.devices.wire.codec import Deframer, frame
from pi_table.devices.wire.settings import Settings, pack, unpack

PLACES: Final = range(27)
LEDS: Final = tuple(chain(repeat(4, 25), repeat(2, 2)))
"""Number of LEDs of each place."""
REST: Final = 1 << 30
MORE: Final = 1 << 31
EVERY: Final = 0.1
EVERY_TOUCHED: Final = 0.02
DEFAULTS: Final = Settings((7,) * 31, (4,) * 31, (60,) * 31, 2000)

Colours = tuple[int, ...]

OWN_COLOUR: Final = 0x2A1D00
OWN_PULSES: Final[Colours] = tuple(
    0x060300 if place < 25 and place % 2 == 0 else 0 for place in PLACES for _ in range(LEDS[place])
)
"""Pulses of the controller's firmware for the LEDs while it gets no commands."""


def mask(places: frozenset[int]) -> int:
    return sum(1 << place for place in places)


def check_of(colours: Sequence[int]) -> int:
    return binascii.crc_hqx(b"".join(struct.pack(">I", colour)[1:] for colour in colours), 0xFFFF)


class Peer:
    """A controller and its table. Touch it, and look at what it shows."""

    def __init__(self, boot: int = 1, protocol: int = 4) -> None:
        self.boot, self.protocol = boot, protocol
        self.touched: frozenset[int] = frozenset()
        self.deaf: frozenset[int] = frozenset()
        self.heavy: frozenset[int] = frozenset()
        self.noisy: frozenset[int] = frozenset()
        self.perhaps: frozenset[int] = frozenset()
        self.chips = 7
        self.found = 7
        """The chips that answered at the start."""
        self.flags = 0
        self.causes = 0
        self.origin = 1
        self.counters = [0] * 27
        self.lights: Colours | None = None
        """Colours of the lights; None: nothing that was ordered."""
        self.applied: list[tuple[int, int, Colours | None]] = []
        """Type, number and what the lights show then of every command that was applied; of those
        that tell a part of a frame, only the last."""
        self._ordered = [0] * 104
        self._missing = {*PLACES}
        """The places for which nothing was ordered: before there are none, nothing is shown."""
        self._check = check_of(self._ordered)
        self.settings = DEFAULTS
        self.slow = False
        """True if it holds its answers back."""
        self.states: dict[tuple[int, int], frozenset[int]] = {}
        """Touched places, by boot id and sequence number of the STATE with them."""
        self.taken = 0
        self._sequence = 0
        self._told_at: float | None = None
        self._told = b""
        self._answers = {1: self.hello()}
        """The newest of each kind that was asked for; at first who it is."""
        self._deframer = Deframer()

    # The world

    def touch(self, *places: int) -> None:
        self._feel(self.touched | {*places})

    def lift(self, *places: int) -> None:
        self._feel(self.touched - {*places})

    def fail(self, *places: int) -> None:
        self.deaf |= {*places}
        self._feel(self.touched - {*places})

    def mend(self) -> None:
        self.deaf = frozenset()

    def _feel(self, touched: frozenset[int]) -> None:
        for place in touched ^ self.touched:
            self.counters[place] = (self.counters[place] + 1) % 16
        self.touched = touched
        self.heavy &= touched

    # The wire

    def to_send(self, now: float) -> list[bytes]:
        """The frames that it sends at this time."""
        messages: list[bytes] = []
        if not self.slow:
            messages += self._answers.values()
            self._answers.clear()
        body = self._body()
        if body != self._told or self._told_at is None or now >= self._told_at + self._every:
            self._told, self._told_at = body, now
            messages.append(self.state(now))
        return [frame(message) for message in messages]

    @property
    def _every(self) -> float:
        return EVERY_TOUCHED if self.touched else EVERY

    def receive(self, data: bytes) -> None:
        for message in self._deframer.feed(data):
            self._command(message)

    def _command(self, message: bytes) -> None:
        kind, number, body = message[0], message[1], message[2:]
        again = number == self.taken
        places = int.from_bytes(body[:4], "little") if kind == 0x11 else 0
        if places & REST and not again and (self.taken == 0 or number != self.taken % 255 + 1):
            return
        self.taken = number
        if not again:
            if kind == 0x11:
                self._order(places, body[4:])
            if not places & MORE:
                self.applied.append((kind, number, self.lights if kind == 0x11 else None))
        if kind == 0x12:
            tell = {1: self.hello, 2: self.raw, 3: self.told_settings}[body[0]]
            self._answers[body[0]] = tell()
        if kind == 0x13:
            self.settings = unpack(body)
            self._answers[3] = self.told_settings()

    def _order(self, places: int, colours: bytes) -> None:
        led = 0
        for place in PLACES:
            for _ in range(LEDS[place]):
                if places >> place & 1:
                    self._ordered[led] = int.from_bytes(colours[:3], "big")
                    colours = colours[3:]
                led += 1
        assert not colours
        self._missing -= {place for place in PLACES if places >> place & 1}
        if not places & MORE and not self._missing:
            self.lights, self._check = tuple(self._ordered), check_of(self._ordered)

    # The messages

    def hello(self) -> bytes:
        return struct.pack(
            "<BBBBBHBBBHB",
            1,
            self.protocol,
            0,
            1,
            0,
            self.boot,
            1,
            self.found,
            27,
            104,
            self.origin,
        )

    def state(self, now: float) -> bytes:
        """The next STATE."""
        sequence, self._sequence = self._sequence, (self._sequence + 1) % 65536
        self.states[self.boot, sequence] = self.touched
        head = struct.pack("<BHHI", 2, self.boot, sequence, int(now * 1000) & 0xFFFFFFFF)
        return head + self._body()

    def _body(self) -> bytes:
        pairs = zip(self.counters[::2], [*self.counters[1::2], 0], strict=True)
        return struct.pack(
            "<BBBIII14sBBBBHHII",
            *(self.taken, self.chips, self.flags),
            *(mask(self.touched), mask(self.heavy), mask(self.deaf)),
            bytes(low | high << 4 for low, high in pairs),
            *(self.causes, 0, self._deframer.dropped % 256, 0, 104, self._check),
            *(mask(self.noisy), mask(self.perhaps)),
        )

    def raw(self) -> bytes:
        return bytes((3, self.taken)) + struct.pack("<HH", 700, 720) * 31

    def told_settings(self) -> bytes:
        return bytes((4, self.taken, 0)) + pack(self.settings)
