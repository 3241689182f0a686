"""Makes lines of scenarios for the clips and walks. `scenario` reads these lines."""

from collections.abc import Iterator
from typing import Any, Final

from pi_table.common.geometry import CELLS

Line = dict[str, Any]

KEY: Final = "rbnrbrnbrnbrabrnrbrnbnrbn"
"""A key with several identities near every corner of the table."""
ALIAS_KEY: Final = "rbnrbrnbrnbr-brnrbrabnrbn"


def game(profile: str = "codenames", key: str | None = KEY, **options: Any) -> Line:
    return {"game": {"profile": profile, "options": options, "words": None, "key": key}}


def act(at: float, seat: str, name: str, **fields: Any) -> Line:
    return {"at": at, "act": {"seat": seat, "act": name, **fields}}


def clue(at: float, team: str = "red", number: int | str = 3) -> Line:
    return act(at, f"{team}-spymaster", "clue", number=number)


def hold(at: float, place: str, seconds: float = 0.5) -> tuple[Line, Line]:
    return {"at": at, "touch": place}, {"at": at + seconds, "release": place}


def guess(at: float, cell: str, team: str = "red") -> Line:
    return act(at, f"{team}-operatives", "guess", cell=cell)


def tick(at: float) -> Line:
    """Return a line that only advances the time."""
    return {"at": at, "act": {"act": "tick"}}


def cells_of(key: str, letter: str) -> list[str]:
    return [name for name, each in zip(CELLS, key, strict=True) if each == letter]


TURN_SECONDS: Final = 45.0
"""Duration in seconds of an agent's turn at the hidden screen in Codex."""
DISCUSSES: Final = 12 * TURN_SECONDS
"""Time in seconds at which the first discussion of a game of Codex begins."""


ATTEMPTED: Final = 6 * TURN_SECONDS + 5.0
"""Time in seconds at which agent 1 tries a code in its second turn in Codex."""


def codex_messages() -> Iterator[Line]:
    """Yield the first turn of each agent in Codex. Each agent sends a message to the next agent."""
    for agent in range(6):
        at, name, to = TURN_SECONDS * agent, f"agent-{agent + 1}", f"agent-{(agent + 1) % 6 + 1}"
        yield act(at + 1.0, name, "choose-code", code="1234")
        yield act(at + 2.0, name, "send", to=to, facts=["position"])


def codex_votes() -> list[Line]:
    """Return the votes after the first discussion. All vote for agent 1, who votes for agent 2."""
    votes = enumerate(("agent-2", *("agent-1",) * 5))
    return [
        act(DISCUSSES + 8.0 + 3 * agent, f"agent-{agent + 1}", "vote", target=target)
        for agent, target in votes
    ]
