"""Turns commands from the broker into requests to the table, or refuses them with a sentence.

The functions are pure: values in, values out. Anyone who may write to a topic of the table may send
any bytes. Only the commands in the README beside this file are accepted, exactly as they are shown
there. Any other message is refused and changes nothing.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Final, get_args

import msgspec

from pi_table.common.config import Command
from pi_table.common.errors import InputError
from pi_table.common.house_settings import MIN_BRIGHTNESS, Percent, TimeOfDay
from pi_table.common.language import did_you_mean
from pi_table.protocols.ipc.house import MAX_CLOSING_MINUTES, MAX_LOCATE_SECONDS, Order

MAX_COMMAND_BYTES: Final = 1024
"""Maximum size in bytes of a command's payload. All valid payloads are far smaller."""
MAX_QUOTED_LENGTH: Final = 40
"""Maximum number of characters of an unknown name that are quoted in a sentence."""

Act = dict[str, Any]
"""A request to the table: the value of a message's field ``do``, without the message's number."""


class Locate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seconds: Annotated[int, msgspec.Meta(ge=0, le=MAX_LOCATE_SECONDS)]


class Brightness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    percent: Annotated[int, msgspec.Meta(ge=MIN_BRIGHTNESS, le=100)]


class Volume(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    percent: Percent | None = None
    muted: bool | None = None


class Quiet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"start": "from"}):
    start: TimeOfDay
    until: TimeOfDay


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    on: bool


class Closing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    minutes: Annotated[int, msgspec.Meta(ge=1, le=MAX_CLOSING_MINUTES)]


class Kind(msgspec.Struct, frozen=True):
    """One kind of command."""

    takes: type[msgspec.Struct]
    example: str
    act: Callable[[Any], Act]
    """Function that turns a command's payload into a request to the table."""


def act(
    command: str, payload: bytes, kept: bool, allowed: Collection[str] = get_args(Command)
) -> Act:
    """Return the request to the table for a command. ``kept`` is True if the sender asked the
    broker to retain the command. Raises InputError, with a sentence for the sender, if the command
    is refused."""
    kind = KINDS.get(command)
    if kind is None:
        near = did_you_mean(command[:MAX_QUOTED_LENGTH], list(KINDS))
        raise InputError(f"The table knows no such command; {near}")
    if command not in allowed:
        raise InputError(
            f"This table does not accept {command!r} remotely: [bridge] commands leaves it out."
        )
    if kept:
        raise InputError(
            "A retained command would be obeyed at each new connection, so it never is: "
            "send it without retain."
        )
    if len(payload) > MAX_COMMAND_BYTES:
        raise InputError(f"A command has no more than {MAX_COMMAND_BYTES:,} bytes.")
    try:
        read = msgspec.json.decode(payload, type=kind.takes)
    except (ValueError, RecursionError) as error:
        raise InputError(f"The command cannot be read: {error}. Send {kind.example}.") from None
    asked = kind.act(read)
    if asked.get("settings") == {}:
        raise InputError(f"The command is empty: send {kind.example}.")
    return {"seat": "operator", **asked}


def _set(settings: Mapping[str, Any]) -> Act:
    changed = {name: value for name, value in settings.items() if value is not None}
    return {"act": Order.SET.value, "settings": changed}


KINDS: Final[Mapping[str, Kind]] = {
    "locate": Kind(
        Locate, '{"seconds": 20}', lambda read: {"act": Order.LOCATE.value, "seconds": read.seconds}
    ),
    "brightness": Kind(
        Brightness, '{"percent": 60}', lambda read: _set({"brightness": read.percent})
    ),
    "volume": Kind(
        Volume,
        '{"percent": 60} or {"muted": true}',
        lambda read: _set({"volume": read.percent, "muted": read.muted}),
    ),
    "quiet": Kind(
        Quiet,
        '{"from": "23:00", "until": "09:00"}',
        lambda read: _set({"quiet_from": read.start, "quiet_until": read.until}),
    ),
    "idle-lights": Kind(Switch, '{"on": true}', lambda read: _set({"idle_lights": read.on})),
    "closing": Kind(
        Closing,
        '{"minutes": 10}',
        lambda read: {"act": Order.CLOSING.value, "minutes": read.minutes},
    ),
    "out-of-service": Kind(Switch, '{"on": true}', lambda read: _set({"out_of_service": read.on})),
}
"""Every kind of command, by name. None of them is a move in a game."""
