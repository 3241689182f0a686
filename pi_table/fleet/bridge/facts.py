"""What the bridge knows at one moment: of its table, its machine, and itself."""

from typing import Final

import msgspec

from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage

SAMPLE_SECONDS: Final = 60.0
"""From one sample of health to the next, and from one renewal of what expires."""
EXPIRY_SECONDS: Final = 180
"""How long ``online`` and the state of a table hold without being renewed; two renewals may be
lost. After that the broker drops them, and Home Assistant shows the values as unavailable."""


class MachineHealth(msgspec.Struct, frozen=True):
    """How the machine of the table fares; None where the machine does not tell."""

    uptime: float | None = None
    """Seconds since the machine was switched on."""
    temperature: float | None = None
    """Of the processor, in °C."""
    throttled: bool | None = None
    """Is the machine slower than it could be, because it is hot or short of power?"""
    disk_free: int | None = None
    """Free bytes of the disk that the bridge keeps its folder on."""
    disk_wear: int | None = None
    """How much of the life of the card or eMMC is used up, in tenths from 1 on: 3 is 20 to 30
    percent, 11 is more than the maker promised."""


class LinkHealth(msgspec.Struct, frozen=True):
    """How the connection to the broker fares."""

    taken_over: int = 0
    """How often, since the bridge was started, the connection ended because somebody else connected
    by the table's name, or as it does then."""
    certificate_ends: float | None = None
    """When the certificate of the broker, or of who signed it, ends: seconds since 1970. None where
    no connection is sealed, or there was none yet."""
    own_certificate_ends: float | None = None
    """When the table's own certificate ends; None where it has none."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the bridge knows now."""

    at: float
    """When: seconds since 1970, by the machine's clock."""
    public: AnyPublicMessage | None = None
    """The newest public message; None while the table is away."""
    house: HouseMessage | None = None
    """The newest message of the house; None while the table is away."""
    games: int = 0
    """Finished games in the table's journal, as `games_of` counts them."""
    machine: MachineHealth = MachineHealth()
    link: LinkHealth = LinkHealth()
    connected: bool = False
    """Is the bridge connected to its broker?"""
    queued: int = 0
    """Messages that wait for the broker."""
    dropped: int = 0
    """Messages that were given up since the bridge was started: too many waited, or the broker did
    not take them."""
    published: int = 0
    """Messages that the broker has acknowledged since then."""
    heard: int = 0
    """Commands that came from the broker since then, those that were refused included."""
    refused: int = 0
    """Commands among them that were not done."""


def games_of(house: HouseMessage, before: int) -> int:
    """The finished games in the table's journal, of which there were ``before``.

    While a game is corrected after its end it is not finished, and the one before it is the latest.
    It still counts: a number that only grows may not fall for a moment.
    """
    now = 0 if house.latest is None else house.latest.number
    return before if now == before - 1 else now
