"""How the game stands after an event. Events are facts: nothing is checked or refused here."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from pi_table.rules import events
from pi_table.rules.board import (
    BLUE,
    CHALLENGE,
    CLUE,
    GUESS,
    OVER,
    PENALTY,
    RED,
    Board,
    Clue,
    Countdown,
    State,
)
from pi_table.rules.events import Event
from pi_table.rules.key import Identity, Key, Team, identity_of_letter
from pi_table.rules.profile import Settings


def evolve(state: State | None, event: Event) -> State:
    """The state after ``event``; `Dealt` makes one out of nothing, and only `Dealt` does."""
    if state is None:
        assert isinstance(event, events.Dealt)
        return _dealt(event)
    change = _ON_THE_BOARD.get(type(event))
    if change is not None:
        return State(change(state.board, event), state.key)
    if isinstance(event, events.KeyRedrawn):
        return State(_under_new_key(state.board, event), event.key)
    assert isinstance(event, events.Revealed)
    return State(replace(state.board, open_key=state.key), state.key)


def replay(history: Iterable[Event]) -> State | None:
    """The state after all these events, None if there are none."""
    state: State | None = None
    for event in history:
        state = evolve(state, event)
    return state


def _dealt(event: events.Dealt) -> State:
    starts = event.key.starts
    board = Board(
        profile=event.profile,
        settings=event.settings,
        words=event.words,
        starts=starts,
        phase=CLUE,
        turn=starts,
        left=_agents(event.key),
        countdown=_clue_clock(event.settings, event.at),
    )
    return State(board, event.key)


def _agents(key: Key) -> tuple[int, int]:
    return key.agents(RED), key.agents(BLUE)


def _clue_clock(settings: Settings, at: float) -> Countdown | None:
    """The time for a clue, from now on; None where no clock is played."""
    return Countdown(float(settings.clue_seconds), at) if settings.timer == "clock" else None


def _guess_clock(settings: Settings, at: float) -> Countdown | None:
    """The time for all the guesses of a turn, from now on."""
    return Countdown(float(settings.guess_seconds), at) if settings.timer == "clock" else None


def _under_new_key(board: Board, event: events.KeyRedrawn) -> Board:
    starts = event.key.starts
    changed = replace(
        board,
        starts=starts,
        turn=starts,
        left=_agents(event.key),
        countdown=_clue_clock(board.settings, event.at),
        new_keys=board.new_keys + 1,
    )
    return _stopped(changed, event.at) if board.paused else changed


def _clue_given(board: Board, event: events.ClueGiven) -> Board:
    clue = Clue(event.team, event.word, event.number)
    return replace(
        board,
        phase=GUESS,
        clue=clue,
        clues=(*board.clues, clue),
        countdown=_guess_clock(board.settings, event.at),
        before=None,
    )


def _guessed(board: Board, event: events.Guessed) -> Board:
    before = _stopped(board, event.at)  # its time goes on when it comes back
    guessed = replace(
        board,
        covered=_with(board.covered, event.cell, event.identity),
        left=_fewer(board.left, event.identity.team),
        guesses=board.guesses + 1,
        before=before,
    )
    # A guess begun in time may come late: then the time runs out with it, not before it.
    return _running(guessed, event.at)


def _with(
    cells: tuple[Identity | None, ...], cell: int, identity: Identity
) -> tuple[Identity | None, ...]:
    changed = list(cells)
    changed[cell] = identity
    return tuple(changed)


def _fewer(left: tuple[int, int], team: Team | None) -> tuple[int, int]:
    red, blue = left
    return red - (team is RED), blue - (team is BLUE)


def _turn_ended(board: Board, event: events.TurnEnded) -> Board:
    return replace(
        board,
        phase=CLUE,
        turn=event.then,
        clue=None,
        guesses=0,
        challenged=False,
        countdown=_clue_clock(board.settings, event.at),
    )


def _stopped(board: Board, at: float) -> Board:
    if board.countdown is None:
        return board
    return replace(board, countdown=board.countdown.stopped(at))


def _running(board: Board, at: float) -> Board:
    if board.countdown is None or board.paused:
        return board
    return replace(board, countdown=board.countdown.started(at))


def _challenged(board: Board, event: events.Challenged) -> Board:
    return _stopped(replace(board, phase=CHALLENGE, challenged=True), event.at)


def _allowed(board: Board, event: events.Allowed) -> Board:
    return _running(replace(board, phase=GUESS), event.at)


def _penalty_due(board: Board, event: events.PenaltyDue) -> Board:
    return replace(board, phase=PENALTY, countdown=None)


def _covered(board: Board, event: events.Covered) -> Board:
    return replace(
        board,
        phase=CLUE,
        covered=_with(board.covered, event.cell, identity_of_letter(event.team.letter)),
        left=_fewer(board.left, event.team),
        countdown=_clue_clock(board.settings, event.at),
    )


def _declined(board: Board, event: events.Declined) -> Board:
    return replace(board, phase=CLUE, countdown=_clue_clock(board.settings, event.at))


def _hourglass_turned(board: Board, event: events.HourglassTurned) -> Board:
    return replace(board, countdown=Countdown(float(board.settings.hourglass_seconds), event.at))


def _paused(board: Board, event: events.Paused) -> Board:
    return _stopped(replace(board, paused=True), event.at)


def _resumed(board: Board, event: events.Resumed) -> Board:
    resumed = replace(board, paused=False)
    return resumed if board.phase is CHALLENGE else _running(resumed, event.at)


def _guess_taken_back(board: Board, event: events.GuessTakenBack) -> Board:
    before = board.before
    assert before is not None
    # What was covered and will not be any more has been seen.
    shown = tuple(
        now if now is not None and then is None else seen
        for now, then, seen in zip(board.covered, before.covered, board.shown, strict=True)
    )
    restored = replace(before, shown=shown, corrections=board.corrections + 1, paused=board.paused)
    return _running(restored, event.at)


def _number_corrected(board: Board, event: events.NumberCorrected) -> Board:
    assert board.clue is not None
    clue = replace(board.clue, number=event.number)
    return replace(
        board, clue=clue, clues=(*board.clues[:-1], clue), corrections=board.corrections + 1
    )


def _game_ended(board: Board, event: events.GameEnded) -> Board:
    return replace(
        board, phase=OVER, clue=None, countdown=None, paused=False, outcome=event.outcome
    )


_ON_THE_BOARD: Final[dict[type[Event], Callable[[Board, Any], Board]]] = {
    events.ClueGiven: _clue_given,
    events.Guessed: _guessed,
    events.TurnEnded: _turn_ended,
    events.Challenged: _challenged,
    events.Allowed: _allowed,
    events.PenaltyDue: _penalty_due,
    events.Covered: _covered,
    events.Declined: _declined,
    events.HourglassTurned: _hourglass_turned,
    events.Paused: _paused,
    events.Resumed: _resumed,
    events.GuessTakenBack: _guess_taken_back,
    events.NumberCorrected: _number_corrected,
    events.GameEnded: _game_ended,
}
