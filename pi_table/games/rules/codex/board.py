"""The public part of a game of Codex: everything that anybody may know, and nothing else.

Agents are numbers here, 0 to 5, in the order of their seats. Hidden information is in `hidden.py`;
a function that receives only a `Board` cannot leak it.
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
"""The number of the agent in each seat."""


class Phase(enum.Enum):
    """The phases of the table. SEND, ACT, DISCUSS, VOTE and MACHINE together are one phase of the
    game."""

    SEND = "send"
    """First lap (one visit of each agent): agents send messages, and hackers choose targets."""
    ACT = "act"
    """Second lap: agents read messages, ask, demand, and try a code."""
    DISCUSS = "discuss"
    VOTE = "vote"
    MACHINE = "machine"
    """The agent at the truth machine chooses the fact to reveal."""
    OVER = "over"

    # Each member exists only once, so its address can be the hash. Enum's own hash is slower.
    __hash__ = object.__hash__


SEND, ACT, DISCUSS, VOTE, MACHINE, OVER = Phase
AT_SCREEN: Final = (SEND, ACT, MACHINE)
"""The phases in which agents use the hidden screen, or their phones."""
LAPS: Final = (SEND, ACT, VOTE)
"""The phases in which each agent has one visit or one vote."""


class Place(enum.Enum):
    """The place of a visit, or of the choice at the truth machine."""

    SCREEN = "screen"
    PHONES = "phones"


class Agent(msgspec.Struct, frozen=True, gc=False):
    """The public facts about one agent."""

    nickname: str
    revealed: tuple[tuple[Fact, Value], ...] = ()
    """The facts that the truth machine revealed, the earliest first."""

    def has_revealed(self, fact: Fact) -> bool:
        return any(fact is known for known, _ in self.revealed)

    @property
    def has_secrets(self) -> bool:
        """True if the agent can still reveal a fact at the truth machine."""
        return len(self.revealed) < len(REVEALABLE)


class Vote(msgspec.Struct, frozen=True, gc=False):
    voter: int
    target: int


class Board(msgspec.Struct, frozen=True, gc=False):
    """Everything about a game that anybody at the table may know."""

    profile: str
    settings: Settings
    roles: tuple[Role, ...]
    """The three roles in play, the same for both factions (CX-3)."""
    agents: tuple[Agent, ...]
    phase: Phase
    number: int
    """Number of the phase of the game, from 1."""
    turn: int | None
    """The agent who now visits, votes or chooses. None in the discussion, after the end, and while
    agents visit `together`."""
    waiting: tuple[int, ...]
    """The agents who will visit or vote later in this lap, in order."""
    countdown: Countdown | None
    """The time of the visit or the discussion; None in every other phase."""
    added: int = 0
    """Number of full visit lengths that were added to this visit, because the agent has not sent
    the message (CX-18)."""
    awaited: bool = False
    """True until all visiting agents have reported, by the act `ready` (CX-18)."""
    phones: tuple[int, ...] = ()
    """The agents who have paired a phone (CX-20)."""
    together: tuple[int, ...] = ()
    """The agents who visit at the same time, on phones. It is hidden which of them are done."""
    there: tuple[int, ...] = ()
    """Agents of `together` who have reported (act `ready`), while others are awaited."""
    delivered: int = 0
    """Number of phases of the game whose messages have been delivered."""
    votes: tuple[Vote, ...] = ()
    """The votes in this phase of the game, in order."""
    last_votes: tuple[Vote, ...] = ()
    """The votes of the previous phase, if nobody then went to the truth machine. They stay
    public until the messages of this phase are delivered: the last agent's vote has itself begun
    this phase, and would otherwise never be seen (CX-7)."""
    paused: bool = False
    outcome: Outcome | None = None
    abandoned: "Board | None" = None
    """The board before the game was abandoned; None if the game was not abandoned (ALL-3)."""
    new_codes: tuple[int, ...] = ()
    """Agents whom the operator has allowed a new personal code. An agent with two new codes is
    listed twice (CX-19)."""
    identikits: tuple[Identikit, ...] | None = None
    """All six identikits, once they are public (ALL-5); None before."""

    def at_screen(self, seat: Seat) -> bool:
        """True if only this seat's agent is in turn: on a visit, or at the truth machine."""
        return self.phase in AT_SCREEN and self.turn is not None and AGENTS[self.turn] is seat

    @property
    def visiting(self) -> tuple[int, ...]:
        """The agents who now visit, vote or choose: one agent, or several on phones."""
        return self.together if self.turn is None else (self.turn,)

    @property
    def place(self) -> Place | None:
        """The place of the current visit or choice; None if there is none. If an agent pairs a
        phone during a visit at the hidden screen, this visit stays there."""
        if self.phase not in AT_SCREEN or not self.visiting:
            return None
        by_phone = self.together or (self.phase is MACHINE and self.turn in self.phones)
        return Place.PHONES if by_phone else Place.SCREEN

    @property
    def finished(self) -> tuple[int, ...]:
        """The agents whose visit or vote in this lap is over. An agent of `together` who is done
        early is not included, because that is hidden (CX-20)."""
        if self.phase not in LAPS:
            return ()
        coming = (*self.visiting, *self.waiting)
        return tuple(agent for agent in range(COUNT) if agent not in coming)

    def is_fresh(self, now: float) -> bool:
        """True if no time of this visit has passed yet."""
        if self.settings.visit_starts == "ready":
            return self.awaited
        if self.countdown is None or self.phase not in (SEND, ACT) or self.added:
            return False
        return self.countdown.remaining(now) >= self.settings.visit_seconds


def order_of_visits(number: int, phones: tuple[int, ...]) -> tuple[int, ...]:
    """Return the agents in the order of their visits. Agents with a phone come first (CX-20)."""
    return tuple(sorted(lap(number), key=lambda agent: agent not in phones))


def lap(number: int) -> tuple[int, ...]:
    """Return the agents in their order in the game's phase ``number``. Each phase begins one seat
    later (CX-10)."""
    first = (number - 1) % COUNT
    return (*range(first, COUNT), *range(first))
