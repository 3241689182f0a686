"""Compute the state of a word game after an event. Nothing is checked or refused here."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from pi_table.common.geometry import CELL_COUNT
from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.events import (
    AbandonTakenBack,
    Event,
    GameEnded,
    Paused,
    Resumed,
    Revealed,
)
from pi_table.games.rules.outcome import Why
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import BLUE, RED, Team
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.board import (
    CHALLENGE,
    CLUE,
    COVER,
    GUESS,
    OVER,
    PENALTY,
    PLACE,
    Board,
    Clue,
    Hands,
    Laying,
    State,
    alike,
)
from pi_table.games.rules.word_games.key import AGENT_OF, LAYOUTS, Layout

T = TypeVar("T")


def evolve(state: State | None, event: Event) -> State:
    """Return the state after ``event``. Before `Dealt`, ``state`` is None."""
    if state is None:
        assert isinstance(event, events.Dealt)
        return _dealt(event)
    return evolve_all(state, (event,))


def evolve_all(state: State, happened: Iterable[Event]) -> State:
    """Return the state after all these events."""
    board, key, kept = state.board, state.key, state.kept
    for event in happened:
        change = _find_change(type(event))
        if change is not None:
            board = change(board, event)
        elif isinstance(event, events.KeyDrawn):
            board, key, kept = _on_key_drawn(board, event), event.key, None
        elif isinstance(event, events.KeyRedrawn):
            board, key = _on_key_redrawn(board, event), event.key
        else:
            assert isinstance(event, Revealed)
            board = replace(board, open_key=key)
    return State(board, key, kept)


def _dealt(event: events.Dealt) -> State:
    starts = event.starts
    if starts is None:
        assert event.key is not None
        starts = event.key.starts
    shared = event.is_shared
    board = Board(
        profile=event.profile,
        settings=event.settings,
        words=event.words,
        starts=starts,
        phase=PLACE if shared else CLUE,
        turn=starts,
        left=_cell_counts(LAYOUTS[event.profile], starts),
        countdown=None if shared else _clue_clock(event.settings, event.at),
        laying=Laying(hands=_hands(event, starts)) if shared else None,
    )
    return State(board, None, event.key) if shared else State(board, event.key)


def _cell_counts(layout: Layout, starts: Team) -> tuple[int, int]:
    """Return the numbers of red's and blue's cells. The team that starts must find more cells than
    the other team (CN-2, AL-4)."""
    red_has_more = layout.quarry(starts) is RED
    return (layout.more, layout.fewer) if red_has_more else (layout.fewer, layout.more)


def _hands(event: events.Dealt, starts: Team) -> Hands:
    """Return the words of each team's hand. A group has one hand, even if an old game stored two
    (NC-3)."""
    red, blue = event.hands or ((), ())
    if event.settings.players != "cooperative":
        return red, blue
    return (red + blue, ()) if starts is RED else ((), red + blue)


def _on_chosen(board: Board, event: events.Chosen) -> Board:
    assert board.laying is not None
    return replace(board, laying=replace(board.laying, chosen=event.word))


def _on_placed(board: Board, event: events.Placed) -> Board:
    laying, words, word = board.laying, board.words, event.word
    assert laying is not None
    (red, blue), spellings = laying.hands, laying.spellings
    if word is not None:
        words = _with(words or (None,) * CELL_COUNT, event.cell, word)
        red, blue = _without(red, word), _without(blue, word)
        spellings = (*spellings, alike(word))
    return replace(
        board,
        words=words,
        turn=board.next_team,
        laying=Laying((*laying.placed, event.cell), (red, blue), spellings=spellings),
        before=board,
    )


def _without(hand: tuple[str, ...], word: str) -> tuple[str, ...]:
    return tuple(other for other in hand if other != word) if word in hand else hand


def _on_card_taken_back(board: Board, event: events.CardTakenBack) -> Board:
    assert board.before is not None
    return replace(board.before, corrections=board.corrections + 1, paused=board.paused)


def _on_key_drawn(board: Board, event: events.KeyDrawn) -> Board:
    """Begin the first clue, which the starting team gives. No card can be taken back any more."""
    return replace(
        board,
        phase=CLUE,
        turn=board.starts,
        countdown=_clue_clock(board.settings, event.at),
        laying=None,
        before=None,
    )


def _clue_clock(settings: Settings, at: float) -> Countdown | None:
    """Return a countdown for a clue that runs from ``at``; None if the game has no clock."""
    return Countdown(float(settings.clue_seconds), at) if settings.timer == "clock" else None


def _guess_clock(settings: Settings, at: float) -> Countdown | None:
    return Countdown(float(settings.guess_seconds), at) if settings.timer == "clock" else None


def _on_key_redrawn(board: Board, event: events.KeyRedrawn) -> Board:
    starts = event.key.starts
    changed = replace(
        board,
        starts=starts,
        turn=starts,
        left=_cell_counts(board.layout, starts),
        countdown=_clue_clock(board.settings, event.at),
        new_keys=board.new_keys + 1,
    )
    return _stop_time(changed, event.at) if board.paused else changed


def _on_clue_given(board: Board, event: events.ClueGiven) -> Board:
    clue = Clue(event.team, event.word, event.number)
    return replace(
        board,
        phase=GUESS,
        clue=clue,
        clues=board.clues + (clue,),  # noqa: RUF005 - quicker than unpacking
        countdown=board.countdown and _guess_clock(board.settings, event.at),
        before=None,
    )


def _on_guessed(board: Board, event: events.Guessed) -> Board:
    cell, identity = event.cell, event.identity
    covered = {**board.covered}  # with the assignment, quicker than one display
    covered[cell] = identity
    red, blue = board.left
    if identity.team is RED:
        red -= 1
    elif identity.team is BLUE:
        blue -= 1
    guessed = replace(
        board,
        covered=covered,
        left=(red, blue),
        guesses=board.guesses + 1,
        guessed=board.guessed + ((len(board.clues) - 1, cell),),  # noqa: RUF005
        before=board,
    )
    if board.countdown is None:
        return guessed
    # If the guess is undone, the clock continues with the time that remains now. A guess that
    # began in time may arrive after the clock's end: the clock then ends at this guess, not before.
    return _start_time(replace(guessed, before=_stop_time(board, event.at)), event.at)


def _with(cells: tuple[T | None, ...], cell: int, content: T) -> tuple[T | None, ...]:
    changed = [*cells]
    changed[cell] = content
    return tuple(changed)


def _fewer(left: tuple[int, int], team: Team) -> tuple[int, int]:
    red, blue = left
    return (red - 1, blue) if team is RED else (red, blue - 1)


def _on_turn_ended(board: Board, event: events.TurnEnded) -> Board:
    goes_on = event.then is board.turn  # only for a group: its spymaster must cover (NC-4)
    return replace(
        board,
        phase=COVER if goes_on else CLUE,
        turn=event.then,
        clue=None,
        guesses=0,
        challenged=False,
        # Only a game with a countdown can have another one.
        countdown=None if goes_on else board.countdown and _clue_clock(board.settings, event.at),
    )


def _stop_time(board: Board, at: float) -> Board:
    if board.countdown is None:
        return board
    return replace(board, countdown=board.countdown.stop(at))


def _start_time(board: Board, at: float) -> Board:
    if board.countdown is None or board.paused or board.phase is CHALLENGE:
        return board
    return replace(board, countdown=board.countdown.start(at))


def _on_challenged(board: Board, event: events.Challenged) -> Board:
    return _stop_time(replace(board, phase=CHALLENGE, challenged=True), event.at)


def _on_allowed(board: Board, event: events.Allowed) -> Board:
    return _start_time(replace(board, phase=GUESS), event.at)


def _on_penalty_due(board: Board, event: events.PenaltyDue) -> Board:
    return replace(board, phase=PENALTY, countdown=None)


def _on_covered(board: Board, event: events.Covered) -> Board:
    return replace(
        board,
        phase=CLUE,
        covered={**board.covered, event.cell: AGENT_OF[board.to_cover]},
        left=_fewer(board.left, board.to_cover),
        countdown=_clue_clock(board.settings, event.at),
    )


def _on_declined(board: Board, event: events.Declined) -> Board:
    return replace(board, phase=CLUE, countdown=_clue_clock(board.settings, event.at))


def _on_hourglass_turned(board: Board, event: events.HourglassTurned) -> Board:
    return replace(board, countdown=Countdown(float(board.settings.hourglass_seconds), event.at))


def _on_paused(board: Board, event: Paused) -> Board:
    return _stop_time(replace(board, paused=True), event.at)


def _on_resumed(board: Board, event: Resumed) -> Board:
    return _start_time(replace(board, paused=False), event.at)


def _on_guess_taken_back(board: Board, event: events.GuessTakenBack) -> Board:
    before = board.before
    assert before is not None
    # People have seen the identity of a cell that was covered and is now uncovered again.
    uncovered = board.covered.keys() - before.covered.keys()
    shown = {**board.shown, **{cell: board.covered[cell] for cell in uncovered}}
    restored = replace(before, shown=shown, corrections=board.corrections + 1, paused=board.paused)
    return _start_time(restored, event.at)


def _on_number_corrected(board: Board, event: events.NumberCorrected) -> Board:
    assert board.clue is not None
    clue = replace(board.clue, number=event.number)
    return replace(
        board, clue=clue, clues=(*board.clues[:-1], clue), corrections=board.corrections + 1
    )


def _on_game_ended(board: Board, event: GameEnded) -> Board:
    return replace(
        board,
        phase=OVER,
        clue=None,
        countdown=None,
        paused=False,
        outcome=event.outcome,
        abandoned=_stop_time(board, event.at) if event.outcome.why is Why.STOPPED else None,
    )


def _on_abandon_taken_back(board: Board, event: AbandonTakenBack) -> Board:
    assert board.abandoned is not None
    return _start_time(replace(board.abandoned, corrections=board.corrections + 1), event.at)


_ON_THE_BOARD: Final[dict[type[Event], Callable[[Board, Any], Board]]] = {
    events.Chosen: _on_chosen,
    events.Placed: _on_placed,
    events.CardTakenBack: _on_card_taken_back,
    events.ClueGiven: _on_clue_given,
    events.Guessed: _on_guessed,
    events.TurnEnded: _on_turn_ended,
    events.Challenged: _on_challenged,
    events.Allowed: _on_allowed,
    events.PenaltyDue: _on_penalty_due,
    events.Covered: _on_covered,
    events.Declined: _on_declined,
    events.HourglassTurned: _on_hourglass_turned,
    Paused: _on_paused,
    Resumed: _on_resumed,
    events.GuessTakenBack: _on_guess_taken_back,
    events.NumberCorrected: _on_number_corrected,
    GameEnded: _on_game_ended,
    AbandonTakenBack: _on_abandon_taken_back,
}
_find_change: Final = _ON_THE_BOARD.get
