"""The events that the console processes."""

from typing import Final

import msgspec

from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import Answer, AnyTableMessage, Busy
from pi_table.screens.console.judge import Judged

MOUSE: Final = -1
"""The value of ``finger`` in the events of the mouse."""


class Choose(msgspec.Struct, frozen=True):
    """A tap on a shape. ``target`` is the target of that shape."""

    target: object
    finger: int = MOUSE


class Typed(msgspec.Struct, frozen=True):
    r"""A key press on a keyboard: one character, ``\n`` for enter, ``\b`` for backspace."""

    sign: str


class Lifted(msgspec.Struct, frozen=True):
    """The end of a tap: its finger was lifted."""

    finger: int = MOUSE


class Stopped(msgspec.Struct, frozen=True):
    """The table's process has failed permanently, or has recovered from such a failure."""

    why: str | None
    """The reason that the failed table has written to a file; None if the failure is over."""


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
