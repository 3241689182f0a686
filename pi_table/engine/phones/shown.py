"""What the phone of a seat shows, besides what everybody may see; and what it may ask for."""

from typing import Any, Final

import msgspec

from pi_table.ipc.messages import Door
from pi_table.rules.seat import Role

JUDGE: Final = "judge"
"""What a spymaster's phone asks for to hear what the referee thinks of a clue."""
MARK: Final = "mark"
"""What an operative's phone asks for to mark a cell as meant."""

ACTS: Final[dict[Role, frozenset[str]]] = {
    Role.SPYMASTER: frozenset(
        {"clue", "challenge", "allow", "uphold", "cover", "decline", "hourglass", "new-key"}
        | {"pause", "resume", "reveal", JUDGE}
    ),
    Role.OPERATIVES: frozenset({MARK}),
    Role.AGENT: frozenset(
        {"ready", "choose-code", "enter-code", "send", "hack", "ask", "extort", "attempt", "done"}
        | {"reveal", "pause", "resume"}
    ),
    Role.OPERATOR: frozenset(),
}
"""What a phone may ask for. A guess is a finger on a card: nobody makes one from elsewhere. What an
operator may do is done on the hidden screen, or behind the PIN."""

WITHOUT_END: Final = ("pause", "resume", "hourglass", "new-key")
"""Acts that the rules allow again and again. Each is kept, and told to everybody."""
MAX_A_MINUTE: Final = 8
"""How often a phone may ask for those."""


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
