"""pi-table's side of a speed contest with another program. Plays complete random games of any word
game by pi-table's rules."""

import sys
from random import Random

from pi_table.common.geometry import CELL_COUNT
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.games import step
from pi_table.games.rules.profile import PROFILES, Profile
from pi_table.games.rules.seat import Role, seat_of
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts, events
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.drawing import EveryKey, key_with_card
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.rules.word_games.key import LAYOUTS
from pi_table.lab.bench.rounds import clue_number, main, next_cell, random_bytes

PROFILE = PROFILES["codenames"]
CHANCE = Chance()
SPYMASTER = {team: seat_of(team, Role.SPYMASTER) for team in Team}
OPERATIVES = {team: seat_of(team, Role.OPERATIVES) for team in Team}
CELLS = {
    name: [cell for cell in range(CELL_COUNT) if cell != layout.without_card]
    for name, layout in LAYOUTS.items()
}
"""For each profile, the cells that have a card."""
WORDS = {
    name: tuple(f"word {cell}" if cell in cells else None for cell in range(CELL_COUNT))
    for name, cells in CELLS.items()
}
KEYS = {name: EveryKey(layout) for name, layout in LAYOUTS.items()}
CLUE, GUESS, OVER = Phase.CLUE, Phase.GUESS, Phase.OVER


def play(random: Random, profile: Profile = PROFILE) -> int:
    """Play one game, with clues of 1 to 4 and random guesses. Return the number of acts.

    In a game in which the teams lay out their cards, they first lay them on random empty cells.
    """
    done = 0
    state = evolve(None, _deal(profile, random))
    uncovered = [*CELLS[profile.id]]
    empty = [] if state.board.laying is None else [*uncovered]
    while (board := state.board).phase is not OVER:
        if board.phase is CLUE:
            clue = acts.GiveClue(clue_number(random), f"clue {done}")
            state, _ = step(state, SPYMASTER[board.turn], clue, done)
        elif board.phase is GUESS:
            guess = acts.Guess(next_cell(uncovered, random))
            state, _ = step(state, OPERATIVES[board.turn], guess, done)
        else:
            card = acts.Place(
                next_cell(empty, random), f"word {done}", key_with_card(state, CHANCE)
            )
            state, _ = step(state, OPERATIVES[board.turn], card, done)
        done += 1
    return done


def _deal(profile: Profile, random: Random) -> events.Dealt:
    """Return the event that deals words and key. If the teams lay out the words, the event only
    says which team starts."""
    settings = profile.defaults
    if settings.dealing == "shared":
        starts = Team.RED if random.random() < 0.5 else Team.BLUE
        return events.Dealt(0.0, profile.id, settings, None, None, starts=starts)
    drawn = CHANCE.one_of(KEYS[profile.id])
    return events.Dealt(0.0, profile.id, settings, WORDS[profile.id], drawn)


if __name__ == "__main__":
    profile = PROFILES[sys.argv[2]]
    CHANCE = Chance(random_bytes())
    main(lambda random: play(random, profile), "msgspec")
