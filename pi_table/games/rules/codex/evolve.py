"""Compute the state of a game of Codex after an event. Nothing is checked or refused here."""

from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Any, Final

from msgspec.structs import replace

from pi_table.games.rules import events as shared
from pi_table.games.rules.codex import events
from pi_table.games.rules.codex.board import (
    ACT,
    DISCUSS,
    MACHINE,
    OVER,
    SEND,
    VOTE,
    Agent,
    Board,
    Vote,
    lap,
    order_of_visits,
)
from pi_table.games.rules.codex.hidden import (
    Demand,
    Dossier,
    Entered,
    Message,
    Question,
    Secrets,
    State,
)
from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.events import Event
from pi_table.games.rules.outcome import Why


def evolve(state: State | None, event: Event) -> State:
    """Return the state after ``event``. Before `AgentsDealt`, ``state`` is None."""
    if state is None:
        assert isinstance(event, events.AgentsDealt)
        return _dealt(event)
    return _CHANGES[type(event)](state, event)


def evolve_all(state: State, happened: Iterable[Event]) -> State:
    """Return the state after all these events."""
    for event in happened:
        state = _CHANGES[type(event)](state, event)
    return state


def _dealt(event: events.AgentsDealt) -> State:
    board = Board(
        profile=event.profile,
        settings=event.settings,
        roles=event.roles,
        agents=tuple(Agent(identikit.nickname) for identikit in event.identikits),
        phase=SEND,
        number=1,
        turn=None,
        waiting=(),
        countdown=None,
        phones=event.phones,
    )
    secrets = Secrets(tuple(Dossier(identikit) for identikit in event.identikits))
    return State(_visit(board, order_of_visits(1, board.phones), event.at), secrets)


# Entries of an agent


def _on_message_sent(entered: Entered, event: events.MessageSent) -> Entered:
    return replace(entered, message=Message(event.to, event.facts))


def _on_hack_named(entered: Entered, event: events.HackNamed) -> Entered:
    return replace(entered, hack=event.target)


def _on_asked(entered: Entered, event: events.Asked) -> Entered:
    return replace(entered, question=Question(event.message, event.fact, event.answer))


def _on_demanded(entered: Entered, event: events.Demanded) -> Entered:
    return replace(entered, demand=Demand(event.fact, event.target))


def _on_code_tried(entered: Entered, event: events.CodeTried) -> Entered:
    return replace(entered, attempt=event.result)


# Other hidden information about an agent


def _entering(change: Callable[[Entered, Any], Entered]) -> Callable[[Dossier, Any], Dossier]:
    return lambda dossier, event: replace(dossier, entered=change(dossier.entered, event))


def _on_visit_finished(dossier: Dossier, event: events.VisitFinished) -> Dossier:
    return replace(dossier, done=True)


def _on_own_code_chosen(dossier: Dossier, event: events.OwnCodeChosen) -> Dossier:
    return replace(dossier, own_code=event.code, is_open=True, wrong=0)


def _on_own_code_entered(dossier: Dossier, event: events.OwnCodeEntered) -> Dossier:
    if event.right:
        return replace(dossier, is_open=True)
    return replace(dossier, wrong=dossier.wrong + 1)


def _after_leaving(dossier: Dossier) -> Dossier:
    return replace(dossier, is_open=False, wrong=0, done=False)


def _of_agent(change: Callable[[Dossier, Any], Dossier]) -> "Change":
    def apply(state: State, event: Any) -> State:
        return State(state.board, _with(state.secrets, event.agent, change, event))

    return apply


def _with(secrets: Secrets, agent: int, change: Callable[..., Dossier], *given: Any) -> Secrets:
    dossiers = list(secrets.dossiers)
    dossiers[agent] = change(dossiers[agent], *given)
    return Secrets(tuple(dossiers))


def _with_all(secrets: Secrets, agents: Iterable[int], change: Callable[..., Dossier]) -> Secrets:
    for agent in agents:
        secrets = _with(secrets, agent, change)
    return secrets


def _on_new_code_allowed(state: State, event: events.NewCodeAllowed) -> State:
    board = replace(state.board, new_codes=(*state.board.new_codes, event.agent))
    return State(board, _with(state.secrets, event.agent, _without_code))


def _without_code(dossier: Dossier) -> Dossier:
    return replace(dossier, own_code=None, is_open=False, wrong=0)


# Visits


def _on_visit_ended(state: State, event: events.VisitEnded) -> State:
    return _next_visit(state, state.board.waiting, event.at)


def _on_visit_passed(state: State, event: events.VisitPassed) -> State:
    board = state.board
    assert board.turn is not None
    return _next_visit(state, (*board.waiting, board.turn), event.at)


def _on_together_ended(state: State, event: events.TogetherEnded) -> State:
    board, dossiers = state.board, state.secrets.dossiers
    passed = tuple(agent for agent in board.together if dossiers[agent].locked)
    return _next_visit(state, (*board.waiting, *passed), event.at)


def _next_visit(state: State, waiting: tuple[int, ...], at: float) -> State:
    board = state.board
    secrets = _with_all(state.secrets, board.visiting, _after_leaving)
    if not waiting and board.phase is ACT:
        discussion = Countdown(float(board.settings.discussion_seconds), at)
        board = replace(board, phase=DISCUSS, turn=None, waiting=(), countdown=discussion, added=0)
        return State(replace(board, together=(), there=()), secrets)
    if not waiting:  # all agents have sent their messages: deliver them
        board = replace(board, phase=ACT, delivered=board.number, last_votes=())
        waiting = order_of_visits(board.number, board.phones)
    return State(_visit(board, waiting, at), secrets)


def _visit(board: Board, waiting: tuple[int, ...], at: float) -> Board:
    """Start the visit of the first waiting agent.

    If the first waiting agents all have phones, they visit at the same time. The setting
    ``visit_starts`` decides whether the time runs at once, or waits until the agents are there.
    """
    awaited = board.settings.visit_starts == "ready"
    together = tuple(takewhile(board.phones.__contains__, waiting))
    return replace(
        board,
        turn=None if together else waiting[0],
        waiting=waiting[len(together) or 1 :],
        together=together,
        there=(),
        countdown=Countdown(float(board.settings.visit_seconds), None if awaited else at),
        added=0,
        awaited=awaited,
    )


def _on_visit_started(board: Board, event: events.VisitStarted | events.TogetherStarted) -> Board:
    assert board.countdown is not None
    return replace(board, countdown=board.countdown.start(event.at), awaited=False, there=())


def _on_visit_extended(state: State, event: events.VisitExtended) -> State:
    """Extend the visit and lock it. The agent may have left, and nobody else may use the visit
    (CX-19)."""
    board = state.board
    length = float(board.settings.visit_seconds)
    countdown = Countdown(length, event.at + (event.by - 1) * length)
    return _shut_visiting(
        State(replace(board, countdown=countdown, added=board.added + event.by), state.secrets)
    )


def _shut_visiting(state: State) -> State:
    """Lock the visit or choice: its agents must enter their codes again (CX-19)."""
    return State(state.board, _with_all(state.secrets, state.board.visiting, _shut))


def _shut(dossier: Dossier) -> Dossier:
    return replace(dossier, is_open=False)


# Phones


def _on_paired(state: State, event: events.Paired) -> State:
    phones = tuple(sorted((*state.board.phones, event.agent)))
    return _with_phones(state, phones, event.at)


def _on_unpaired(state: State, event: events.Unpaired) -> State:
    """Remove a phone. If the agent's visit on the phone has begun, the agent gets another visit, at
    the hidden screen."""
    board, agent = state.board, event.agent
    phones = tuple(other for other in board.phones if other != agent)
    if agent not in board.together or board.is_fresh(event.at):
        return _with_phones(state, phones, event.at)
    together = tuple(other for other in board.together if other != agent)
    secrets = _with(state.secrets, agent, _after_leaving)
    board = replace(board, phones=phones, together=together, waiting=_with_one_more(board, agent))
    if not together:
        return _next_visit(State(board, secrets), board.waiting, event.at)
    return State(board, secrets)


def _with_one_more(board: Board, agent: int) -> tuple[int, ...]:
    """Return the waiting agents and ``agent``, in the order of the lap."""
    order = lap(board.number)
    before = takewhile(lambda other: order.index(other) < order.index(agent), board.waiting)
    place = len([*before])
    return (*board.waiting[:place], agent, *board.waiting[place:])


def _with_phones(state: State, phones: tuple[int, ...], at: float) -> State:
    """Set the agents who have a phone.

    If the current visit has only just begun, it starts again, because the agents who visit together
    may have changed. If the choice at the truth machine moves to another screen, it is locked,
    because somebody else may be at that screen. So is the visit of an agent who gets or loses a
    phone (CX-19).
    """
    board = state.board
    changed = replace(board, phones=phones)
    if not board.is_fresh(at):
        after = State(changed, state.secrets)
        changing = {*board.phones} ^ {*phones}
        is_same = changed.place is board.place and changing.isdisjoint(board.visiting)
        return after if is_same else _shut_visiting(after)
    coming = (*board.visiting, *board.waiting)
    if coming == order_of_visits(board.number, board.phones):  # no visit of this lap is over
        coming = order_of_visits(board.number, phones)
    changed = _visit(changed, coming, at)
    there = tuple(agent for agent in board.there if agent in changed.together)
    secrets = _with_all(state.secrets, board.visiting, _after_leaving)
    return State(replace(changed, there=there), secrets)


def _on_agent_there(board: Board, event: events.AgentThere) -> Board:
    return replace(board, there=(*board.there, event.agent))


# Discussion, vote and machine


def _on_discussion_ended(board: Board, event: events.DiscussionEnded) -> Board:
    first, *rest = lap(board.number)
    return replace(board, phase=VOTE, turn=first, waiting=tuple(rest), countdown=None)


def _on_voted(board: Board, event: events.Voted) -> Board:
    turn, waiting = (board.waiting[0], board.waiting[1:]) if board.waiting else (None, ())
    votes = (*board.votes, Vote(event.agent, event.target))
    return replace(board, votes=votes, turn=turn, waiting=waiting)


def _on_taken_to_machine(board: Board, event: events.TakenToMachine) -> Board:
    return replace(board, phase=MACHINE, turn=event.agent)


def _on_nobody_taken(state: State, event: events.NobodyTaken) -> State:
    """Begin the next phase. The last vote was cast in the same step, so the votes stay public."""
    return _next_phase(state, event.at, last_votes=state.board.votes)


def _on_fact_revealed(state: State, event: events.FactRevealed) -> State:
    agents = list(state.board.agents)
    agent = agents[event.agent]
    agents[event.agent] = replace(agent, revealed=(*agent.revealed, (event.fact, event.value)))
    secrets = _with(state.secrets, event.agent, _after_leaving)
    if event.inquisitor is not None:
        secrets = _with(secrets, event.inquisitor, _with_demand_met)
    return _next_phase(State(replace(state.board, agents=tuple(agents)), secrets), event.at)


def _with_demand_met(dossier: Dossier) -> Dossier:
    demand = dossier.entered.demand
    assert demand is not None
    return replace(
        dossier, entered=replace(dossier.entered, demand=replace(demand, prevailed=True))
    )


def _next_phase(state: State, at: float, last_votes: tuple[Vote, ...] = ()) -> State:
    number = state.board.number + 1
    board = replace(state.board, phase=SEND, number=number, votes=(), last_votes=last_votes)
    dossiers = tuple(
        replace(dossier, earlier=(*dossier.earlier, dossier.entered), entered=Entered())
        for dossier in state.secrets.dossiers
    )
    coming = order_of_visits(number, board.phones)
    return State(_visit(board, coming, at), Secrets(dossiers))


# Pauses and the end


def _on_paused(board: Board, event: shared.Paused) -> Board:
    return _stop_time(replace(board, paused=True), event.at)


def _stop_time(board: Board, at: float) -> Board:
    countdown = board.countdown
    return board if countdown is None else replace(board, countdown=countdown.stop(at))


def _on_resumed(state: State, event: shared.Resumed) -> State:
    """Continue the game, and lock the visit: the agents may have left in the pause (CX-19)."""
    board = _start_time(replace(state.board, paused=False), event.at)
    return _shut_visiting(State(board, state.secrets))


def _start_time(board: Board, at: float) -> Board:
    countdown = board.countdown
    if countdown is None or board.awaited or board.paused:
        return board
    return replace(board, countdown=countdown.start(at))


def _on_game_ended(board: Board, event: shared.GameEnded) -> Board:
    return replace(
        board,
        phase=OVER,
        turn=None,
        waiting=(),
        countdown=None,
        added=0,
        awaited=False,
        together=(),
        there=(),
        paused=False,
        outcome=event.outcome,
        abandoned=_stop_time(board, event.at) if event.outcome.why is Why.STOPPED else None,
    )


def _on_abandon_taken_back(state: State, event: shared.AbandonTakenBack) -> State:
    """Continue the abandoned game, and lock the visit: the agents may have left (CX-19)."""
    abandoned = state.board.abandoned
    assert abandoned is not None
    return _shut_visiting(State(_start_time(abandoned, event.at), state.secrets))


def _on_revealed(state: State, event: shared.Revealed) -> State:
    return State(replace(state.board, identikits=state.secrets.identikits), state.secrets)


def _on_board(change: Callable[[Board, Any], Board]) -> "Change":
    return lambda state, event: State(change(state.board, event), state.secrets)


Change = Callable[[State, Any], State]
_CHANGES: Final[dict[type[Event], Change]] = {
    events.VisitStarted: _on_board(_on_visit_started),
    events.MessageSent: _of_agent(_entering(_on_message_sent)),
    events.HackNamed: _of_agent(_entering(_on_hack_named)),
    events.Asked: _of_agent(_entering(_on_asked)),
    events.Demanded: _of_agent(_entering(_on_demanded)),
    events.CodeTried: _of_agent(_entering(_on_code_tried)),
    events.VisitFinished: _of_agent(_on_visit_finished),
    events.OwnCodeChosen: _of_agent(_on_own_code_chosen),
    events.OwnCodeEntered: _of_agent(_on_own_code_entered),
    events.NewCodeAllowed: _on_new_code_allowed,
    events.VisitEnded: _on_visit_ended,
    events.VisitPassed: _on_visit_passed,
    events.VisitExtended: _on_visit_extended,
    events.Paired: _on_paired,
    events.Unpaired: _on_unpaired,
    events.AgentThere: _on_board(_on_agent_there),
    events.TogetherStarted: _on_board(_on_visit_started),
    events.TogetherEnded: _on_together_ended,
    events.DiscussionEnded: _on_board(_on_discussion_ended),
    events.Voted: _on_board(_on_voted),
    events.TakenToMachine: _on_board(_on_taken_to_machine),
    events.NobodyTaken: _on_nobody_taken,
    events.FactRevealed: _on_fact_revealed,
    shared.Paused: _on_board(_on_paused),
    shared.Resumed: _on_resumed,
    shared.GameEnded: _on_board(_on_game_ended),
    shared.AbandonTakenBack: _on_abandon_taken_back,
    shared.Revealed: _on_revealed,
}
