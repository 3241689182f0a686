"""What each seat may see of a game of Codex. A view is built up from what its seat may know.

The public view is made of a `Board` alone, and so holds nothing that is hidden. An agent's view
holds what that agent alone knows, and hides it in every text made of it. A view's JSON is the
contract with everything outside; `README.md` shows it, phase by phase.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from pi_table.games.rules.codex.board import AT_SCREEN, DISCUSS, INDEX, VOTE, Board, Phase
from pi_table.games.rules.codex.hidden import (
    Attempted,
    Dossier,
    Entered,
    Received,
    State,
    entered_in,
    is_blocked,
    received,
)
from pi_table.games.rules.codex.identikit import WRONG_CODES, Fact, Hides, Identikit, Role, Value
from pi_table.games.rules.codex.phases import may
from pi_table.games.rules.countdown import TimerView
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.games.rules.team import Team

Guard = Literal["choose", "enter", "open", "locked"]


class KnownAgent(msgspec.Struct, frozen=True):
    """What everybody knows of an agent."""

    nickname: str
    revealed: dict[str, Value]
    """What the truth machine brought to light, by the name of the fact, in that order."""


class VoteView(msgspec.Struct, frozen=True):
    voter: Seat
    target: Seat


class IdentikitView(Hides, msgspec.Struct, frozen=True):
    """An identikit: its faction is the one that it shows."""

    nickname: str
    faction: Team
    role: Role
    position: int
    fragment: str


class OpenIdentikit(IdentikitView, frozen=True):
    """An identikit that was made public after the end."""

    belongs: Team
    """The true faction: not the identikit's for an infiltrator."""


class CodexView(msgspec.Struct, frozen=True):
    """What anybody may see.

    Programs outside rely on the fields from ``profile`` to ``outcome``. A field that is UNSET does
    not stand in the JSON.
    """

    profile: str
    """The id of the game's profile."""
    phase: Phase
    """What the table is doing."""
    number: int
    """The number of the phase of the game, from 1."""
    roles: tuple[Role, ...]
    """The three roles in play (CX-3)."""
    agents: tuple[KnownAgent, ...]
    """The six agents in the order of their seats."""
    at_screen: Seat | None
    """The agent at the hidden screen, in a visit or at the truth machine; None at other times."""
    votes: tuple[VoteView, ...]
    """The votes of this phase, in their order."""
    outcome: Outcome | None
    """How the game ended; None before that."""
    turn: Seat | None
    """The agent whose vote is awaited; None outside a vote."""
    order: tuple[Seat, ...]
    """The agents whose visit or vote is still to come, in their order."""
    timer: TimerView | None
    """The time of the visit or of the discussion; None at other times."""
    added: int
    """How many whole lengths this visit lasts longer, because its message is missing (CX-18)."""
    awaited: bool
    """Is the agent in ``at_screen``, or one of those ``together``, still to say that they are
    there? Until then the time of the visit stands, and nothing that is hidden can be asked for
    (CX-18)."""
    paused: bool
    """True while the game and its time stand still."""
    new_codes: tuple[Seat, ...]
    """The agents whom the operator let choose a code of their own anew, one entry each time."""
    phones: tuple[Seat, ...] | UnsetType = UNSET
    """The agents who have paired a phone (CX-20). UNSET in a game without phones."""
    together: tuple[Seat, ...] | UnsetType = UNSET
    """The agents who have their visits at the same time, on their phones; none at other times.
    UNSET in a game without phones."""
    identikits: tuple[OpenIdentikit, ...] | UnsetType = UNSET
    """All six identikits. UNSET until they were made public (ALL-5)."""


class MessageView(Hides, msgspec.Struct, frozen=True):
    """A message that came in."""

    number: int
    """From 1 among those of its phase: what `ask` names."""
    fragment: str
    facts: dict[str, Value]
    learned: dict[str, Value]
    """What the agent asked of its sender, and was told."""


class Delivery(Hides, msgspec.Struct, frozen=True):
    """What came in one phase of the game."""

    phase: int
    messages: tuple[MessageView, ...]


class SentView(Hides, msgspec.Struct, frozen=True):
    to: Seat
    facts: tuple[Fact, ...]
    """Those that are told, the fragment apart."""


class AskedView(Hides, msgspec.Struct, frozen=True):
    """What the agent asked in this phase."""

    message: int
    """The number of the message that it was about."""
    fact: Fact


class EnteredView(Hides, msgspec.Struct, frozen=True):
    """What the agent entered in this phase of the game; None: nothing yet."""

    send: SentView | None
    hack: Seat | None
    ask: AskedView | None
    extort: Fact | None
    attempt: Attempted | None


class AgentView(Hides, msgspec.Struct, frozen=True):
    """The public view, and all that the agent knows besides."""

    seat: Seat
    may: tuple[str, ...]
    public: CodexView
    identikit: IdentikitView
    belongs: Team
    """The faction whose victory is the agent's: not the identikit's for an infiltrator."""
    attempt_left: bool
    """May a code still be tried, now or in a later phase?"""
    power_left: bool | None
    """Has the profiler's or the inquisitor's power still to be used? None for the others."""
    received: tuple[Delivery, ...]
    """What came, the latest phase first; phases in which nothing came are left out."""
    blocked: bool
    """Does a hacker keep the agent from entering a code in this phase?"""
    entered: EnteredView
    done: bool
    """Has the agent said in this visit that nothing more comes?"""
    not_target: Seat | None
    """Whom the agent may not name for a `hack`, as they did in the phase before."""
    code: Guard
    """How it stands with the code of the agent's own. ``choose``: it is still to be chosen.
    ``enter``: it comes before anything else. ``open``: it was chosen or entered in this visit.
    ``locked``: it was wrong too often, and so this visit passes."""
    tries_left: int
    """How many more wrong codes of the agent's own there may be before the visit passes."""


class CodexOperatorView(msgspec.Struct, frozen=True):
    """The public view, the settings, and what is wrong with the table: nothing that is hidden."""

    seat: Seat
    may: tuple[str, ...]
    public: CodexView
    settings: Settings
    faults: tuple[str, ...] = ()


def view(state: State, seat: Seat, now: float) -> AgentView | CodexOperatorView:
    """What ``seat`` may see at ``now``. Raises Refused for a seat that is not in the game."""
    public = public_view(state.board, now)
    if seat is Seat.OPERATOR:
        return CodexOperatorView(seat, may(state, seat), public, state.board.settings)
    if seat not in INDEX:
        raise Refused(Reason.UNKNOWN_SEAT)
    agent = INDEX[seat]
    dossier = state.secrets.dossiers[agent]
    identikit = dossier.identikit
    last_hack = dossier.earlier[-1].hack if dossier.earlier else None
    return AgentView(
        seat=seat,
        may=may(state, seat),
        public=public,
        identikit=_identikit(identikit),
        belongs=identikit.faction,
        attempt_left=dossier.attempt_left,
        power_left=_power_left(dossier),
        received=tuple(_deliveries(state, agent)),
        blocked=is_blocked(state, agent),
        entered=_entered(dossier.entered),
        done=dossier.done,
        not_target=_seat(last_hack),
        code=_guard(dossier),
        tries_left=WRONG_CODES - dossier.wrong,
    )


def public_view(board: Board, now: float) -> CodexView:
    """What everybody may see at ``now`` (CX-1, CX-3, CX-7, CX-9, ALL-1)."""
    turn = _seat(board.turn)
    without_phones = board.settings.screens != "phones"
    return CodexView(
        profile=board.profile,
        phase=board.phase,
        number=board.number,
        roles=board.roles,
        agents=tuple(
            KnownAgent(agent.nickname, {fact.value: value for fact, value in agent.revealed})
            for agent in board.agents
        ),
        at_screen=turn if board.phase in AT_SCREEN else None,
        votes=tuple(VoteView(AGENTS[vote.voter], AGENTS[vote.target]) for vote in board.votes),
        outcome=board.outcome,
        turn=turn if board.phase is VOTE else None,
        order=tuple(AGENTS[agent] for agent in board.waiting),
        timer=_timer(board, now),
        added=board.added,
        awaited=board.awaited,
        paused=board.paused,
        new_codes=tuple(AGENTS[agent] for agent in board.new_codes),
        phones=UNSET if without_phones else tuple(AGENTS[agent] for agent in board.phones),
        together=UNSET if without_phones else tuple(AGENTS[agent] for agent in board.together),
        identikits=UNSET if board.identikits is None else tuple(map(_open, board.identikits)),
    )


def _seat(agent: int | None) -> Seat | None:
    return None if agent is None else AGENTS[agent]


def _identikit(identikit: Identikit) -> IdentikitView:
    return IdentikitView(
        identikit.nickname,
        identikit.shown_faction,
        identikit.role,
        identikit.position,
        identikit.fragment,
    )


def _open(identikit: Identikit) -> OpenIdentikit:
    return OpenIdentikit(**msgspec.structs.asdict(_identikit(identikit)), belongs=identikit.faction)


def _timer(board: Board, now: float) -> TimerView | None:
    countdown = board.countdown
    if countdown is None:
        return None
    left = countdown.remaining(now)
    mode = "discussion" if board.phase is DISCUSS else "visit"
    return TimerView(mode, round(left, 3), countdown.since is not None, left <= 0.0)


def _deliveries(state: State, agent: int) -> Iterator[Delivery]:
    for phase in range(state.board.delivered, 0, -1):
        messages = tuple(
            _message(state, agent, message) for message in received(state, agent, phase)
        )
        if messages:
            yield Delivery(phase, messages)


def _message(state: State, agent: int, message: Received) -> MessageView:
    sender = state.secrets.dossiers[message.sender].identikit
    question = entered_in(state.secrets.dossiers[agent], message.phase).question
    learned = {}
    if question is not None and question.answer is not None and question.message == message.number:
        learned[question.fact.value] = question.answer
    return MessageView(
        message.number,
        sender.fragment,
        {fact.value: sender.says(fact) for fact in message.facts},
        learned,
    )


def _power_left(dossier: Dossier) -> bool | None:
    role = dossier.identikit.role
    if role is Role.PROFILER:
        return dossier.question_left
    return dossier.demand_left if role is Role.INQUISITOR else None


def _entered(entered: Entered) -> EnteredView:
    message, question, demand = entered.message, entered.question, entered.demand
    return EnteredView(
        send=None if message is None else SentView(AGENTS[message.to], message.facts),
        hack=_seat(entered.hack),
        ask=None if question is None else AskedView(question.message, question.fact),
        extort=None if demand is None else demand.fact,
        attempt=entered.attempt,
    )


def _guard(dossier: Dossier) -> Guard:
    if dossier.own_code is None:
        return "choose"
    if dossier.is_open:
        return "open"
    return "locked" if dossier.locked else "enter"
