"""Who there is at the broker: tables, each by its name, and the users that are no tables."""

import enum
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from pi_table.common.config import BrokerAddress, TableName, TopicLevels
from pi_table.common.language import say
from pi_table.fleet.bridge.topics import EVERYBODY


class Kind(enum.Enum):
    """What a user of the broker is, and so which rights it has."""

    TABLE = "table"
    COLLECTOR = "collector"
    """Keeps what was played at all tables."""
    HOME_ASSISTANT = "home-assistant"
    OPERATOR = "operator"
    """Whoever commands tables by hand."""


class User(msgspec.Struct, frozen=True):
    """A user of the broker, without its name and password."""

    kind: Kind
    bar: str = ""
    """The bar that a table stands in, or whose tables a user sees; "": no bar, or all of them."""


PROBE: Final = "probe"
"""A user with the rights of a table, and without a table: it tries what a thief would."""
PROBED: Final = "probe-other"
"""The same, as the table that the probe tries to hear and to command."""
ALWAYS: Final = {
    **{kind.value: User(kind) for kind in Kind if kind is not Kind.TABLE},
    PROBE: User(Kind.TABLE),
    PROBED: User(Kind.TABLE),
}
"""The users that every broker has."""
RESERVED: Final = (EVERYBODY, "do", *ALWAYS)
"""Names that no table has: behind `do` a topic has a command."""


def fault_of_table(name: str) -> str | None:
    """What is wrong with the name of a table, as the end of a sentence; None: nothing."""
    if name in RESERVED:
        return say(
            "must not be one of {reserved}: these are taken at the broker.",
            reserved=", ".join(RESERVED),
        )
    return fault_of_name(name)


def fault_of_name(name: str) -> str | None:
    """What is wrong with the name of a bar or a user, as the end of a sentence; None: nothing."""
    if name and _fits(name, TableName):
        return None
    return say("must be 1 to 40 of the letters a to z, digits, _ and -.")


def fault_of_broker(address: str) -> str | None:
    """What is wrong with the address of a broker, as the end of a sentence; None: nothing."""
    if _fits(address, BrokerAddress) and (not address or _has_place(address)):
        return None
    return say("must be an address such as mqtts://broker.lan or mqtts://broker.lan:8883.")


def fault_of_prefix(prefix: str) -> str | None:
    """What is wrong with the first levels of topics, as the end of a sentence; None: nothing."""
    if _fits(prefix, TopicLevels):
        return None
    return say(
        "must be 1 to 4 levels with / between them, each 1 to 40 letters of ASCII, digits, _ and -."
    )


def _has_place(address: str) -> bool:
    """Does an address have a host, and a port that there can be, or none?"""
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
    return text.isprintable()  # a pattern's end lets a last line feed through
