"""DU-2: the teams lay out the words of their hands, or cards of their own."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from pi_table.common.geometry import CELLS
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.games import decode, encode, replay, step
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat, seat_of
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts, board, decide, events
from pi_table.games.rules.word_games import evolve as evolve_module
from pi_table.games.rules.word_games.board import Phase, State, alike
from pi_table.games.rules.word_games.drawing import EveryKey
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.rules.word_games.key import Key
from pi_table.games.rules.word_games.phases import may
from pi_table.games.rules.word_games.views import HandsView, public_view

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


def test_each_card_is_compared_only_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the time of laying all cards grows with their number, not with its square."""
    compared: list[str] = []

    def count(word: str) -> str:
        compared.append(word)
        return alike(word)

    for rules in (board, decide, evolve_module):
        monkeypatch.setattr(rules, "alike", count)
    for dealt in (DEALT, replace(DEALT, hands=None)):
        state = evolve(None, dealt)
        compared.clear()
        for cell in range(24):
            state = lay(
                state, cell, f"own {cell}" if dealt.hands is None else state.board.next_word
            )
            assert len(compared) <= 2 * (cell + 1)


def next_word(state: State) -> object:
    return public_view(state.board, 0.0).next_word


def choose(state: State, word: str) -> State:
    """The team whose turn it is chooses a card of its hand."""
    seat = seat_of(state.board.turn, Role.OPERATIVES)
    after, _ = step(state, seat, acts.Choose(word), 0.0)
    return after


def hands(state: State) -> tuple[tuple[str, ...], ...]:
    """Both hands as everybody sees them."""
    seen = public_view(state.board, 0.0).hands
    assert isinstance(seen, HandsView)
    return seen.red, seen.blue


def test_both_hands_lie_open_and_the_first_card_is_chosen_before_anybody_chooses() -> None:  # DU-2
    state = evolve(None, DEALT)
    assert hands(state) == (RED_WORDS, BLUE_WORDS)
    assert next_word(state) == "red 0"


def test_a_touch_lays_the_chosen_card_and_then_the_first_of_the_other_hand_is_chosen() -> None:
    # DU-2
    state = choose(choose(evolve(None, DEALT), "red 4"), "red 7")
    assert (next_word(state), state.board.turn) == ("red 7", Team.RED)
    state = lay(state, 8)
    assert state.board.words is not None
    assert state.board.words[8] == "red 7"
    assert next_word(state) == "blue 0"
    assert hands(state) == ((*RED_WORDS[:7], *RED_WORDS[8:]), BLUE_WORDS)
    assert next_word(lay(state, 9)) == "red 0"  # what was chosen before counts no more


def test_a_stored_game_goes_on_whose_hand_has_a_word_in_two_ways_of_writing() -> None:
    # Until version 0.8 punctuation made another word, and a pack could have both.
    twice = ("APPLE,", "APPLE", *RED_WORDS[2:])
    state = replay([replace(DEALT, hands=(twice, BLUE_WORDS))])
    assert isinstance(state, State)
    state = lay(state, 0, "APPLE")
    assert hands(state)[0] == ("APPLE,", *RED_WORDS[2:])
    assert state.board.known_words == ("APPLE",)
    state = lay(lay(state, 1, "blue 0"), 2, "apple")
    assert hands(state)[0] == RED_WORDS[2:]
    assert state.board.known_words == ("APPLE", "blue 0", "APPLE,")


def test_thirteen_and_twelve_are_laid_by_turns_until_both_hands_are_empty() -> None:
    # DU-2: 13 of the team that starts, 12 of the other; each from whichever end it likes
    state = evolve(None, DEALT)
    for cell in range(24):
        own = state.board.hand
        state = lay(state, cell, own[-1] if cell % 3 else None)
    assert hands(state) == ((state.board.hand[0],), ())
    state = lay(state, 24, key=KEY)
    words = state.board.words
    assert words is not None
    assert ({*words[::2]}, {*words[1::2]}) == ({*RED_WORDS}, {*BLUE_WORDS})
    assert (state.board.phase, state.board.turn, state.key) == (Phase.CLUE, Team.RED, KEY)
    assert public_view(state.board, 0.0).hands is UNSET


def test_a_team_may_name_the_word_as_it_lays_it_and_it_lies_as_the_hand_has_it() -> None:  # DU-2
    state = lay(choose(evolve(None, DEALT), "red 4"), 0, "RED 1")
    assert state.board.words is not None
    assert state.board.words[0] == "red 1"
    assert "red 1" not in hands(state)[0]
    assert "red 4" in hands(state)[0]


OF_NO_HAND = ["blue 3", "BLUE3", "red 0", "Red  0", "our joke"]


@pytest.mark.parametrize("word", OF_NO_HAND)
def test_a_word_that_is_not_in_the_teams_hand_is_refused(word: str) -> None:
    # DU-2: one of the other team's, one that lies, one of nobody's
    state = lay(lay(evolve(None, DEALT), 0), 1)
    for act in (acts.Place(2, word), acts.Choose(word)):
        with pytest.raises(Refused) as refused:
            step(state, Seat.RED_OPERATIVES, act, 0.0)
        assert refused.value.reason is Reason.NOT_IN_HAND


def test_only_the_team_whose_turn_it_is_chooses() -> None:  # DU-2
    state = evolve(None, DEALT)
    for seat, reason in (
        (Seat.BLUE_OPERATIVES, Reason.NOT_YOUR_TURN),
        (Seat.RED_SPYMASTER, Reason.WRONG_SEAT),
        (Seat.OPERATOR, Reason.WRONG_SEAT),
    ):
        with pytest.raises(Refused) as refused:
            step(state, seat, acts.Choose("blue 0"), 0.0)
        assert refused.value.reason is reason


def test_a_team_with_cards_of_its_own_chooses_none_at_the_table() -> None:  # DU-2
    state = evolve(None, replace(DEALT, hands=None))
    assert "choose" not in may(state.board, Seat.RED_OPERATIVES)
    with pytest.raises(Refused) as refused:
        choose(state, "whisky")
    assert refused.value.reason is Reason.NOT_IN_HAND
    assert public_view(state.board, 0.0).hands is UNSET
    with pytest.raises(Refused) as refused:
        lay(lay(state, 0, "whisky"), 1, "WHI SKY")
    assert refused.value.reason is Reason.SAME_WORD


def test_a_card_that_is_taken_back_is_in_its_hand_again_and_chosen_as_it_was() -> None:  # ALL-3
    chosen = choose(evolve(None, DEALT), "red 4")
    state = choose(lay(chosen, 0), "blue 5")
    state = evolve(state, events.CardTakenBack(1.0))
    assert state.board == replace(chosen.board, corrections=1)
    assert (hands(state), next_word(state)) == ((RED_WORDS, BLUE_WORDS), "red 4")


@pytest.mark.parametrize("starts", Team)
def test_a_group_has_one_hand_of_all_the_words(starts: Team) -> None:
    # NC-3, DU-2; a game that was begun when a group's words were dealt in two goes on so too
    group = Settings(dealing="shared", players="cooperative")
    state = evolve(None, replace(DEALT, settings=group, starts=starts))
    assert state.board.hand == RED_WORDS + BLUE_WORDS
    assert hands(state)[starts is Team.RED] == ()
    key = Chance().one_of(EveryKey(starts=starts))
    state = lay(choose(state, "blue 2"), 0)
    for cell in range(1, 25):
        assert state.board.turn is starts
        state = lay(state, cell, key=key if cell == 24 else None)
    assert state.board.words is not None
    assert state.board.words[:2] == ("blue 2", "red 0")
    assert {*state.board.words} == {*RED_WORDS, *BLUE_WORDS}


def test_a_game_in_which_a_word_of_no_hand_was_laid_once_can_still_be_replayed() -> None:
    # An older table took a word of the players' own in the place of one of the hand.
    history = (DEALT, events.Placed(0.0, Team.RED, 0, "our joke"))
    state = replay(map(decode, map(encode, history)))
    assert isinstance(state, State)
    assert state.board.known_words == ("our joke",)
    state = lay(state, 1)
    assert state.board.hand == RED_WORDS
    for cell in range(2, 25):
        state = lay(state, cell, key=KEY if cell == 24 else None)
    assert state.board.phase is Phase.CLUE


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
