"""The hidden part of a game of Codex: identikits, messages, used powers and personal codes."""

import enum

import msgspec

from pi_table.games.rules.codex.board import MACHINE, Board
from pi_table.games.rules.codex.identikit import (
    CODE_LENGTH,
    WRONG_CODES,
    Fact,
    Hides,
    Identikit,
    Role,
    Value,
    code_of,
)


class Attempted(enum.Enum):
    """Results of trying the code of a faction."""

    RIGHT = "right"
    WRONG = "wrong"
    BLOCKED = "blocked"
    """A hacker prevented the attempt. It was not judged and does not count (CX-11)."""
    NONE_LEFT = "none-left"


class Message(Hides, msgspec.Struct, frozen=True, gc=False):
    """A message as its sender entered it. The sender's fragment is always added to it."""

    to: int
    facts: tuple[Fact, ...]
    """The fact that the sender chose. An informer may choose two (CX-13)."""


class Question(Hides, msgspec.Struct, frozen=True, gc=False):
    """A question about a message that was delivered in this phase (CX-16)."""

    message: int
    """The number of the message, from 1."""
    fact: Fact
    answer: Value | None
    """The answer; None if the agent has no power left to ask."""


class Demand(Hides, msgspec.Struct, frozen=True, gc=False):
    """A demand: the agent for whom the demanding agent votes must reveal ``fact`` (CX-14)."""

    fact: Fact
    target: int | None = None
    """In games before version 0.6: the only agent to whom the demand applies. Now always None: a
    demand applies to the agent for whom the demanding agent votes."""
    prevailed: bool = False
    """True once the fact has been revealed because of this demand."""


class Entered(Hides, msgspec.Struct, frozen=True, gc=False):
    """The entries of one agent in one phase. They are stored even if the agent lacks the power for
    them."""

    message: Message | None = None
    hack: int | None = None
    """The target that this agent named. If this agent is a hacker, the target cannot enter a code.
    """
    question: Question | None = None
    demand: Demand | None = None
    attempt: Attempted | None = None


class Dossier(Hides, msgspec.Struct, frozen=True, gc=False):
    """The hidden information about one agent."""

    identikit: Identikit
    entered: Entered = Entered()
    earlier: tuple[Entered, ...] = ()
    """The agent's entries in each earlier phase, in the order of the phases."""
    own_code: str | None = None
    """The agent's personal code (CX-19); None until the agent chooses one."""
    is_open: bool = False
    """True once the agent has chosen or entered the personal code in this visit."""
    wrong: int = 0
    """Number of wrong personal codes that were entered in this visit."""
    done: bool = False

    @property
    def locked(self) -> bool:
        """True if the visit is lost because too many wrong personal codes were entered."""
        return self.wrong >= WRONG_CODES

    @property
    def guarded(self) -> bool:
        """True if the agent must enter the personal code before anything else."""
        return self.own_code is not None and not self.is_open

    @property
    def attempt_left(self) -> bool:
        """True if the agent may still try the code of the faction (CX-6)."""
        if self.identikit.role is Role.LEADER:
            return True
        return all(
            entered.attempt is not Attempted.WRONG for entered in (*self.earlier, self.entered)
        )

    @property
    def question_left(self) -> bool:
        """True if the agent can still ask about a message and get an answer (CX-16)."""
        return self.identikit.role is Role.PROFILER and not any(
            entered.question is not None and entered.question.answer is not None
            for entered in (*self.earlier, self.entered)
        )

    @property
    def demand_left(self) -> bool:
        """True if a demand by the agent can still take effect (CX-14)."""
        return self.identikit.role is Role.INQUISITOR and not any(
            entered.demand is not None and entered.demand.prevailed
            for entered in (*self.earlier, self.entered)
        )


class Received(Hides, msgspec.Struct, frozen=True, gc=False):
    """A message as it was delivered. The rules know its sender, but no view shows the sender."""

    phase: int
    number: int
    """Number of the message among those that the agent received in this phase, from 1."""
    sender: int
    facts: tuple[Fact, ...]


class Secrets(Hides, msgspec.Struct, frozen=True, gc=False):
    """All hidden information of a game."""

    dossiers: tuple[Dossier, ...]

    @property
    def identikits(self) -> tuple[Identikit, ...]:
        return tuple(dossier.identikit for dossier in self.dossiers)

    def is_code_of(self, agent: int, code: str) -> bool:
        """True if ``code`` is the code of the agent's true faction."""
        faction = self.dossiers[agent].identikit.faction
        return len(code) == CODE_LENGTH and code == code_of(faction, self.identikits)


class State(msgspec.Struct, frozen=True, gc=False):
    """A whole game: its public part and its hidden part."""

    board: Board
    secrets: Secrets


def entries_of(dossier: Dossier, phase: int) -> Entered:
    """Return the agent's entries in the phase with this number (from 1)."""
    earlier = dossier.earlier
    return earlier[phase - 1] if phase <= len(earlier) else dossier.entered


def inbox(state: State, agent: int, phase: int) -> tuple[Received, ...]:
    """Return the messages that were delivered to the agent in a phase.

    They are sorted by fragment, because the order of sending would reveal the senders.
    """
    if phase > state.board.delivered:
        return ()
    dossiers = state.secrets.dossiers
    sent = [
        (dossier.identikit.fragment, sender, message.facts)
        for sender, dossier in enumerate(dossiers)
        if (message := entries_of(dossier, phase).message) is not None and message.to == agent
    ]
    sent.sort(key=lambda one: one[0])
    return tuple(
        Received(phase, number, sender, facts)
        for number, (_, sender, facts) in enumerate(sent, start=1)
    )


def is_blocked(state: State, agent: int) -> bool:
    """True if a hacker blocks the agent from entering a code in this phase (CX-11)."""
    return state.board.delivered == state.board.number and any(
        dossier.entered.hack == agent and dossier.identikit.role is Role.HACKER
        for dossier in state.secrets.dossiers
    )


def prevailing(state: State) -> tuple[int, Demand] | None:
    """Return the inquisitor whose demand the truth machine must meet, and the demand; else None.

    The demand must be from this phase. The inquisitor must have voted for the agent at the machine,
    and must have the power left. The agent must not have revealed the demanded fact at the machine
    already. If two inquisitors qualify, the one who voted first wins (CX-14).
    """
    board = state.board
    assert board.phase is MACHINE
    assert board.turn is not None
    for vote in board.votes:
        dossier = state.secrets.dossiers[vote.voter]
        demand = dossier.entered.demand
        if demand is None or not dossier.demand_left or vote.target != board.turn:
            continue
        holds = demand.target in (None, board.turn)
        if holds and not board.agents[board.turn].has_revealed(demand.fact):
            return vote.voter, demand
    return None
