"""Cells that operatives mark on their phones as candidates for a guess.

A mark is not a guess, and the rules do not know marks. Everybody sees a mark. It is not stored, and
it ends with the turn in which it was made.
"""

import msgspec
from msgspec.structs import replace

from pi_table.common.geometry import CELLS, cell_named
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.acts import Guess
from pi_table.games.rules.word_games.board import GUESS, Board
from pi_table.games.rules.word_games.phases import why_not
from pi_table.table.engine.state.game_in_play import GameInPlay


class Turn(msgspec.Struct, frozen=True):
    """Identifies the turn in which a team guesses. A correction by the operator begins another
    `Turn`."""

    game: int
    team: Team
    corrections: int
    """Number of the operator's corrections in the game."""


class Marks(msgspec.Struct, frozen=True):
    turn: Turn | None = None
    """The turn in which the cells were marked."""
    cells: frozenset[int] = frozenset()
    """Numbers of the marked cells (0 … 24). No marked cell is covered."""

    @property
    def by_name(self) -> dict[str, Team]:
        """The team that marked each cell, by the cell's name, in the order of the board."""
        if self.turn is None:
            return {}
        return {CELLS[cell]: self.turn.team for cell in sorted(self.cells)}


def toggle_mark(marks: Marks, game: GameInPlay, seat: Seat, cell: object) -> Marks:
    """Return the marks after ``seat`` has set or removed the mark of a cell. Raises Refused if
    public information shows that the seat cannot guess this cell now."""
    named = cell_named(cell)
    if named is None:
        raise Refused(Reason.MISSING_FIELD if cell is None else Reason.UNKNOWN_CELL)
    board = game.board
    if not isinstance(board, Board):
        raise Refused(Reason.UNKNOWN_ACT)
    refusal = why_not(board, seat, Guess)
    if refusal is not None:
        raise Refused(refusal)
    if named in board.covered:
        raise Refused(Reason.CELL_COVERED)
    if named == board.layout.without_card:
        raise Refused(Reason.NO_CARD)
    return Marks(_turn(game), current_marks(marks, game).cells ^ {named})


def current_marks(marks: Marks, game: GameInPlay | None) -> Marks:
    """Return the marks that are still valid: made in the current turn, at cells that are not
    covered."""
    if not marks.cells:
        return marks if marks.turn is None else Marks()
    if game is None or marks.turn != _turn(game):
        return Marks()
    assert isinstance(game.board, Board)
    return replace(marks, cells=marks.cells.difference(game.board.covered))


def _turn(game: GameInPlay) -> Turn | None:
    board = game.board
    if not isinstance(board, Board) or board.phase is not GUESS:
        return None
    return Turn(game.number, board.turn, board.corrections)
