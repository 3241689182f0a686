"""Our side of the contest: a full random game by our rules."""

from random import Random

from pi_table.bench.rounds import clue_number, main, next_cell
from pi_table.geometry import CELL_COUNT
from pi_table.rules import acts, events, key
from pi_table.rules.board import Phase
from pi_table.rules.evolve import evolve
from pi_table.rules.game import step
from pi_table.rules.key import Team
from pi_table.rules.profile import PROFILES
from pi_table.rules.seat import Role, seat_of

PROFILE = PROFILES["codenames"]
WORDS = tuple(f"word {number}" for number in range(CELL_COUNT))
SPYMASTER = {team: seat_of(team, Role.SPYMASTER) for team in Team}
OPERATIVES = {team: seat_of(team, Role.OPERATIVES) for team in Team}
CLUE, OVER = Phase.CLUE, Phase.OVER


def play(random: Random) -> int:
    """Play one game to its end: clues of 1 to 4, guesses of any uncovered cell. Its acts."""
    done = 0
    uncovered = list(range(CELL_COUNT))
    state = evolve(None, events.Dealt(0.0, PROFILE.id, PROFILE.defaults, WORDS, key.draw()))
    while (board := state.board).phase is not OVER:
        if board.phase is CLUE:
            clue = acts.GiveClue(clue_number(random), f"clue {done}")
            state, _ = step(state, SPYMASTER[board.turn], clue, done)
        else:
            guess = acts.Guess(next_cell(uncovered, random))
            state, _ = step(state, OPERATIVES[board.turn], guess, done)
        done += 1
    return done


if __name__ == "__main__":
    main(play, "msgspec")
