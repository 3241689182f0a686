# mypy: disable-error-code="import-not-found"
"""The other side of a speed contest. Plays complete random games with the package ``codenames`` of
PyPI (5.5.5).

This module is no part of the table. It runs in a Python that has the package. It uses the package's
game state, but not its runner: the runner would make a view for every act. The package itself draws
the words and the key.
"""

from random import Random

from codenames.classic.board import ClassicBoard
from codenames.classic.state import ClassicGameState
from codenames.generic.move import Clue, Guess
from codenames.generic.player import PlayerRole
from codenames.utils.vocabulary.languages import get_vocabulary

from pi_table.lab.bench.rounds import clue_number, main, next_cell

VOCABULARY = get_vocabulary("english")


def play(random: Random) -> int:
    """Play one game, with clues of 1 to 4 and random guesses. Return the number of its acts."""
    done = 0
    state = ClassicGameState.from_board(ClassicBoard.from_vocabulary(VOCABULARY))
    uncovered = list(range(state.board.size))
    while not state.is_game_over:
        if state.current_player_role is PlayerRole.SPYMASTER:
            state.process_clue(Clue(word=f"clue {done}", card_amount=clue_number(random)))
        else:
            state.process_guess(Guess(card_index=next_cell(uncovered, random)))
        done += 1
    return done


if __name__ == "__main__":
    main(play, "codenames")
