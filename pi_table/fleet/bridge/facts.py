"""All facts that the bridge knows at one moment about its table, its machine and itself."""

from typing import Final

import msgspec

from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage

SAMPLE_SECONDS: Final = 60.0
"""Seconds between two health samples. Messages that expire are renewed in the same interval."""
EXPIRY_SECONDS: Final = 180
"""Seconds after which the broker drops ``online`` and the state of a table, unless they are
renewed. Two renewals may be lost. After that time, Home Assistant shows the values as unavailable.
"""


class MachineHealth(msgspec.Struct, frozen=True):
    """The health of the machine. A value is None if the machine does not report it."""

    uptime: float | None = None
    """Number of seconds since boot."""
    temperature: float | None = None
    """Temperature of the processor in degrees Celsius."""
    throttled: bool | None = None
    """True if heat or a weak power supply slows down the machine."""
    disk_free: int | None = None
    """Number of free bytes on the disk with the bridge's folder."""
    disk_wear: int | None = None
    """Used part of the life of the card or eMMC, in tenths, counted from 1: 3 means 20 to 30
    percent; 11 means more than the maker promised."""


class LinkHealth(msgspec.Struct, frozen=True):
    """The health of the bridge's connection to the broker."""

    taken_over: int = 0
    """Number of connections since the bridge started that another client with the table's name
    ended, or probably ended."""
    certificate_ends: float | None = None
    """Expiry time of the broker's certificate or of its CA's, in seconds since 1970. None without
    TLS, or before the first connection."""
    own_certificate_ends: float | None = None
    """Expiry time of the table's own certificate, in seconds since 1970; None if the table has no
    certificate."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """All facts that the bridge knows now."""

    at: float
    """The time of these facts: seconds since 1970, by the machine's clock."""
    public: AnyPublicMessage | None = None
    """The newest message from the table's public socket; None while the table is away."""
    house: HouseMessage | None = None
    """The newest message from the table's house socket; None while the table is away."""
    games: int = 0
    """Number of finished games in the table's journal, as `games_of` counts them."""
    machine: MachineHealth = MachineHealth()
    link: LinkHealth = LinkHealth()
    connected: bool = False
    """True if the bridge is connected to its broker."""
    queued: int = 0
    """Number of messages that wait to be sent to the broker."""
    dropped: int = 0
    """Number of messages that were dropped since the bridge started, because too many waited or the
    broker refused them."""
    published: int = 0
    """Number of messages that the broker has acknowledged since the bridge started."""
    heard: int = 0
    """Number of commands that arrived from the broker since the bridge started, including refused
    commands."""
    refused: int = 0
    """Number of commands that were refused since the bridge started."""


def games_of(house: HouseMessage, before: int) -> int:
    """Return the number of finished games in the table's journal; ``before`` is the previous
    result.

    A game that is corrected after its end is unfinished during the correction, and the previous
    game is then the latest. The corrected game still counts, because this number must not fall, not
    even for a moment.
    """
    now = 0 if house.latest is None else house.latest.number
    return before if now == before - 1 else now
