"""Everything the bridge knows at one moment about its table, its machine and itself."""

from typing import Final

import msgspec

from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage

SAMPLE_SECONDS: Final = 60.0
"""Seconds between two health samples, and between two renewals of messages that expire."""
EXPIRY_SECONDS: Final = 180
"""Seconds after which ``online`` and the state of a table expire at the broker without a renewal,
so two renewals may be lost. The broker then drops them, and Home Assistant shows the values as
unavailable."""


class MachineHealth(msgspec.Struct, frozen=True):
    """The health of the machine; None for each value that the machine does not report."""

    uptime: float | None = None
    """Seconds since boot."""
    temperature: float | None = None
    """Temperature of the processor in °C."""
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
    """Number of connections, since the bridge started, that another client with the table's name
    ended or seems to have ended."""
    certificate_ends: float | None = None
    """End of the certificate of the broker or of its CA, in seconds since 1970. None without TLS,
    or before the first connection."""
    own_certificate_ends: float | None = None
    """End of the table's own certificate, in seconds since 1970; None if it has none."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the bridge knows now."""

    at: float
    """The time of these facts: seconds since 1970, by the machine's clock."""
    public: AnyPublicMessage | None = None
    """The newest public message; None while the table is away."""
    house: HouseMessage | None = None
    """The newest message of the house; None while the table is away."""
    games: int = 0
    """Number of finished games in the table's journal, as `games_of` counts them."""
    machine: MachineHealth = MachineHealth()
    link: LinkHealth = LinkHealth()
    connected: bool = False
    """True if the bridge is connected to its broker."""
    queued: int = 0
    """Number of messages that wait for the broker."""
    dropped: int = 0
    """Number of messages dropped since the bridge started: too many waited, or the broker refused
    them."""
    published: int = 0
    """Number of messages that the broker has acknowledged since the bridge started."""
    heard: int = 0
    """Number of commands from the broker since the bridge started, including refused ones."""
    refused: int = 0
    """Number of refused commands since the bridge started."""


def games_of(house: HouseMessage, before: int) -> int:
    """Return the number of finished games in the table's journal; ``before`` is the last result.

    A game that is corrected after its end is unfinished during the correction, and the game before
    it is the latest. The corrected game still counts, because this number must not fall, not even
    for a moment.
    """
    now = 0 if house.latest is None else house.latest.number
    return before if now == before - 1 else now
