"""Both hands on the hidden screen while the teams lay out dealt words: which is laid (DU-2)."""

from typing import Any

import pytest
from msgspec.structs import replace
from playing import WORDS, Desk, RulesTable, choose

from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.messages import Request
from pi_table.screens.console.console_events import Choose
from pi_table.screens.console.shapes import Rect, Text, hit
from pi_table.screens.console.update import update
from pi_table.screens.console.word_games.game_menu import Home, WhileLaying
from pi_table.screens.console.word_games.hands import Hands
from pi_table.screens.console.word_games.key_on_screen import visible_key

PRESS, RIGHT, LEFT, BACK, PEEK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK, Input.PEEK
RED_HAND, BLUE_HAND = WORDS[:13], WORDS[13:]


def hands(**options: Any) -> Desk:
    """Red is to lay the first card."""
    return Desk(RulesTable(profile="deep-undercover", hands=True, **options).begin())


def next_word(desk: Desk) -> object:
    return desk.table.message().public.next_word  # type: ignore[union-attr]


def lay(desk: Desk, cell: str) -> Desk:
    """Somebody holds a finger on a cell."""
    table = desk.table.message().public
    assert table is not None
    assert table.turn is not None
    desk.table.do(f"{table.turn.value}-operatives", "place", cell=cell)
    return desk.hear()


def tap(desk: Desk, word: str) -> Desk:
    """Tap where a word stands."""
    (at,) = (shape for shape in desk.scene if isinstance(shape, Text) and shape.text == word)
    target = hit(desk.scene, at.x + at.w / 2, at.y + at.h / 2)
    return desk if target is None else desk.happen(Choose(target))


def marked(desk: Desk) -> str:
    return desk.labels[desk.model.selected]


def test_both_hands_are_seen_whose_turn_it_is_and_which_card_is_chosen() -> None:
    # DU-2
    desk = hands()
    assert isinstance(desk.model.screen, Hands)
    assert {*map(str.upper, RED_HAND), *map(str.upper, BLUE_HAND)} <= {*desk.texts}
    assert {f"Red lays {RED_HAND[0]}", "0 of 25 cards are laid"} <= {*desk.texts}
    assert desk.labels == [*RED_HAND, "More…"]
    assert marked(desk) == RED_HAND[0] == next_word(desk)


def test_the_card_that_the_knob_is_turned_to_is_chosen_and_a_press_leaves_it_so() -> None:
    # DU-2
    desk = hands().happen(RIGHT, RIGHT, RIGHT, LEFT)
    assert marked(desk) == RED_HAND[2] == next_word(desk)
    asked = [*desk.asked]
    assert [do["word"] for do in asked] == [RED_HAND[place] for place in (1, 2, 3, 2)]
    assert {(do["act"], do["seat"]) for do in asked} == {("choose", "red-operatives")}
    desk.happen(PRESS, PRESS)
    assert desk.asked == asked
    assert marked(lay(desk, "C3")) == BLUE_HAND[0]


def test_a_card_that_is_tapped_is_chosen() -> None:
    # DU-2
    desk = tap(hands(), RED_HAND[6].upper())
    assert marked(desk) == RED_HAND[6] == next_word(desk)
    assert f"Red lays {RED_HAND[6]}" in desk.texts


def test_the_cards_of_the_team_that_waits_cannot_be_tapped() -> None:
    # DU-2
    assert tap(hands(), BLUE_HAND[3].upper()).asked == []


def test_after_a_card_lies_the_other_teams_hand_is_the_one_to_choose_from() -> None:
    # DU-2
    desk = lay(hands().happen(RIGHT), "A1")
    assert desk.labels == [*BLUE_HAND, "More…"]
    assert f"Blue lays {BLUE_HAND[0]}" in desk.texts
    assert RED_HAND[1].upper() not in desk.texts
    desk = lay(desk.happen(RIGHT), "B1")
    assert desk.labels == [RED_HAND[0], *RED_HAND[2:], "More…"]


def test_a_knob_that_turns_faster_than_the_table_answers_chooses_where_it_stops() -> None:
    # DU-2
    desk = hands()
    requests: list[Request] = []
    for _ in range(4):
        desk.model, asked = update(desk.model, RIGHT, 0.0)
        requests += asked
    assert marked(desk) == RED_HAND[4]
    for request in requests:
        answer = desk.table.answer(request)
        desk.model, _ = update(desk.model, answer, 0.0)
        desk.model, _ = update(desk.model, desk.table.message(), 0.0)
        assert marked(desk) == RED_HAND[4]
    assert next_word(desk) == RED_HAND[4]
    assert marked(desk.happen(RIGHT)) == RED_HAND[5]


def test_what_was_asked_for_too_late_does_not_stay_marked() -> None:
    # the finger was faster than the knob
    desk = hands()
    desk.model, (request,) = update(desk.model, RIGHT, 0.0)
    desk = lay(desk, "A1")
    assert marked(desk) == BLUE_HAND[0]
    desk.model, _ = update(desk.model, desk.table.answer(request), 0.0)
    assert "It is not your turn." in desk.texts
    assert marked(desk) == BLUE_HAND[0] == next_word(desk)


@pytest.mark.parametrize("way", [(LEFT, PRESS), (BACK,)])
def test_the_menu_and_the_grid_are_behind_the_last_place_and_behind_back(
    way: tuple[Input, ...],
) -> None:
    desk = lay(hands(), "A1").happen(*way)
    assert isinstance(desk.model.screen, WhileLaying)
    assert {"A1", RED_HAND[0].upper(), "B1"} <= {*desk.texts}
    assert "Take back the last card" in desk.labels
    assert isinstance(desk.happen(BACK).model.screen, Hands)
    assert next_word(desk) == BLUE_HAND[0]


def test_a_card_that_is_taken_back_is_chosen_again() -> None:
    # ALL-3
    desk = lay(hands().happen(RIGHT, RIGHT), "A1").happen(BACK)
    desk = choose(desk, "Take back the last card", "Yes, take it back")
    assert isinstance(desk.model.screen, Hands)
    assert desk.labels == [*RED_HAND, "More…"]
    assert marked(desk) == RED_HAND[2] == next_word(desk)


def test_in_a_pause_the_game_can_be_gone_on_with_and_then_the_hands_are_back() -> None:
    desk = lay(hands(), "A1")
    desk.table.do("operator", "pause")
    desk.hear()
    assert [type(screen) for screen in desk.model.screens] == [Home]
    choose(desk, "Go on with the game")
    assert [type(screen) for screen in desk.model.screens] == [Hands]
    assert marked(desk) == BLUE_HAND[0]


def test_when_all_cards_lie_the_first_clue_is_asked_for() -> None:
    # DU-2
    desk = hands()
    for cell in (f"{column}{row}" for row in "12345" for column in "ABCDE"):
        assert isinstance(desk.model.screen, Hands)
        desk = lay(desk, cell)
    assert [type(screen) for screen in desk.model.screens] == [Home]
    assert marked(desk) == "Red gives the clue"


def test_a_group_has_one_hand_over_the_whole_screen() -> None:
    # NC-3, DU-2
    desk = lay(hands(players="cooperative").happen(RIGHT), "A1")
    assert desk.labels == [WORDS[0], *WORDS[2:], "More…"]
    assert "Blue’s hand" not in desk.texts
    cards = [shape for shape in desk.scene if isinstance(shape, Rect) and shape.target is not None]
    assert max(card.x + card.w for card in cards) > 780


def test_there_is_no_key_to_peek_at_and_nothing_of_one_on_the_screen() -> None:
    # DU-2, ALL-1
    desk = hands()
    assert not desk.model.can_peek
    assert visible_key(desk.happen(PEEK).model) is None
    assert visible_key(replace(desk.model, peeking=True)) is None
    other = Desk(
        RulesTable(profile="deep-undercover", hands=True, key="rbnrbbrrnbnrabrrnbnrbnrbn").begin()
    )
    assert other.scene == desk.scene
