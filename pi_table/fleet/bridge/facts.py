"""All facts that the bridge knows at one moment about its table, its machine and itself."""

from typing import Final

import msgspec

from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage

SAMPLE_SECONDS: Final = 60.0
"""Seconds between two health samples, and between two renewals of messages that expire."""
EXPIRY_SECONDS: Final = 180
"""Seconds after which the broker drops the message ``online`` and a table's state, unless the
bridge renews them. Home Assistant shows expired values as unavailable. The loss of two renewals
does no harm."""


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
    """Wear of the card or eMMC, from 1 to 11. For example, 3 means 20 to 30 % of the life that the
    maker promises, and 11 means over 100 %."""


class LinkHealth(msgspec.Struct, frozen=True):
    """The health of the bridge's connection to the broker."""

    taken_over: int = 0
    """Number of connections that another client with the table's name ended, or probably ended."""
    certificate_ends: float | None = None
    """When the broker's certificate or the certificate of its CA expires, whichever is earlier
    (seconds since 1970). None without TLS, or before the first connection."""
    own_certificate_ends: float | None = None
    """When the table's own certificate expires (seconds since 1970); None if it has no certificate.
    """


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """All facts that the bridge knows now."""

    at: float
    """The time of these facts: seconds since 1970, by the machine's clock."""
    public: AnyPublicMessage | None = None
    """The newest public message whose content the people at the table already know; None while the
    table is away."""
    house: HouseMessage | None = None
    """The newest message from the table's house socket; None while the table is away."""
    games: int = 0
    """Number of finished games in the table's journal, as `games_of` counts them."""
    machine: MachineHealth = MachineHealth()
    link: LinkHealth = LinkHealth()
    connected: bool = False
    queued: int = 0
    dropped: int = 0
    """Number of messages lost since the bridge started, because too many waited or the broker
    refused them."""
    published: int = 0
    """Number of messages that the broker has acknowledged since the bridge started."""
    heard: int = 0
    """Number of commands that arrived since the bridge started, including refused commands."""
    refused: int = 0


def games_of(house: HouseMessage, before: int) -> int:
    """Return the number of finished games in the journal; ``before`` is the previous result.

    While players correct a finished game, the journal has one finished game less. Then ``before``
    is returned, because the number of games must never fall.
    """
    now = 0 if house.latest is None else house.latest.number
    return before if now == before - 1 else now
