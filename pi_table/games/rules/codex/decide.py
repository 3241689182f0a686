"""Decide which events follow from an act or from time alone, or refuse the act. Nothing is changed
here.

An entry at the hidden screen is first checked in the same way for all agents. After that, the
agent's power is looked up. Without the power the same event happens, but has no effect. So an
answer does not reveal who has a power (CX-18).
"""

from collections.abc import Callable
from typing import Any, Final

from pi_table.games.rules.codex import acts, events
from pi_table.games.rules.codex.board import COUNT, DISCUSS, INDEX, OVER, SEND, Board, Vote
from pi_table.games.rules.codex.evolve import evolve
from pi_table.games.rules.codex.hidden import Attempted, State, inbox, is_blocked, prevailing
from pi_table.games.rules.codex.identikit import (
    ALPHABET,
    CODE_LENGTH,
    OWN_CODE_LENGTH,
    REVEALABLE,
    TELLABLE,
    Fact,
    Role,
)
from pi_table.games.rules.codex.phases import why_not
from pi_table.games.rules.events import (
    AbandonTakenBack,
    Event,
    GameEnded,
    Paused,
    Resumed,
    Revealed,
)
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Seat

_BETWEEN: Final = str.maketrans("", "", " -")
"""Characters that are ignored in a typed code."""


def decide(state: State, seat: Seat, act: acts.Act, now: float) -> tuple[Event, ...]:
    """Return the events that follow from an act at ``now`` (game seconds). Raises Refused."""
    kind = type(act)
    reason = why_not(state, seat, kind)
    if reason is not None:
        raise Refused(reason)
    return _HANDLERS[kind](state, INDEX.get(seat, -1), act, now)


# At the hidden screen


def _ready(state: State, agent: int, act: acts.Act, now: float) -> tuple[Event, ...]:
    board = state.board
    if board.turn is not None:
        return (events.VisitStarted(now, board.turn, by_operator=agent != board.turn),)
    if agent not in board.together:
        return (events.TogetherStarted(now, by_operator=True),)
    there = events.AgentThere(now, agent)
    if {*board.there, agent} >= {*board.together}:
        return (there, events.TogetherStarted(now))
    return (there,)


def _send(state: State, agent: int, act: acts.Send, now: float) -> tuple[Event, ...]:
    facts = act.facts
    _check_other(act.to, agent)
    if len({*facts}) < len(facts) or not 1 <= len(facts) <= 2 or not {*facts} <= {*TELLABLE}:
        raise Refused(Reason.BAD_FACT)
    if len(facts) == 2 and Fact.ROLE not in facts:
        raise Refused(Reason.ROLE_FIRST)
    sent = facts if _role(state, agent) is Role.INFORMER else facts[:1]
    return (events.MessageSent(now, agent, act.to, sent),)


def _hack(state: State, agent: int, act: acts.Hack, now: float) -> tuple[Event, ...]:
    _check_other(act.target, agent)
    earlier = state.secrets.dossiers[agent].earlier
    if earlier and earlier[-1].hack == act.target:
        raise Refused(Reason.SAME_TARGET)
    return (events.HackNamed(now, agent, act.target),)


def _ask(state: State, agent: int, act: acts.Ask, now: float) -> tuple[Event, ...]:
    messages = inbox(state, agent, state.board.number)
    if not 1 <= act.message <= len(messages):
        raise Refused(Reason.UNKNOWN_MESSAGE)
    message = messages[act.message - 1]
    if act.fact in (*message.facts, Fact.FRAGMENT):
        raise Refused(Reason.FACT_KNOWN)
    answer = None
    if state.secrets.dossiers[agent].question_left:
        answer = state.secrets.dossiers[message.sender].identikit.says(act.fact)
    return (events.Asked(now, agent, act.message, act.fact, answer),)


def _extort(state: State, agent: int, act: acts.Extort, now: float) -> tuple[Event, ...]:
    if act.fact not in REVEALABLE:
        raise Refused(Reason.BAD_FACT)
    return (events.Demanded(now, agent, act.fact),)


def _attempt(state: State, agent: int, act: acts.Attempt, now: float) -> tuple[Event, ...]:
    code = act.code.translate(_BETWEEN).upper()
    if not act.code.isascii() or len(code) != CODE_LENGTH or not {*code} <= {*ALPHABET}:
        raise Refused(Reason.BAD_CODE)
    dossier = state.secrets.dossiers[agent]
    if is_blocked(state, agent):
        result = Attempted.BLOCKED
    elif not dossier.attempt_left:
        result = Attempted.NONE_LEFT
    elif not state.secrets.is_code_of(agent, code):
        result = Attempted.WRONG
    else:
        faction = dossier.identikit.faction
        won = Outcome(faction, (faction.other,), Why.CODE)
        tried = events.CodeTried(now, agent, code, Attempted.RIGHT)
        return (tried, GameEnded(now, won))
    return (events.CodeTried(now, agent, code, result),)


def _finish(state: State, agent: int, act: acts.Act, now: float) -> tuple[Event, ...]:
    finished = events.VisitFinished(now, agent)
    return (finished, events.TogetherEnded(now)) if _all_done(state, agent) else (finished,)


def _all_done(state: State, now_done: int | None = None) -> bool:
    """True if all agents who visit together are done.

    False for a single agent: if that visit ended early, everybody would know that the agent is done
    (CX-20).
    """
    together = state.board.together
    return len(together) > 1 and all(
        agent == now_done or state.secrets.dossiers[agent].done for agent in together
    )


def _choose_code(state: State, agent: int, act: acts.ChooseCode, now: float) -> tuple[Event, ...]:
    _check_own_code(act.code)
    return (events.OwnCodeChosen(now, agent, act.code),)


def _enter_code(state: State, agent: int, act: acts.EnterCode, now: float) -> tuple[Event, ...]:
    _check_own_code(act.code)
    right = act.code == state.secrets.dossiers[agent].own_code
    return (events.OwnCodeEntered(now, agent, right),)


def _reveal(state: State, agent: int, act: acts.Reveal, now: float) -> tuple[Event, ...]:
    if state.board.phase is OVER:
        return (Revealed(now),)
    if act.fact is None:
        raise Refused(Reason.MISSING_FIELD)
    _check_revealable(state.board, agent, act.fact)
    found = prevailing(state)
    inquisitor, fact = (None, act.fact) if found is None else (found[0], found[1].fact)
    value = state.secrets.dossiers[agent].identikit.says(fact)
    return (events.FactRevealed(now, agent, fact, value, act.fact, inquisitor),)


def _role(state: State, agent: int) -> Role:
    return state.secrets.dossiers[agent].identikit.role


def _check_other(target: int, agent: int) -> None:
    if target not in range(COUNT):
        raise Refused(Reason.UNKNOWN_AGENT)
    if target == agent:
        raise Refused(Reason.NOT_YOURSELF)


def _check_revealable(board: Board, agent: int, fact: Fact) -> None:
    if fact not in REVEALABLE:
        raise Refused(Reason.BAD_FACT)
    if board.agents[agent].has_revealed(fact):
        raise Refused(Reason.FACT_REVEALED)


def _check_own_code(code: str) -> None:
    if len(code) != OWN_CODE_LENGTH or not (code.isascii() and code.isdigit()):
        raise Refused(Reason.BAD_OWN_CODE)


# In public


def _vote(state: State, agent: int, act: acts.CastVote, now: float) -> tuple[Event, ...]:
    _check_other(act.target, agent)
    board = state.board
    voted = events.Voted(now, agent, act.target)
    if board.waiting:
        return (voted,)
    found = most_voted(board, (*board.votes, Vote(agent, act.target)))
    if found is None:
        return (voted, events.NobodyTaken(now))
    return (voted, events.TakenToMachine(now, found))


def most_voted(board: Board, votes: tuple[Vote, ...]) -> int | None:
    """Return the agent who goes to the truth machine. None if no agent with votes has a fact left
    to reveal.

    The agent with the most votes goes. Ties are decided by fewer revealed facts, and then by who
    first reached that number of votes (CX-8).
    """
    counts: dict[int, int] = {}
    reached: dict[int, int] = {}
    for place, vote in enumerate(votes):
        counts[vote.target] = counts.get(vote.target, 0) + 1
        reached[vote.target] = place
    return min(
        (agent for agent in counts if board.agents[agent].has_secrets),
        key=lambda agent: (-counts[agent], len(board.agents[agent].revealed), reached[agent]),
        default=None,
    )


def _new_code(state: State, agent: int, act: acts.NewCode, now: float) -> tuple[Event, ...]:
    _check_other(act.target, agent)
    return (events.NewCodeAllowed(now, act.target),)


def _pair(state: State, agent: int, act: acts.Act, now: float) -> tuple[Event, ...]:
    return (events.Paired(now, agent),)


def _unpair(state: State, agent: int, act: acts.Unpair, now: float) -> tuple[Event, ...]:
    """Remove a phone. If all other agents of the visit are there, its time begins. If all others
    are done, the visit ends."""
    _check_other(act.target, agent)
    if act.target not in state.board.phones:
        raise Refused(Reason.NOT_PAIRED)
    unpaired = events.Unpaired(now, act.target)
    after = evolve(state, unpaired)
    board = after.board
    if board.awaited and board.together and {*board.together} <= {*board.there}:
        return (unpaired, events.TogetherStarted(now))
    return (unpaired, events.TogetherEnded(now)) if _all_done(after) else (unpaired,)


def _abandon(state: State, agent: int, act: acts.Act, now: float) -> tuple[Event, ...]:
    return (GameEnded(now, Outcome(None, (), Why.STOPPED)),)


def _just(kind: Callable[[float], Event]) -> "Handler":
    return lambda state, agent, act, now: (kind(now),)


Handler = Callable[[State, int, Any, float], tuple[Event, ...]]
_HANDLERS: Final[dict[type[acts.Act], Handler]] = {
    acts.Ready: _ready,
    acts.Send: _send,
    acts.Hack: _hack,
    acts.Ask: _ask,
    acts.Extort: _extort,
    acts.Attempt: _attempt,
    acts.Done: _finish,
    acts.ChooseCode: _choose_code,
    acts.EnterCode: _enter_code,
    acts.CastVote: _vote,
    acts.Reveal: _reveal,
    acts.EndDiscussion: _just(events.DiscussionEnded),
    acts.NewCode: _new_code,
    acts.Pair: _pair,
    acts.Unpair: _unpair,
    acts.Pause: _just(Paused),
    acts.Resume: _just(Resumed),
    acts.Correct: _just(AbandonTakenBack),
    acts.Abandon: _abandon,
}


def lapse(state: State, now: float) -> Event | None:
    """Return the next event that is due at ``now`` because time has passed; else None.

    Visits and the discussion end when their time is over. But as long as an agent has not sent the
    message, the visit is extended by its whole length (CX-18).
    """
    board = state.board
    ends = None if board.countdown is None else board.countdown.ends
    if ends is None or ends > now:
        return None
    if board.phase is DISCUSS:
        return events.DiscussionEnded(ends)
    visiting = [state.secrets.dossiers[agent] for agent in board.visiting]
    open_ = [dossier for dossier in visiting if not dossier.locked]
    if board.phase is SEND and any(dossier.entered.message is None for dossier in open_):
        return events.VisitExtended(ends, int((now - ends) // board.settings.visit_seconds) + 1)
    if board.together:
        return events.TogetherEnded(ends)
    return events.VisitEnded(ends) if open_ else events.VisitPassed(ends)
