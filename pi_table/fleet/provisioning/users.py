"""The users of the broker: tables by name, and users that are not tables."""

import enum
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from pi_table.common.config import BrokerAddress, TableName, TopicLevels
from pi_table.common.language import say
from pi_table.fleet.bridge.topics import EVERYBODY


class Kind(enum.Enum):
    """The kind of a user at the broker. The kind decides the user's rights."""

    TABLE = "table"
    COLLECTOR = "collector"
    """A program that stores the games of all tables."""
    HOME_ASSISTANT = "home-assistant"
    OPERATOR = "operator"
    """A person who sends commands to tables."""


class User(msgspec.Struct, frozen=True):
    """The kind and the bar (venue) of a user of the broker, without name and password."""

    kind: Kind
    bar: str = ""
    """For a table: name of its bar; "" means none. For another user: name of the bar whose tables
    the user may see; "" means all bars."""


PROBE: Final = "probe"
"""Name of a user with a table's rights but no table. The probe uses it to try what a thief could do
with a table's password."""
PROBED: Final = "probe-other"
"""Name of a second user with a table's rights but no table. Logged in as `PROBE`, the probe tries
to read this second user's messages and to send it commands."""
ALWAYS: Final = {
    **{kind.value: User(kind) for kind in Kind if kind is not Kind.TABLE},
    PROBE: User(Kind.TABLE),
    PROBED: User(Kind.TABLE),
}
"""The users that every broker has."""
RESERVED: Final = (EVERYBODY, "do", *ALWAYS)
"""Names that no table may have. ``do`` is among them, because it is a level of the topics of
commands."""


def fault_of_table(name: str) -> str | None:
    """Return the fault of a table's name, as the end of a sentence; None if the name is valid."""
    if name in RESERVED:
        return say(
            "must not be one of {reserved}: these are taken at the broker.",
            reserved=", ".join(RESERVED),
        )
    return fault_of_name(name)


def fault_of_name(name: str) -> str | None:
    """Return the fault of a bar's or a user's name, as the end of a sentence; None if the name is
    valid."""
    if name and _fits(name, TableName):
        return None
    return say("must be 1 to 40 of the letters a to z, digits, _ and -.")


def fault_of_broker(address: str) -> str | None:
    """Return the fault of a broker's address, as the end of a sentence; None if the address is
    valid."""
    if _fits(address, BrokerAddress) and (not address or _has_place(address)):
        return None
    return say("must be an address such as mqtts://broker.lan or mqtts://broker.lan:8883.")


def fault_of_prefix(prefix: str) -> str | None:
    """Return the fault of a topic prefix, as the end of a sentence; None if the prefix is valid."""
    if _fits(prefix, TopicLevels):
        return None
    return say(
        "must be 1 to 4 levels with / between them, each 1 to 40 letters of ASCII, digits, _ and -."
    )


def _has_place(address: str) -> bool:
    """True if an address has a host, and either a valid port or no port."""
    try:
        place = urlsplit(address)
        return bool(place.hostname) and place.port != 0
    except ValueError:
        return False


def _fits(text: str, kind: Any) -> bool:
    try:
        msgspec.convert(text, kind)
    except msgspec.ValidationError:
        return False
    return text.isprintable()  # a pattern's $ accepts a final line feed
