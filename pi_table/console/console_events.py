"""What can happen to the console."""

import msgspec

from pi_table.console.judge import Judged
from pi_table.hal.contracts import Input
from pi_table.ipc.client import Connected, Disconnected
from pi_table.ipc.messages import Answer, AnyTableMessage, Busy


class Choose(msgspec.Struct, frozen=True):
    """Somebody tapped something; ``target`` is what the scene has there."""

    target: object


class Typed(msgspec.Struct, frozen=True):
    """A key of a keyboard: one character, ``\\n`` for enter, ``\\b`` for backspace."""

    sign: str


class Lifted(msgspec.Struct, frozen=True):
    """The finger that tapped last is lifted."""


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
)
