"""What is hidden in a game of Codex: identikits, messages, powers used, codes of their own."""

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
    """What came of an attempt at a code."""

    RIGHT = "right"
    WRONG = "wrong"
    BLOCKED = "blocked"
    """A hacker prevented it: it was not judged, and is not used up (CX-11)."""
    NONE_LEFT = "none-left"


class Message(Hides, msgspec.Struct, frozen=True, gc=False):
    """A message as its sender entered it. The sender's fragment is told with it."""

    to: int
    """The agent who receives it."""
    facts: tuple[Fact, ...]
    """The fact that the sender picked; two of an informer (CX-13)."""


class Question(Hides, msgspec.Struct, frozen=True, gc=False):
    """A question about a message that came in the phase (CX-16)."""

    message: int
    """The number of the message, from 1."""
    fact: Fact
    """The fact of its sender that was asked for."""
    answer: Value | None
    """What the agent was told; None for an agent who cannot ask."""


class Demand(Hides, msgspec.Struct, frozen=True, gc=False):
    """A fact that an agent demands of the one for whom they vote (CX-14)."""

    fact: Fact
    target: int | None = None
    """The only agent for whom the demand holds, in games that version 0.5 and older ones stored;
    None for whomever the one who demands votes for."""
    prevailed: bool = False
    """True once the fact was revealed because of the demand."""


class Entered(Hides, msgspec.Struct, frozen=True, gc=False):
    """What one agent entered in one phase, whether they had the power or not."""

    message: Message | None = None
    hack: int | None = None
    """The agent who is to enter no code."""
    question: Question | None = None
    demand: Demand | None = None
    attempt: Attempted | None = None
    """What came of the attempt at a code; None where there was none."""


class Dossier(Hides, msgspec.Struct, frozen=True, gc=False):
    """All that is hidden about one agent."""

    identikit: Identikit
    entered: Entered = Entered()
    """What the agent entered in this phase."""
    earlier: tuple[Entered, ...] = ()
    """What the agent entered in each phase before, the first one first."""
    own_code: str | None = None
    """The code of the agent's own (CX-19); None before it is chosen."""
    is_open: bool = False
    """True once the agent chose the code of their own, or entered it, in this visit."""
    wrong: int = 0
    """How many wrong codes of their own the agent entered in this visit."""
    done: bool = False
    """True once the agent said that nothing more comes in this visit."""

    @property
    def locked(self) -> bool:
        """Does the visit pass, as the code of their own was wrong too often?"""
        return self.wrong >= WRONG_CODES

    @property
    def guarded(self) -> bool:
        """Must the code of their own be entered before anything else?"""
        return self.own_code is not None and not self.is_open

    @property
    def attempt_left(self) -> bool:
        """May they still try their faction's code (CX-6)?"""
        if self.identikit.role is Role.LEADER:
            return True
        return all(
            entered.attempt is not Attempted.WRONG for entered in (*self.earlier, self.entered)
        )

    @property
    def question_left(self) -> bool:
        """May they still ask about a message (CX-16)?"""
        return self.identikit.role is Role.PROFILER and not any(
            entered.question is not None and entered.question.answer is not None
            for entered in (*self.earlier, self.entered)
        )

    @property
    def demand_left(self) -> bool:
        """Can a demand of theirs still take effect (CX-14)?"""
        return self.identikit.role is Role.INQUISITOR and not any(
            entered.demand is not None and entered.demand.prevailed
            for entered in (*self.earlier, self.entered)
        )


class Received(Hides, msgspec.Struct, frozen=True, gc=False):
    """A message as it was delivered. Who sent it is for the rules alone."""

    phase: int
    number: int
    """From 1, among those that the agent received in this phase."""
    sender: int
    facts: tuple[Fact, ...]


class Secrets(Hides, msgspec.Struct, frozen=True, gc=False):
    """All that is hidden."""

    dossiers: tuple[Dossier, ...]

    @property
    def identikits(self) -> tuple[Identikit, ...]:
        return tuple(dossier.identikit for dossier in self.dossiers)

    def is_code_of(self, agent: int, code: str) -> bool:
        """Is this the code of the agent's true faction?"""
        faction = self.dossiers[agent].identikit.faction
        return len(code) == CODE_LENGTH and code == code_of(faction, self.identikits)


class State(msgspec.Struct, frozen=True, gc=False):
    """A whole game: what lies open, and what does not."""

    board: Board
    secrets: Secrets


def entered_in(dossier: Dossier, phase: int) -> Entered:
    """What the agent entered in the phase of this number (from 1)."""
    earlier = dossier.earlier
    return earlier[phase - 1] if phase <= len(earlier) else dossier.entered


def received(state: State, agent: int, phase: int) -> tuple[Received, ...]:
    """The messages that the agent received in a phase; none before they are delivered.

    They stand in the order of their fragments: any order of sending would tell who sent which.
    """
    if phase > state.board.delivered:
        return ()
    dossiers = state.secrets.dossiers
    sent = [
        (dossier.identikit.fragment, sender, message.facts)
        for sender, dossier in enumerate(dossiers)
        if (message := entered_in(dossier, phase).message) is not None and message.to == agent
    ]
    sent.sort(key=lambda one: one[0])
    return tuple(
        Received(phase, number, sender, facts)
        for number, (_, sender, facts) in enumerate(sent, start=1)
    )


def is_blocked(state: State, agent: int) -> bool:
    """Does a hacker keep the agent from entering a code in this phase (CX-11)?"""
    return state.board.delivered == state.board.number and any(
        dossier.entered.hack == agent and dossier.identikit.role is Role.HACKER
        for dossier in state.secrets.dossiers
    )


def prevailing(state: State) -> tuple[int, Demand] | None:
    """The inquisitor whose demand is to be met at the truth machine, and the demand; or None.

    It must be of this phase, by an inquisitor who voted for the agent at the machine and whose
    power is left, and the agent must not have revealed that fact there before; of two the first to
    vote prevails (CX-14).
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
