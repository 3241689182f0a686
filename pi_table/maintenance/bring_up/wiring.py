"""The wires of the table as data. A test compares them with `hardware/wiring.csv`."""

from typing import Final

import msgspec

from pi_table.common.config import Config
from pi_table.common.geometry import CELL_COUNT, PLACES, SIDE, leds_of
from pi_table.common.language import say
from pi_table.devices.hal import own_controller
from pi_table.devices.wire.messages import CHIP_COUNT, FIRST_CHIP
from pi_table.devices.wire.settings import PADS


class Electrode(msgspec.Struct, frozen=True):
    """Where a pad's wire ends: a channel of a touch chip."""

    chip: int
    """Number of the touch chip (0 … 2)."""
    channel: int
    """Number of the chip's channel (0 … 11)."""

    @property
    def plug(self) -> str:
        """Return the pin of the carrier where the pad's wire is plugged in, such as `J1.12`."""
        return f"J{self.chip + 1}.{self.channel + 1}"

    def __str__(self) -> str:
        return say(
            "channel {channel} of {address} ({plug} of the carrier)",
            channel=self.channel,
            address=address(self.chip),
            plug=self.plug,
        )


def channel_of(pad: int, wires: "Wires") -> str:
    """Return the chip and channel of a pad (0 … 30). With a carrier, also return the pin where the
    pad's wire is plugged in."""
    electrode = ELECTRODES[pad]
    if wires.has_carrier:
        return str(electrode)
    return say(
        "channel {channel} of {address}",
        channel=electrode.channel,
        address=address(electrode.chip),
    )


def address(chip: int) -> str:
    """Return the I²C address of a touch chip (0 … 2), such as `0x5A`."""
    return f"0x{FIRST_CHIP + chip:02X}"


_OF_A_CHIP: Final = 2 * SIDE
"""Number of places at a touch chip: two rows of cells. The last chip has one row and the two
pads."""
_RIM: Final = {
    "far": Electrode(0, 10),
    "left": Electrode(0, 11),
    "right": Electrode(1, 10),
    "near": Electrode(2, 7),
}

ELECTRODES: Final[tuple[Electrode, ...]] = (
    *(Electrode(*divmod(place, _OF_A_CHIP)) for place in range(len(PLACES))),
    *(_RIM[name] for name in PADS[len(PLACES) :]),
)
"""The electrode of each of the 31 pads, by the pad's number."""

ADDR: Final = ("GND", say("VDD, the 3.3 V of the chip"), "SDA")
"""The signal to which the pin ADDR of each chip is connected. The signal decides the chip's
address."""
assert len(ADDR) == CHIP_COUNT


class Wires(msgspec.Struct, frozen=True):
    """How the breakouts are wired to the controller, and the electrodes to the breakouts."""

    has_carrier: bool
    """True if the breakouts are in the carrier's sockets; otherwise the other fields count."""
    has_tiles: bool
    """True if the leads end at tiles and springs, not at the electrodes themselves."""
    supply: str
    data: str
    clock: str
    """The three: where the breakouts' VIN, SDA and SCL come from."""
    joined: str
    """What ADDR of 0x5C is joined to."""
    breakouts: tuple[str, str, str]
    """How a breakout with a jumper gets the address of each chip."""

    @property
    def addr(self) -> tuple[str, str, str]:
        """The signal to which ADDR of each chip is connected with these wires."""
        return (*ADDR[:2], self.joined)


_AS_SOLD: Final = say("as sold")
_JUMPER: Final = say("with the jumper on its back closed")
_OF_PI: Final = (say("3.3 V (pin 1)"), say("pin 3"), say("pin 5"), ADDR[2])
_TO_SDA: Final = (_AS_SOLD, _JUMPER, say("with a wire from ADDR to SDA"))
CARRIER: Final = Wires(True, True, *_OF_PI, _TO_SDA)
FOIL: Final = Wires(False, False, *_OF_PI, _TO_SDA)
"""The table of one evening."""
NANO: Final = Wires(
    *(False, True, "5 V", "A4", "A5", say("SDA through 4.7 kΩ")),
    (_AS_SOLD, _JUMPER, say("with 4.7 kΩ from ADDR to SDA")),
)
"""Breakouts beside a Nano, on a breadboard. SDA has 5 V there, more than ADDR bears."""


def wires_of(config: Config) -> Wires:
    """Return the wires of a table with this configuration."""
    if config.table.build == "evening":
        return FOIL
    return CARRIER if own_controller.is_used(config) else NANO


CHAIN: Final[tuple[int, ...]] = (
    *(
        SIDE * row + column
        for row in range(SIDE)
        for column in (range(SIDE) if row % 2 == 0 else reversed(range(SIDE)))
    ),
    *range(CELL_COUNT, len(PLACES)),
)
"""The places in the order of the light strip, which runs to and fro from row to row."""

CORNERS: Final = (say("far left"), say("far right"), say("near right"), say("near left"))
"""Names of the four lights of a cell, in the order of the light strip."""
CHAIN_IN: Final = "J1"
CHAIN_OUT: Final = "J2"
LEAD: Final = "J3"
"""Three plugs of a tile: the chain of lights enters at ``CHAIN_IN`` and leaves at ``CHAIN_OUT``;
the wire of the electrode is at ``LEAD``."""
SIDES: Final = ("left", "right")
"""Names of the two lights of an end-turn or hourglass pad, in the order of the light strip."""


def strip_of(place: int) -> range:
    """Return the positions of a place's lights on the light strip (0 … 103)."""
    before = sum(len(leds_of(other)) for other in CHAIN[: CHAIN.index(place)])
    return range(before, before + len(leds_of(place)))


def are_neighbours(first: int, second: int) -> bool:
    """True if two pads (0 … 30) are neighbours on the table, or their channels are neighbours at a
    chip."""
    one, other = ELECTRODES[first], ELECTRODES[second]
    if one.chip == other.chip and abs(one.channel - other.channel) == 1:
        return True
    if max(first, second) >= CELL_COUNT:
        return False
    (row, column), (other_row, other_column) = divmod(first, SIDE), divmod(second, SIDE)
    return abs(row - other_row) + abs(column - other_column) == 1
