"""What the phone of a seat shows, besides what everybody may see; and what it may ask for."""

from typing import Any, Final

import msgspec

from pi_table.protocols.ipc.messages import Door

JUDGE: Final = "judge"
"""What a spymaster's phone asks for to hear what the referee thinks of a clue."""
MARK: Final = "mark"
"""What an operative's phone asks for to mark a cell as meant."""

MAX_A_MINUTE: Final = 8
"""How often a phone may ask for acts that the rules allow again and again (`Act.is_limited`)."""


class Shown(msgspec.Struct, frozen=True):
    """What the phone of a seat shows."""

    may: tuple[str, ...]
    """What it may ask for now."""
    key: str | None = None
    """The 25 letters of the key; None where it is not to be seen."""
    door: Door | None = None
    """How it stands with the visit of the agent whose phone it is."""
    agent: dict[str, Any] | None = None
    """What that agent may see; None where it is not to be seen."""

    def __repr__(self) -> str:
        return "Shown(…)"
