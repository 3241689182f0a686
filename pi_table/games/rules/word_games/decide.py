"""Decide which events follow from an act, or refuse it. Nothing is changed here."""

from collections.abc import Callable
from typing import Any, Final

from pi_table.games.rules.events import (
    AbandonTakenBack,
    Event,
    GameEnded,
    Paused,
    Resumed,
    Revealed,
)
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts, events
from pi_table.games.rules.word_games.board import (
    CLUE,
    GUESS,
    NUMBERS,
    UNLIMITED,
    Board,
    Number,
    State,
    alike,
    is_word,
)
from pi_table.games.rules.word_games.events import Ended
from pi_table.games.rules.word_games.key import LAYOUTS
from pi_table.games.rules.word_games.phases import ROWS

# Looking up an enum's member by its name takes as long as making an event.
BY_GUESS, BY_LAST_GUESS = Ended.GUESS, Ended.LAST_GUESS


def decide(state: State, seat: Seat, act: acts.Act, now: float) -> tuple[Event, ...]:
    """Return the events that follow from an act at ``now`` (game seconds). Raises Refused."""
    row, handler = _RULES[type(act)]
    reason = row.why_not(state.board, seat)
    if reason is not None:
        raise Refused(reason)
    return handler(state, act, now)


def _choose(state: State, act: acts.Choose, now: float) -> tuple[Event, ...]:
    board = state.board
    return (events.Chosen(now, board.turn, _of_the_hand(board, act.word)),)


def _place(state: State, act: acts.Place, now: float) -> tuple[Event, ...]:
    board = state.board
    assert board.laying is not None
    if act.cell == board.layout.without_card:
        raise Refused(Reason.NO_CARD)
    if act.cell in board.laying.placed:
        raise Refused(Reason.CELL_TAKEN)
    placed = events.Placed(now, board.turn, act.cell, _word_to_lay(board, act.word))
    if not board.is_last_card:
        return (placed,)
    assert act.key is not None, "The card that fills the grid brings a key along."
    return (placed, events.KeyDrawn(now, act.key))


def _word_to_lay(board: Board, word: str | None) -> str | None:
    """Return the word to lay: ``word``, or the default word if it is None. Raises Refused."""
    if word is None:
        return board.next_word
    if not is_word(word):
        raise Refused(Reason.BAD_WORD)
    if board.hand:
        return _of_the_hand(board, word)
    assert board.laying is not None
    if alike(word) in board.laying.spellings:
        raise Refused(Reason.SAME_WORD)
    return word


def _of_the_hand(board: Board, word: str) -> str:
    """Return the word as it is written in the hand of the team in turn. Raises Refused."""
    own = board.in_hand(word)
    if own is None:
        raise Refused(Reason.NOT_IN_HAND)
    return own


def _give_clue(state: State, act: acts.GiveClue, now: float) -> tuple[Event, ...]:
    board = state.board
    word = act.word
    if word is not None and not is_word(word):
        raise Refused(Reason.BAD_WORD)
    if act.number not in NUMBERS:
        _check_number(act.number, board.settings)
    return (events.ClueGiven(now, board.turn, word, act.number),)


def _check_number(number: Number, settings: Settings) -> None:
    if number in NUMBERS:
        return
    if number == UNLIMITED:
        if not settings.unlimited:
            raise Refused(Reason.UNLIMITED_IS_OFF)
    elif number != 0:
        raise Refused(Reason.BAD_NUMBER)
    elif not settings.zero:
        raise Refused(Reason.ZERO_IS_OFF)


def _guess(state: State, act: acts.Guess, now: float) -> tuple[Event, ...]:
    board, cell = state.board, act.cell
    if cell in board.covered:
        raise Refused(Reason.CELL_COVERED)
    layout, team = LAYOUTS[board.profile], board.turn
    assert state.key is not None
    identity = layout.by_letter.get(state.key.letters[cell])
    if identity is None:
        raise Refused(Reason.NO_CARD)
    guessed = events.Guessed(now, team, cell, identity)
    found = identity.team
    if found is None:
        if identity is layout.fatal:
            return (guessed, GameEnded(now, _fatal(board)))
        return (guessed, events.TurnEnded(now, board.next_team, BY_GUESS))
    if board.left[found.index] == 1:
        return (guessed, GameEnded(now, _all_found(board, found)))
    if (found is team) is layout.hostile:
        return (guessed, events.TurnEnded(now, board.next_team, BY_GUESS))
    # A clue allows its number of guesses and one more (CN-11). Unlimited and zero have no limit.
    if board.clue is not None and 0 < board.guesses == board.clue.number:
        return (guessed, events.TurnEnded(now, board.next_team, BY_LAST_GUESS))
    return (guessed,)


def _fatal(board: Board) -> Outcome:
    """Return the result of a game whose fatal cell was guessed (CN-10, NC-5, AL-10, AL-11)."""
    team = board.turn
    if board.has_nuke:
        if board.is_armed:
            return Outcome(None, tuple(Team), Why.NUKE)
        return Outcome(team.other, (team,), Why.NUKE)
    return Outcome(None if board.is_group else team.other, (team,), Why.ASSASSIN)


def _all_found(board: Board, found: Team) -> Outcome:
    """Return the result of a game when all cells of the team ``found`` are covered, whichever team
    covered the last one (CN-15, NC-5, NC-6, AL-8)."""
    winner = board.layout.quarry(found)
    if not board.is_group:
        return Outcome(winner, (winner.other,), Why.ASSETS if board.layout.hostile else Why.AGENTS)
    group = board.starts
    if found is not group:
        return Outcome(None, (group,), Why.ABSENT_TEAM)
    return Outcome(group, (), Why.AGENTS, score=board.agents_left(group.other))


def _stop(state: State, act: acts.Act, now: float) -> tuple[Event, ...]:
    return (events.TurnEnded(now, state.board.next_team, Ended.STOPPED),)


def _challenge(state: State, act: acts.Act, now: float) -> tuple[Event, ...]:
    return (events.Challenged(now, state.board.turn.other),)


def _uphold(state: State, act: acts.Act, now: float) -> tuple[Event, ...]:
    other = state.board.turn.other
    ended = events.TurnEnded(now, other, Ended.INVALID_CLUE)
    if not state.board.settings.penalty:
        return (ended,)
    return (ended, events.PenaltyDue(now, other))


def _cover(state: State, act: acts.Cover, now: float) -> tuple[Event, ...]:
    board = state.board
    team = board.to_cover
    if act.cell == board.layout.without_card:
        raise Refused(Reason.NO_CARD)
    assert state.key is not None
    if act.cell in board.covered or state.key.identity(act.cell).team is not team:
        raise Refused(Reason.NOT_OWN_AGENT if team is board.turn else Reason.NOT_TO_COVER)
    covered = events.Covered(now, board.turn, act.cell)
    if board.agents_left(team) > 1:
        return (covered,)
    return (covered, GameEnded(now, _all_found(board, team)))


def _correct(state: State, act: acts.Correct, now: float) -> tuple[Event, ...]:
    board = state.board
    if act.number is None:
        if board.abandoned is not None:
            return (AbandonTakenBack(now),)
        if board.before is None:
            raise Refused(Reason.NOTHING_TO_CORRECT)
        laid = board.laying is not None
        return (events.CardTakenBack(now) if laid else events.GuessTakenBack(now),)
    if board.clue is None or board.guesses:
        raise Refused(Reason.NOTHING_TO_CORRECT)
    _check_number(act.number, board.settings)
    return (events.NumberCorrected(now, act.number),)


def _new_key(state: State, act: acts.NewKey, now: float) -> tuple[Event, ...]:
    return (events.KeyRedrawn(now, act.key),)


def _abandon(state: State, act: acts.Act, now: float) -> tuple[Event, ...]:
    return (GameEnded(now, Outcome(None, (), Why.STOPPED)),)


def _just(kind: Callable[[float], Event]) -> "Handler":
    return lambda state, act, now: (kind(now),)


Handler = Callable[[State, Any, float], tuple[Event, ...]]
_HANDLERS: Final[dict[type[acts.Act], Handler]] = {
    acts.Choose: _choose,
    acts.Place: _place,
    acts.GiveClue: _give_clue,
    acts.Guess: _guess,
    acts.Stop: _stop,
    acts.Challenge: _challenge,
    acts.Allow: _just(events.Allowed),
    acts.Uphold: _uphold,
    acts.Cover: _cover,
    acts.Decline: _just(events.Declined),
    acts.TurnHourglass: _just(events.HourglassTurned),
    acts.Pause: _just(Paused),
    acts.Resume: _just(Resumed),
    acts.Correct: _correct,
    acts.NewKey: _new_key,
    acts.Abandon: _abandon,
    acts.Reveal: _just(Revealed),
}
_RULES: Final = {kind: (ROWS[kind], handler) for kind, handler in _HANDLERS.items()}
"""For each kind of act: who may do it, and how it is decided."""


def lapse(board: Board, now: float) -> Event | None:
    """Return the event `TurnEnded` if the clock has ended the turn by ``now``, else None.

    The event's time is the time when the clock ran out (CN-24).
    """
    settings, countdown = board.settings, board.countdown
    if settings.timer != "clock" or settings.clock_end != "end-turn" or countdown is None:
        return None
    if board.phase not in (CLUE, GUESS):
        return None
    ends = countdown.ends
    if ends is None or ends > now:
        return None
    return events.TurnEnded(ends, board.next_team, Ended.CLOCK)
