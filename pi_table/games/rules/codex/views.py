"""The view of each seat in a game of Codex, built only from what the seat may know.

The public view is made from a `Board` alone, so it contains nothing hidden. An agent's view also
contains what only that agent knows, and does not show it when printed or logged. The JSON of a view
is the contract with other programs. Messages are sorted by fragment, because the order of sending
would reveal the senders.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from pi_table.games.rules.codex.board import (
    AT_SCREEN,
    DISCUSS,
    INDEX,
    VOTE,
    Board,
    Phase,
    Place,
    Vote,
)
from pi_table.games.rules.codex.hidden import (
    Attempted,
    Dossier,
    Entered,
    Received,
    State,
    entries_of,
    inbox,
    is_blocked,
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
    """The public facts about an agent."""

    nickname: str
    revealed: dict[str, Value]
    """The facts that the truth machine revealed, in the order of revelation."""


class VoteView(msgspec.Struct, frozen=True):
    voter: Seat
    target: Seat


class IdentikitView(Hides, msgspec.Struct, frozen=True):
    """An identikit with the faction that it shows, which is false for an infiltrator."""

    nickname: str
    faction: Team
    role: Role
    position: int
    fragment: str


class OpenIdentikit(IdentikitView, frozen=True):
    """An identikit that was made public after the end of the game."""

    belongs: Team
    """The true faction. The identikit of an infiltrator shows the other faction."""


class CodexView(msgspec.Struct, frozen=True):
    """The public view. The fields from ``profile`` to ``votes``, and ``outcome``, are a contract
    with other programs."""

    profile: str
    """The id of the game's profile."""
    phase: Phase
    """The current phase of the table."""
    number: int
    """Number of the game's phase, from 1."""
    roles: tuple[Role, ...]
    """The three roles in play (CX-3)."""
    agents: tuple[KnownAgent, ...]
    """The six agents in seat order."""
    at_screen: Seat | None
    """The agent on a visit to the hidden screen, or at the truth machine; else None."""
    votes: tuple[VoteView, ...]
    """The votes of this phase, in order."""
    outcome: Outcome | None
    """The result of the game; None before its end."""
    turn: Seat | None
    """The agent who must vote next; None if no vote is awaited."""
    order: tuple[Seat, ...]
    """Agents who will visit or vote later in this lap, in order."""
    timer: TimerView | None
    """The time of a visit or discussion; None in every other phase."""
    added: int
    """Number of full visit lengths that were added to this visit, because the agent has not sent
    the message (CX-18)."""
    awaited: bool
    """True until the agents of ``at_screen`` or ``together`` have confirmed their presence. After
    that the visit's time starts, and secrets can be requested (CX-18)."""
    paused: bool
    """True while the game and its time are stopped."""
    new_codes: tuple[Seat, ...]
    """Agents whom the operator has allowed a new personal code. An agent with two new codes is
    listed twice."""
    phones: tuple[Seat, ...] | UnsetType = UNSET
    """Agents with a paired phone (CX-20). UNSET in a game without phones."""
    together: tuple[Seat, ...] | UnsetType = UNSET
    """Agents who visit at the same time, on phones. UNSET in a game without phones."""
    identikits: tuple[OpenIdentikit, ...] | UnsetType = UNSET
    """All six identikits. UNSET until they are made public (ALL-5)."""
    place: Place | None = None
    """The place of the current visit or choice; None if nobody visits or chooses."""
    there: tuple[Seat, ...] = ()
    """The agents of ``together`` who have confirmed their presence, while others are awaited."""
    finished: tuple[Seat, ...] = ()
    """Agents whose visit or vote in this lap is over. Agents of ``together`` who are done early are
    not included, because that is hidden (CX-20)."""
    last_votes: tuple[VoteView, ...] | UnsetType = UNSET
    """The votes of the previous phase, in order, if nobody then went to the truth machine. UNSET in
    all other cases, and once the messages of this phase are delivered (CX-7)."""

    @property
    def shown_votes(self) -> tuple[VoteView, ...]:
        """The votes that a screen shows: of this phase, or of the previous one."""
        return self.votes or self.last_votes or ()


class MessageView(Hides, msgspec.Struct, frozen=True):
    """A message that the agent received."""

    number: int
    """Number of the message among the messages of its phase, from 1; the act `ask` uses it."""
    fragment: str
    facts: dict[str, Value]
    learned: dict[str, Value]
    """The facts that the agent learned by asking about this message, with their values; empty if
    there are none."""


class Delivery(Hides, msgspec.Struct, frozen=True):
    """The messages of one phase of the game."""

    phase: int
    messages: tuple[MessageView, ...]


class SentView(Hides, msgspec.Struct, frozen=True):
    to: Seat
    facts: tuple[Fact, ...]
    """The facts in the message, besides the fragment."""


class AskedView(Hides, msgspec.Struct, frozen=True):
    """The question that the agent asked in this phase."""

    message: int
    """Number of the message that the question is about."""
    fact: Fact


class EnteredView(Hides, msgspec.Struct, frozen=True):
    """The agent's entries in this phase of the game. An entry is None until the agent makes it."""

    send: SentView | None
    hack: Seat | None
    ask: AskedView | None
    extort: Fact | None
    attempt: Attempted | None


class AgentView(Hides, msgspec.Struct, frozen=True):
    """The public view, and everything else that the agent knows."""

    seat: Seat
    may: tuple[str, ...]
    public: CodexView
    identikit: IdentikitView
    belongs: Team
    """The faction with which the agent wins. It differs from the shown faction only for an
    infiltrator."""
    attempt_left: bool
    """True if the agent may still try a code, in this phase or a later one."""
    power_left: bool | None
    """True if the profiler's or the inquisitor's power is unused; None for the other roles."""
    received: tuple[Delivery, ...]
    """The received messages, the latest phase first. Phases without messages are left out."""
    blocked: bool
    """True if a hacker blocks the agent from entering a code in this phase."""
    entered: EnteredView
    done: bool
    """True if the agent has finished this visit."""
    not_target: Seat | None
    """The agent whom ``hack`` may not name in this phase: the target of the previous phase."""
    code: Guard
    """The state of the personal code.

    ``choose``: the code must still be chosen. ``enter``: the code must be entered before anything
    else. ``open``: the code was chosen or entered in this visit. ``locked``: wrong codes were
    entered too often, and this visit is lost.
    """
    tries_left: int
    """Number of further wrong personal codes after which the visit is lost."""


class CodexOperatorView(msgspec.Struct, frozen=True):
    """The public view, the settings, and the table's faults. It contains nothing hidden."""

    seat: Seat
    may: tuple[str, ...]
    public: CodexView
    settings: Settings
    faults: tuple[str, ...] = ()


def view(state: State, seat: Seat, now: float) -> AgentView | CodexOperatorView:
    """Return the view of ``seat`` at ``now``. Raises Refused if the game has no such seat."""
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
        entered=_entries(dossier.entered),
        done=dossier.done,
        not_target=_seat(last_hack),
        code=_guard(dossier),
        tries_left=WRONG_CODES - dossier.wrong,
    )


def public_view(board: Board, now: float) -> CodexView:
    """Return the public view at ``now`` (CX-1, CX-3, CX-7, CX-9, ALL-1)."""
    turn = _seat(board.turn)
    timer, mode = board.countdown, "discussion" if board.phase is DISCUSS else "visit"
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
        votes=_votes(board.votes),
        outcome=board.outcome,
        turn=turn if board.phase is VOTE else None,
        order=_seats(board.waiting),
        timer=None if timer is None else timer.view(mode, now),
        added=board.added,
        awaited=board.awaited,
        paused=board.paused,
        new_codes=_seats(board.new_codes),
        phones=UNSET if without_phones else _seats(board.phones),
        together=UNSET if without_phones else _seats(board.together),
        identikits=UNSET if board.identikits is None else tuple(map(_open, board.identikits)),
        place=board.place,
        there=_seats(board.there),
        finished=_seats(board.finished),
        last_votes=_votes(board.last_votes) or UNSET,
    )


def _votes(votes: tuple[Vote, ...]) -> tuple[VoteView, ...]:
    return tuple(VoteView(AGENTS[vote.voter], AGENTS[vote.target]) for vote in votes)


def _seats(agents: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple(AGENTS[agent] for agent in agents)


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


def _deliveries(state: State, agent: int) -> Iterator[Delivery]:
    for phase in range(state.board.delivered, 0, -1):
        messages = tuple(_message(state, agent, message) for message in inbox(state, agent, phase))
        if messages:
            yield Delivery(phase, messages)


def _message(state: State, agent: int, message: Received) -> MessageView:
    sender = state.secrets.dossiers[message.sender].identikit
    question = entries_of(state.secrets.dossiers[agent], message.phase).question
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


def _entries(entered: Entered) -> EnteredView:
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
