"""The key is on the screen only while somebody peeks, or covers an agent."""

from collections.abc import Callable

import msgspec
import pytest
from exploring import STATES, explored
from msgspec.structs import replace
from playing import KEY, OTHER_KEY, Desk, RulesTable, choose

from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.word_games.key import Key
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import Request, TableMessage
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Choose, Happening, Typed
from pi_table.screens.console.painter import png
from pi_table.screens.console.scene import scene
from pi_table.screens.console.update import update
from pi_table.screens.console.word_games.game_menu import Home
from pi_table.screens.console.word_games.key_on_screen import visible_key

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
    seen = [scene(model, 0.0) for model in one]
    assert seen or name == "revealed"
    assert seen == [scene(model, 0.0) for model in two]
    assert KEY not in repr(seen)


def test_while_it_is_hidden_the_picture_is_the_same_byte_for_byte() -> None:
    one = Desk(RulesTable(key=KEY).begin()).scene
    two = Desk(RulesTable(key=TWIN).begin()).scene
    assert png(one, (800, 480)) == png(two, (800, 480))


def test_peeking_shows_it_and_hides_it_again() -> None:
    desk = Desk(RulesTable().begin())
    hidden = desk.scene
    twin = Desk(RulesTable(key=TWIN).begin())
    assert any("PEEK: show key" in text for text in desk.texts)
    assert desk.happen(PEEK).scene != twin.happen(PEEK).scene
    assert visible_key(desk.model) == KEY
    assert desk.happen(PEEK).scene == hidden


ENDINGS: dict[str, Callable[[Desk], object]] = {
    "a new key": lambda desk: (desk.table.do("operator", "new-key"), desk.hear()),
    "the end of the game": lambda desk: (desk.table.do("operator", "abandon"), desk.hear()),
    "the next game": lambda desk: (
        desk.table.do("operator", "abandon").begin(),
        desk.hear(),
    ),
    "the table going away": lambda desk: desk.happen(Disconnected()),
    "the table coming back": lambda desk: (
        desk.table.do("operator", "pause"),
        desk.happen(Disconnected(), Connected()),
        setattr(desk.table, "peek", None),
        desk.hear(),
    ),
    "its time": lambda desk: (desk.table.tick(180.0), desk.hear()),
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_it_is_hidden_again_by(ending: Callable[[Desk], object]) -> None:
    desk = Desk(RulesTable().begin()).happen(PEEK)
    assert visible_key(desk.model) == KEY
    ending(desk)
    assert not desk.model.peeking
    assert visible_key(desk.model) is None
    assert desk.peeked == [{"seat": "red-spymaster", "act": "peek"}]


@pytest.mark.parametrize("ending", ["a new key", "the next game"])
def test_another_key_is_hidden_though_the_table_goes_on_sending_it(ending: str) -> None:
    desk = Desk(RulesTable().begin()).happen(PEEK)
    sent = desk.model.table
    ENDINGS[ending](desk)
    after = desk.model.table
    assert isinstance(sent, TableMessage)
    assert isinstance(after, TableMessage)
    goes_on = replace(after, peek=sent.peek, key=OTHER_KEY)
    model = Desk(RulesTable().begin()).happen(PEEK).model
    model, _ = update(model, goes_on, 0.0)
    assert visible_key(model) is None
    model, _ = update(model, PEEK, 1.0)
    assert visible_key(model) == OTHER_KEY


def test_it_is_asked_for_when_somebody_wants_to_see_it_and_not_before() -> None:
    desk = Desk(RulesTable().begin()).happen(RIGHT, LEFT, PRESS, BACK)
    assert desk.peeked == []
    assert desk.model.table is not None
    assert not hasattr(desk.model.table, "agent")
    assert KEY not in str(msgspec.to_builtins(desk.model.table))
    desk.happen(PEEK)
    assert KEY in str(msgspec.to_builtins(desk.model.table))
    desk.happen(PEEK)
    assert KEY not in str(msgspec.to_builtins(desk.model.table))
    assert [do["act"] for do in desk.peeked] == ["peek", "unpeek"]


def test_it_is_gone_from_the_screen_before_the_table_answers() -> None:
    desk = Desk(RulesTable().begin()).happen(PEEK)
    model, (request,) = update(desk.model, PEEK, 0.0)
    assert request.do == {"seat": "red-spymaster", "act": "unpeek"}
    assert visible_key(model) is None


def test_showing_hiding_and_showing_it_quickly_leaves_it_shown() -> None:
    table = RulesTable().begin()
    model = Desk(table).model
    requests: list[Request] = []
    for _ in range(3):
        model, asked = update(model, PEEK, 0.0)
        requests += asked
    for request in requests:
        answer = table.answer(request)
        model, _ = update(model, table.message(), 0.0)
        model, _ = update(model, answer, 0.0)
    assert [request.do["act"] for request in requests] == ["peek", "unpeek", "peek"]
    assert visible_key(model) == KEY


def test_a_refusal_to_show_it_is_told() -> None:
    desk = Desk(RulesTable().begin())
    desk.table.do("operator", "abandon")  # and the message has not come yet
    desk.happen(PEEK)
    assert not desk.model.peeking
    assert "The game is over." in desk.texts


@pytest.mark.parametrize("given", [RIGHT, PRESS, BACK, Typed("x"), Choose("nothing")])
def test_any_press_keeps_it(given: Happening) -> None:
    desk = Desk(RulesTable().begin()).happen(PEEK)
    desk.table.tick(170.0)
    desk.hear().happen(given)
    assert [do["act"] for do in desk.peeked] == ["peek", "peek"]
    desk.table.tick(349.0)
    assert visible_key(desk.hear().model) == KEY
    desk.table.tick(350.0)
    assert visible_key(desk.hear().model) is None


def test_presses_in_quick_succession_keep_it_once() -> None:
    desk = Desk(RulesTable().begin()).happen(PEEK)
    desk.table.tick(10.0)
    desk.happen(*(RIGHT,) * 20)
    assert len(desk.peeked) == 2


def test_a_press_keeps_the_key_that_is_there_and_not_one_that_it_draws() -> None:  # ALL-1
    desk = choose(Desk(RulesTable().begin()).happen(PEEK), "More…", "Draw a new key")
    desk.table.tick(10.0)
    _, requests = update(desk.hear().model, Choose(desk.model.choices[0]), 10.0)
    assert [request.do["act"] for request in requests] == ["peek", "new-key"]


def test_a_press_that_nobody_sees_anything_by_keeps_nothing() -> None:
    desk = Desk(RulesTable().begin())
    desk.table.tick(10.0)
    assert desk.happen(RIGHT, PRESS, BACK).peeked == []


ANNOUNCED = [
    (0.0, None),
    (159.9, None),
    (160.0, "The key hides in 20 s: press to keep it"),
    (162.4, "The key hides in 18 s: press to keep it"),
    (179.5, "The key hides in 1 s: press to keep it"),
]


@pytest.mark.parametrize(("at", "announced"), ANNOUNCED)
def test_its_last_seconds_are_announced(at: float, announced: str | None) -> None:
    desk = Desk(RulesTable().begin()).happen(PEEK)
    desk.table.now = at  # without a message: the screen counts by itself
    said = [text for text in desk.texts if "hides in" in text]
    assert said == ([] if announced is None else [announced])
    desk.table.now = 0.0
    desk.happen(PEEK)
    desk.table.now = at
    assert not any("hides in" in text for text in desk.texts)


def test_its_last_seconds_are_announced_in_the_language_of_the_screen() -> None:
    desk = Desk(RulesTable(lang="it").begin()).happen(PEEK)
    desk.table.now = 163.0
    assert "La chiave si nasconde fra 17 s: premi per tenerla" in desk.texts


def test_a_console_that_counts_paints_without_being_told() -> None:
    asked: list[Request] = []
    console = Console(asked.append)
    table = RulesTable().begin()
    console.happen(table.message(), 0.0)
    assert not console.moves(0.0)
    console.happen(PEEK, 0.0)
    table.answer(asked[0])
    console.happen(table.message(), 0.0)
    assert console.moves(0.0)


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
    assert [do["act"] for do in desk.peeked] == ["peek", "unpeek"]


def test_covering_leaves_a_peek_that_was_on_before() -> None:
    # CN-18
    desk = Desk(STATES["penalty"](KEY)).happen(PEEK, PRESS, BACK)
    assert visible_key(desk.model) == KEY
    assert [do["act"] for do in desk.peeked] == ["peek"]


def test_nobody_covers_without_seeing_the_key() -> None:
    # CN-18
    desk = Desk(STATES["penalty"](KEY)).happen(PRESS, PRESS)
    desk.table.tick(180.0)
    desk.hear()
    assert [type(screen) for screen in desk.model.screens] == [Home]
    assert visible_key(desk.model) is None
    assert desk.asked == []


def test_laying_out_the_cards_hides_it() -> None:
    desk = Desk(RulesTable().begin()).happen(PEEK)
    choose(desk, "Lay out the cards")
    assert visible_key(desk.model) is None
    assert desk.peeked[-1]["act"] == "unpeek"
    assert visible_key(desk.happen(BACK).model) is None


def test_when_the_game_is_over_it_is_open_once_it_was_revealed_and_not_before() -> None:
    # ALL-5
    desk = Desk(RulesTable().begin().do("operator", "abandon"))
    assert not any("PEEK" in text for text in desk.texts)
    assert visible_key(desk.happen(PEEK).model) is None
    assert desk.peeked == []
    desk.table.do("operator", "reveal")
    assert visible_key(desk.hear().model) == KEY


def test_without_a_grid_peeking_changes_nothing() -> None:
    desk = choose(Desk(RulesTable()).happen(PEEK), "The classic game").happen(PEEK)
    assert not desk.model.peeking
