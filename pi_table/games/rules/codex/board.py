"""What lies open in a game of Codex: everything that anybody may know, and nothing else.

Agents are numbers here, 0 to 5, in the order in which they sit. What is hidden stands in
`hidden.py`; a function that is given a `Board` alone cannot betray it.
"""

import enum
from typing import Final

import msgspec

from pi_table.games.rules.codex.identikit import REVEALABLE, Fact, Identikit, Role, Value
from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import AGENTS, Seat

COUNT: Final = len(AGENTS)
INDEX: Final = {seat: agent for agent, seat in enumerate(AGENTS)}
"""The agent that has a seat."""


class Phase(enum.Enum):
    """What the table is doing. The first five make one phase of the game, and come again."""

    SEND = "send"
    """The first lap at the hidden screen: messages; a target for the hackers."""
    ACT = "act"
    """The second lap: what came is read; questions, demands, attempts at a code."""
    DISCUSS = "discuss"
    VOTE = "vote"
    MACHINE = "machine"
    """An agent chooses, at the hidden screen, what is revealed."""
    OVER = "over"

    # A member is the only one of its value, so its address will do; Enum hashes the name, slowly.
    __hash__ = object.__hash__


SEND, ACT, DISCUSS, VOTE, MACHINE, OVER = Phase
AT_SCREEN: Final = (SEND, ACT, MACHINE)
"""When an agent is at the hidden screen."""


class Agent(msgspec.Struct, frozen=True, gc=False):
    """What everybody knows of one agent."""

    nickname: str
    revealed: tuple[tuple[Fact, Value], ...] = ()
    """What the truth machine brought to light, in that order."""

    def has_revealed(self, fact: Fact) -> bool:
        return any(fact is known for known, _ in self.revealed)

    @property
    def has_secrets(self) -> bool:
        """Is anything left for the truth machine?"""
        return len(self.revealed) < len(REVEALABLE)


class Vote(msgspec.Struct, frozen=True, gc=False):
    voter: int
    target: int


class Board(msgspec.Struct, frozen=True, gc=False):
    """Everything about a game that anybody at the table may know."""

    profile: str
    settings: Settings
    roles: tuple[Role, ...]
    """The three in play, the same for both factions (CX-3)."""
    agents: tuple[Agent, ...]
    phase: Phase
    number: int
    """The number of the phase of the game, from 1."""
    turn: int | None
    """The agent whose visit, vote or choice it is. None in the discussion, after the end, and while
    agents are `together`."""
    waiting: tuple[int, ...]
    """The agents whose visit or vote is still to come, in their order."""
    countdown: Countdown | None
    """The time of the visit or of the discussion; None in every other phase."""
    added: int = 0
    """How many whole lengths this visit lasts longer, because its message was missing (CX-18)."""
    awaited: bool = False
    """Is the agent whose visit it is still to say that they are at the hidden screen (CX-18)?
    Or one of those who are `together`, that they are there?"""
    phones: tuple[int, ...] = ()
    """The agents who have paired a phone (CX-20)."""
    together: tuple[int, ...] = ()
    """The agents who do their visits at the same time, each on a phone of their own; none at other
    times. Which of them are done is hidden."""
    there: tuple[int, ...] = ()
    """Those of them who said that they are there, while the others are still awaited."""
    delivered: int = 0
    """The number of phases in which the messages were delivered."""
    votes: tuple[Vote, ...] = ()
    """The votes of this phase, in their order."""
    paused: bool = False
    """True while the game and its time stand still."""
    outcome: Outcome | None = None
    """How the game ended; None before that."""
    abandoned: "Board | None" = None
    """The board as it was before the game was abandoned; None unless it was (ALL-3)."""
    new_codes: tuple[int, ...] = ()
    """The agents whom the operator let choose a code of their own anew, one entry each time
    (CX-19)."""
    identikits: tuple[Identikit, ...] | None = None
    """All six identikits after they were made public (ALL-5); None before that."""

    def at_screen(self, seat: Seat) -> bool:
        """Is it this seat that the hidden screen is for?"""
        return self.phase in AT_SCREEN and self.turn is not None and AGENTS[self.turn] is seat

    @property
    def visiting(self) -> tuple[int, ...]:
        """The agents whose visit it is, at the screen or on phones; or whose vote or choice."""
        return self.together if self.turn is None else (self.turn,)

    def is_fresh(self, now: float) -> bool:
        """Is this a visit of which no time has run yet?"""
        if self.settings.visit_starts == "ready":
            return self.awaited
        if self.countdown is None or self.phase not in (SEND, ACT) or self.added:
            return False
        return self.countdown.remaining(now) >= self.settings.visit_seconds


def order_of_visits(number: int, phones: tuple[int, ...]) -> tuple[int, ...]:
    """The agents in the order of a lap: those who have a phone come first (CX-20)."""
    return tuple(sorted(lap(number), key=lambda agent: agent not in phones))


def lap(number: int) -> tuple[int, ...]:
    """The agents in the order of phase ``number``: one seat later every time (CX-10)."""
    first = (number - 1) % COUNT
    return (*range(first, COUNT), *range(first))
