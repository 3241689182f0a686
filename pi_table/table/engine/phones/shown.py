"""The private view of a seat's phone, and the acts that the phone may request."""

from typing import Any, Final

import msgspec

from pi_table.protocols.ipc.messages import AgentVisit

JUDGE: Final = "judge"
"""Act of a spymaster's phone: ask the referee for its opinion of a clue."""
MARK: Final = "mark"
"""Act of an operative's phone: mark a cell as a candidate for a guess."""

MAX_A_MINUTE: Final = 8
"""Maximum number of limited acts (`Act.is_limited`) that a phone may request in a minute."""


class PhoneView(msgspec.Struct, frozen=True):
    """The private view of a seat's phone."""

    may: tuple[str, ...]
    """The acts that the phone may request now."""
    key: str | None = None
    """The 25 letters of the key; None while it is hidden."""
    door: AgentVisit | None = None
    """The state of this agent's visit, if there is one."""
    agent: dict[str, Any] | None = None
    """This agent's private information; None while it is hidden."""

    def __repr__(self) -> str:
        return "PhoneView(…)"
