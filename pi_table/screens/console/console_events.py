"""What can happen to the console."""

from typing import Final

import msgspec

from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import Answer, AnyTableMessage, Busy
from pi_table.screens.console.judge import Judged

MOUSE: Final = -1
"""The number of the finger that is a mouse."""


class Choose(msgspec.Struct, frozen=True):
    """Somebody tapped something; ``target`` is what the scene has there."""

    target: object
    finger: int = MOUSE
    """Which finger it was."""


class Typed(msgspec.Struct, frozen=True):
    """A key of a keyboard: one character, ``\\n`` for enter, ``\\b`` for backspace."""

    sign: str


class Lifted(msgspec.Struct, frozen=True):
    """A finger that tapped is lifted."""

    finger: int = MOUSE
    """Which finger it was."""


class Stopped(msgspec.Struct, frozen=True):
    """The table, which is away, has failed for good, or no longer has."""

    why: str | None
    """The sentence that it left; None if it left none."""


Happening = (
    Input
    | Choose
    | Typed
    | Lifted
    | AnyTableMessage
    | Answer
    | Busy
    | Judged
    | Connected
    | Disconnected
    | Stopped
)
