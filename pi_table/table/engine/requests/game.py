"""The acts that any seat can request in a game: those of the rules, and those that the
table adds."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pi_table.common.geometry import CELLS
from pi_table.common.language import LANGUAGES, say
from pi_table.games.rules import games
from pi_table.games.rules.profile import HOUSE_RULES
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.word_games.board import is_word
from pi_table.games.rules.word_games.views import PublicView
from pi_table.table.engine.families.registry import family_of
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.outputs import AskReferee
from pi_table.table.engine.requests.fields import Fields
from pi_table.table.engine.requests.outcome import AnswerOnly, Outcome, SetMarks, SetPeek
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.state.marks import toggle_mark
from pi_table.table.engine.state.moves import (
    Unable,
    check_that_it_can_be_stored,
    move_of_act,
    playing,
)
from pi_table.table.engine.state.peek import begin, may_be_told


def play(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    """Do an act of the game. The rules of the game parse its fields."""
    game, seat = acting(request, snapshot)
    # Check this before the rules. Otherwise, while nothing can be stored, somebody could try each
    # cell and learn from the refusals which cells the rules allow to cover (ALL-1).
    check_that_it_can_be_stored(snapshot.closed, snapshot.fault, snapshot.unsettled)
    act = games.read_act(request.do, game.state, snapshot.chance)
    move = move_of_act(game, seat, act, now)
    is_told = may_be_told(snapshot.peek, seat)
    return move if is_told else msgspec.structs.replace(move, told=None)


def peek(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    game, seat = acting(request, snapshot)
    return SetPeek(begin(game.state, game.number, seat, now, snapshot.peek_seconds))


def unpeek(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return SetPeek(None)


def look(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    """Answer with the view of a seat. The operator's view includes the faults of the table."""
    game, seat = acting(request, snapshot)
    is_told = may_be_told(snapshot.peek, seat)
    seen = family_of(game.board).look(game.state, seat, game.time(now), is_told)
    if seat.role is Role.OPERATOR:
        seen = msgspec.structs.replace(seen, faults=snapshot.faults)
    return AnswerOnly(seen)


def list_clues(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return AnswerOnly(games.clues(playing(snapshot.game).board))


def has_clues(snapshot: Snapshot) -> bool:
    """True if the game in play is of a family that has clues."""
    if snapshot.game is None:
        return False
    try:
        return bool(games.clues(snapshot.game.board))
    except Refused:
        return False


class Mark(Fields, frozen=True):
    cell: Any = None


def mark_cell(request: Request, fields: Mark, snapshot: Snapshot, now: float) -> Outcome:
    game, seat = acting(request, snapshot)
    return SetMarks(toggle_mark(snapshot.marks, game, seat, fields.cell))


class Clue(Fields, frozen=True):
    word: Annotated[str, lambda *_: Refused(Reason.BAD_WORD)]
    number: Annotated[
        Annotated[int, Meta(ge=0, le=25)] | Literal["unlimited"],
        lambda *_: Refused(Reason.BAD_NUMBER),
    ]


def judge_clue(request: Request, fields: Clue, snapshot: Snapshot, now: float) -> Outcome:
    """Ask the referee about a clue. The referee receives only public information."""
    game = playing(snapshot.game)
    view = games.public_view(game.board, game.time(now))
    if not isinstance(view, PublicView):
        raise Refused(Reason.UNKNOWN_ACT)
    if not is_word(fields.word):
        raise Refused(Reason.BAD_WORD)
    cells = [view.cells[name] for name in CELLS]
    if not any(cell.word for cell in cells):
        raise no_opinion()
    settings = game.board.settings
    clue = {
        "word": fields.word,
        "number": fields.number,
        "board": [cell.word for cell in cells],
        "covered": [cell.word for cell in cells if cell.word and cell.covered is not None],
        "lang": settings.lang,
        "profile": view.profile,
        "house": [rule for rule in HOUSE_RULES if getattr(settings, rule)],
        "langs": [*LANGUAGES],
    }
    return AskReferee(request.to, clue)


def no_opinion() -> Unable:
    return Unable("no-opinion", say("The referee has no opinion on that clue."))


def acting(request: Request, snapshot: Snapshot) -> tuple[GameInPlay, Seat]:
    """Return the game in play, or the last game, and the seat that acts. Raises Unable if there was
    no game yet, and Refused if the game has no such seat."""
    game = playing(snapshot.game)
    return game, games.read_seat(request.do.get("seat"), game.board)
