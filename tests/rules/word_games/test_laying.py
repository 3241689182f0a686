"""DU-2: the teams lay out words that the table split between them, or cards of their own."""

import pytest
from msgspec.structs import replace

from pi_table.geometry import CELLS
from pi_table.rules.chance import Chance
from pi_table.rules.games import step
from pi_table.rules.profile import Settings
from pi_table.rules.refusal import Reason, Refused
from pi_table.rules.seat import Role, seat_of
from pi_table.rules.team import Team
from pi_table.rules.word_games import acts, events
from pi_table.rules.word_games.board import Phase, State
from pi_table.rules.word_games.drawing import EveryKey
from pi_table.rules.word_games.evolve import evolve
from pi_table.rules.word_games.key import Key
from pi_table.rules.word_games.views import public_view

RED_WORDS = tuple(f"red {number}" for number in range(13))
BLUE_WORDS = tuple(f"blue {number}" for number in range(12))
DEALT = events.Dealt(
    0.0,
    "deep-undercover",
    Settings(dealing="shared"),
    None,
    None,
    starts=Team.RED,
    hands=(RED_WORDS, BLUE_WORDS),
)
KEY = Chance().one_of(EveryKey(starts=Team.RED))


def lay(state: State, cell: int, word: str | None = None, key: Key | None = None) -> State:
    """The team whose turn it is lays a card."""
    seat = seat_of(state.board.turn, Role.OPERATIVES)
    after, _ = step(state, seat, acts.Place(cell, word, key), 0.0)
    return after


def next_word(state: State) -> object:
    return public_view(state.board, 0.0).next_word


def test_each_team_lays_its_own_words_in_their_order_by_turns() -> None:
    # DU-2: 13 of the team that starts, 12 of the other
    state = evolve(None, DEALT)
    seen = []
    for cell in range(25):
        seen.append(next_word(state))
        state = lay(state, cell, key=KEY if cell == 24 else None)
    reds, blues = iter(RED_WORDS), iter(BLUE_WORDS)
    expected = tuple(next(blues if cell % 2 else reds) for cell in range(25))
    assert state.board.words == expected == tuple(seen)
    assert (state.board.phase, state.board.turn, state.key) == (Phase.CLUE, Team.RED, KEY)


def test_a_team_may_lay_any_word_of_its_hand_which_does_not_come_again() -> None:
    state = lay(evolve(None, DEALT), 0, "RED 1")
    state = lay(state, 1)
    assert next_word(state) == "red 0"
    state = lay(lay(state, 2), 3)
    assert next_word(state) == "red 2"


@pytest.mark.parametrize("word", ["blue 3", "BLUE3", "red 0", "Red  0"])
def test_a_word_of_the_others_hand_or_of_the_table_is_refused(word: str) -> None:
    # else it could not be laid when its turn comes, and the game would be stuck
    state = lay(lay(evolve(None, DEALT), 0), 1)
    with pytest.raises(Refused) as refused:
        lay(state, 2, word)
    assert refused.value.reason is Reason.SAME_WORD


def test_a_word_of_the_players_own_may_take_the_place_of_one_of_the_hand() -> None:
    # DU-2, DU-3
    state = lay(evolve(None, DEALT), 0, "our joke")
    assert state.board.words is not None
    assert state.board.words[0] == "our joke"
    state = lay(state, 1)
    assert next_word(state) == "red 0"


def test_a_card_that_is_taken_back_is_in_its_hand_again() -> None:
    # ALL-3
    state = evolve(None, DEALT)
    before = state.board
    state = evolve(lay(state, 0), events.CardTakenBack(1.0))
    assert state.board == replace(before, corrections=1)


def test_a_group_lays_both_hands_one_after_the_other() -> None:
    # NC-3, DU-2
    group = Settings(dealing="shared", players="cooperative")
    state = evolve(None, replace(DEALT, settings=group))
    for cell in range(25):
        state = lay(state, cell, key=KEY if cell == 24 else None)
    assert state.board.words == RED_WORDS + BLUE_WORDS
    assert state.board.turn is Team.RED


def test_cards_without_words_leave_the_table_without_words() -> None:
    state = evolve(None, replace(DEALT, hands=None))
    for cell in range(25):
        state = lay(state, cell, key=KEY if cell == 24 else None)
    assert state.board.words is None
    mixed = lay(evolve(None, replace(DEALT, hands=None)), 24, "whisky")
    assert mixed.board.words == (*(None,) * 24, "whisky")
    assert CELLS[24] == "E5"


def test_the_last_card_brings_a_key_along() -> None:
    state = evolve(None, DEALT)
    for cell in range(24):
        assert not state.board.is_last_card
        state = lay(state, cell)
    assert state.board.is_last_card
    with pytest.raises(AssertionError, match="brings a key along"):
        lay(state, 24)
