"""Everything the bridge knows at one moment about its table, its machine and itself."""

from typing import Final

import msgspec

from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage

SAMPLE_SECONDS: Final = 60.0
"""Seconds between two health samples, and between two renewals of messages that expire."""
EXPIRY_SECONDS: Final = 180
"""Seconds for which ``online`` and the state of a table hold without a renewal; two renewals may be
lost. After that the broker drops them, and Home Assistant shows the values as unavailable."""


class MachineHealth(msgspec.Struct, frozen=True):
    """The health of the machine; None for each value that the machine does not report."""

    uptime: float | None = None
    """Seconds since boot."""
    temperature: float | None = None
    """°C, of the processor."""
    throttled: bool | None = None
    """True if heat or a weak power supply slows down the machine."""
    disk_free: int | None = None
    """Free bytes of the disk that holds the bridge's folder."""
    disk_wear: int | None = None
    """Used part of the life of the card or eMMC, in tenths from 1 on: 3 is 20 to 30 percent, 11 is
    more than the maker promised."""


class LinkHealth(msgspec.Struct, frozen=True):
    """The health of the connection to the broker."""

    taken_over: int = 0
    """Connections, since the bridge started, that another client with the table's name ended or
    seems to have ended."""
    certificate_ends: float | None = None
    """When the certificate of the broker or of its CA ends: seconds since 1970. None without TLS,
    or before the first connection."""
    own_certificate_ends: float | None = None
    """When the table's own certificate ends; None if it has none."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the bridge knows now."""

    at: float
    """The time of these facts: seconds since 1970, by the machine's clock."""
    public: AnyPublicMessage | None = None
    """The newest public message; None while the table is away."""
    house: HouseMessage | None = None
    """The newest message of the house; None while the table is away."""
    games: int = 0
    """Finished games in the table's journal, as `games_of` counts them."""
    machine: MachineHealth = MachineHealth()
    link: LinkHealth = LinkHealth()
    connected: bool = False
    """True if the bridge is connected to its broker."""
    queued: int = 0
    """Messages that wait for the broker."""
    dropped: int = 0
    """Messages given up since the bridge started: too many waited, or the broker refused them."""
    published: int = 0
    """Messages that the broker has acknowledged since then."""
    heard: int = 0
    """Commands that came from the broker since then, including refused ones."""
    refused: int = 0
    """Refused commands among them."""


def games_of(house: HouseMessage, before: int) -> int:
    """Return the number of finished games in the table's journal; ``before``: the last result.

    While a game is corrected after its end it is not finished, and the game before it is the
    latest. The corrected game still counts: this number only grows, so it may not fall for a
    moment.
    """
    now = 0 if house.latest is None else house.latest.number
    return before if now == before - 1 else now
