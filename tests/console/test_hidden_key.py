"""The key is on the screen only while somebody peeks, or covers an agent."""

import pytest
from exploring import STATES, explored
from playing import KEY, OTHER_KEY, Desk, RulesTable

from pi_table.console.model import visible_key
from pi_table.console.painter import png
from pi_table.console.scene import scene
from pi_table.hal.contracts import Input
from pi_table.rules.word_games.key import Key

PRESS, RIGHT, LEFT, BACK, PEEK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK, Input.PEEK

# Both start with red, and agree on every cell that the explored games cover: A1 B1 C1 D1 A3 and E3.
TWIN = "rbnrrrbnbrabrnbrnbrnbnrnb"


def test_the_twins_are_keys_of_the_game() -> None:
    for key in (KEY, TWIN, OTHER_KEY):
        Key.read(key)
    assert [KEY[cell] == TWIN[cell] for cell in (0, 1, 2, 3, 10, 14)] == [True] * 6
    assert KEY != TWIN


@pytest.mark.parametrize("name", STATES)
def test_while_it_is_hidden_two_keys_look_the_same_on_every_screen(name: str) -> None:
    # ALL-1
    one = [model for model in explored(name).models if visible_key(model) is None]
    two = [model for model in explored(name, TWIN).models if visible_key(model) is None]
    seen = [repr(scene(model, 0.0)) for model in one]
    assert seen or name == "revealed"
    assert seen == [repr(scene(model, 0.0)) for model in two]
    assert not any(KEY in text for text in seen)


def test_while_it_is_hidden_the_picture_is_the_same_byte_for_byte() -> None:
    one = Desk(RulesTable(key=KEY).begin()).scene
    two = Desk(RulesTable(key=TWIN).begin()).scene
    assert png(one, (800, 480)) == png(two, (800, 480))


def test_peeking_shows_it_and_hides_it_again() -> None:
    desk = Desk(RulesTable().begin())
    hidden = desk.scene
    twin = Desk(RulesTable(key=TWIN).begin())
    assert any("PEEK shows it" in text for text in desk.texts)
    assert desk.happen(PEEK).scene != twin.happen(PEEK).scene
    assert visible_key(desk.model) == KEY
    assert desk.happen(PEEK).scene == hidden


@pytest.mark.parametrize(
    "what", ["a new key", "a new game", "the next game", "the table goes away"]
)
def test_it_is_hidden_again_by(what: str) -> None:
    table = RulesTable().begin()
    if what in ("a new game", "the next game"):
        table.do("operator", "abandon")
    desk = Desk(table).happen(PEEK)
    assert desk.model.peeking
    if what == "a new key":
        table.do("operator", "new-key")
        desk.hear()
    elif what == "the table goes away":
        desk = Desk(table)
    else:
        table.begin()
        desk.hear()
    assert visible_key(desk.model) is None


def test_it_stays_seen_through_a_turn_and_the_menus() -> None:
    desk = Desk(RulesTable().begin()).happen(PEEK, PRESS, PRESS, PRESS)
    assert visible_key(desk.model) == KEY


def test_covering_shows_it_and_leaves_it_as_it_was() -> None:
    # CN-18
    desk = Desk(STATES["penalty"](KEY))
    assert visible_key(desk.model) is None
    assert visible_key(desk.happen(PRESS).model) == KEY
    assert visible_key(desk.happen(PEEK).model) == KEY
    assert visible_key(desk.happen(PRESS).model) == KEY
    assert visible_key(desk.happen(BACK, BACK).model) is None


def test_when_the_game_is_over_it_can_be_peeked_at_and_is_open_once_it_was_revealed() -> None:
    # ALL-5
    desk = Desk(RulesTable().begin().do("operator", "abandon"))
    assert visible_key(desk.model) is None
    assert visible_key(desk.happen(PEEK).model) == KEY
    desk.happen(PEEK)
    desk.table.do("operator", "reveal")
    assert visible_key(desk.hear().model) == KEY


def test_without_a_grid_peeking_changes_nothing() -> None:
    desk = Desk(RulesTable()).happen(PEEK, PRESS, PEEK)
    assert not desk.model.peeking
