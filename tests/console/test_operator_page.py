"""The operator's page: what it offers, its PIN, and that it is locked when somebody leaves it."""

from typing import Any

import pytest
from msgspec.structs import replace
from playing import Desk, RulesTable, choose, typed

from pi_table.common.house_settings import GUEST_ACTS, House, with_settings
from pi_table.devices.hal.contracts import Input
from pi_table.games.lines.game import Setting
from pi_table.games.lines.house import GROUPS, GUESTS
from pi_table.protocols.ipc.messages import Answer, PageLock, Request, TableMessage
from pi_table.screens.console.console_events import Choose, Typed
from pi_table.screens.console.operator_page import OperatorPage
from pi_table.screens.console.pin_entry import EnterPin, NewPin
from pi_table.screens.console.update import update

PRESS, RIGHT, BACK = Input.PRESS, Input.RIGHT, Input.BACK


class HousesTable(RulesTable):
    """A table that keeps what the operator sets, and has a lock."""

    def __init__(self, pin: str | None = None, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.house = House()
        self.pin = pin
        self.lock = PageLock(pin is not None, pin is None)

    def message(self) -> TableMessage:
        return replace(super().message(), house=self.house, lock=self.lock)

    def answer(self, request: Request) -> Answer:
        do: dict[str, Any] = request.do
        match do["act"]:
            case "house":
                self.house = with_settings(self.house, do["set"])
            case "unlock" if do["pin"] == self.pin:
                self.lock = PageLock(pin=True, open=True)
            case "unlock":
                return Answer(request.id, False, "wrong-pin", "That is not the PIN.")
            case "set-pin":
                self.pin = do["pin"]
                self.lock = PageLock(self.pin is not None, open=True)
            case "lock":
                self.lock = PageLock(pin=True, open=False)
        return super().answer(request)


def page(pin: str | None = None, **options: object) -> Desk:
    return choose(Desk(HousesTable(pin, **options)), "More…", "Operator…")


def asked(desk: Desk) -> list[dict[str, Any]]:
    return [{k: v for k, v in do.items() if k != "seat"} for do in desk.asked]


def test_with_no_pin_everything_is_open_and_that_is_said() -> None:
    desk = page()
    assert "No PIN is set: everybody may do this" in desk.texts
    for label in ("Lights", "Sound", "How is the table?", "Set a PIN", "Switch off"):
        assert label in desk.labels
    desk.happen(BACK, BACK)
    assert desk.asked == []  # nothing is to be locked


class StaffStarts(HousesTable):
    """A table whose house leaves it to nobody without the PIN to start a game. It takes its time
    over one."""

    def __init__(self) -> None:
        super().__init__("4711")
        self.house = House(guests_may=())

    def message(self) -> TableMessage:
        told = super().message()
        locked = () if self.lock.open else ("start", "next", "abandon")
        may = {seat: tuple(a for a in acts if a not in locked) for seat, acts in told.may.items()}
        return replace(told, may=may)

    def answer(self, request: Request) -> Answer:
        if request.do["act"] == "start":
            return Answer(request.id, ok=True)
        return super().answer(request)


@pytest.mark.parametrize("in_play", [False, True])
def test_who_has_the_pin_starts_a_game_that_guests_may_not(in_play: bool) -> None:
    table = StaffStarts()
    desk = Desk(table.begin() if in_play else table)
    choose(desk, "More…", "Operator…", "Enter the PIN")
    assert "New game…" not in desk.labels
    desk.happen(*typed("4711\n"))
    choose(desk, *(["New game…"] if in_play else []), "The classic game", "Start: we know it")
    if in_play:
        choose(desk, "Yes, begin the new game")
    assert [do["act"] for do in desk.asked] == ["unlock", "start"]
    assert desk.asked[-1].get("ending", False) is in_play


def test_behind_a_pin_a_guest_finds_what_the_house_leaves_to_guests_and_no_more() -> None:
    desk = choose(Desk(HousesTable("4711").begin()), "More…", "Operator…")
    assert desk.labels == ["Enter the PIN", "Abandon the game", "Draw a new key"]
    assert "Locked" in desk.texts


@pytest.mark.parametrize("how", ["keyboard", "slip", "touch", "knob"])
def test_the_pin_is_entered_by_keyboard_touch_and_knob(how: str) -> None:
    desk = choose(page("4711"), "Enter the PIN")
    if how == "keyboard":
        desk.happen(*typed("4711\n"))
    elif how == "slip":
        desk.happen(*typed("48\b711\n"))
    else:
        for label in ("4", "7", "1", "1", "Done"):
            if how == "touch":
                desk.happen(Choose(desk.model.choices[desk.labels.index(label)]))
            else:
                choose(desk, label)
    assert asked(desk) == [{"act": "unlock", "pin": "4711"}]
    assert isinstance(desk.model.screen, OperatorPage)
    assert "Open" in desk.texts
    assert "Lights" in desk.labels


def test_a_wrong_pin_is_told_and_the_next_try_begins_anew() -> None:
    desk = choose(page("4711"), "Enter the PIN").happen(*typed("4712\n"))
    assert "That is not the PIN." in desk.texts
    assert isinstance(desk.model.screen, EnterPin)
    desk.happen(*typed("4711\n"))
    assert isinstance(desk.model.screen, OperatorPage)


def test_fewer_than_four_digits_are_not_asked_about_and_more_than_eight_not_taken() -> None:
    desk = choose(page("12345678"), "Enter the PIN").happen(*typed("123\n"))
    assert desk.asked == []
    desk.happen(*typed("4567899\n"))
    assert asked(desk) == [{"act": "unlock", "pin": "12345678"}]


def test_the_digits_are_on_no_screen_in_no_choice_and_in_no_repr() -> None:
    one = choose(page("4711"), "Enter the PIN").happen(*typed("4711"))
    other = choose(page("4711"), "Enter the PIN").happen(*typed("9028"))
    assert one.scene == other.scene
    assert one.model.choices == other.model.choices
    assert "4711" not in repr(one.model.screen)
    assert "• • • • " in one.texts


def test_whoever_leaves_the_page_locks_it_whatever_the_way() -> None:
    for leave in (("back",), ("Lock this page",), ("Abandon the game", "Yes, abandon it")):
        desk = choose(Desk(HousesTable("4711").begin()), "More…", "Operator…", "Enter the PIN")
        desk.happen(*typed("4711\n"))
        if leave == ("back",):
            desk.happen(BACK)
        else:
            choose(desk, *leave)
        assert asked(desk)[-1] == {"act": "lock"}
        table = desk.table
        assert isinstance(table, HousesTable)
        assert not table.lock.open


def test_whoever_leaves_before_the_pin_was_looked_at_locks_the_page() -> None:
    desk = choose(page("4711"), "Enter the PIN").happen(*typed("4711"))
    model, (unlock,) = update(desk.model, Typed("\n"), 0.0)
    assert unlock.do["act"] == "unlock"
    model, requests = update(model, BACK, 0.0)
    assert requests == ()  # the page itself is still there
    model, requests = update(model, BACK, 0.0)
    assert [request.do["act"] for request in requests] == ["lock"]


def test_a_guest_who_leaves_the_locked_page_asks_for_nothing() -> None:
    assert page("4711").happen(BACK).asked == []
    desk = choose(page("4711"), "Enter the PIN").happen(*typed("4712\n"))
    assert [do["act"] for do in desk.happen(BACK, BACK).asked] == ["unlock"]


def test_a_page_that_locked_itself_shows_no_more_of_what_it_led_to() -> None:
    desk = choose(page("4711"), "Enter the PIN").happen(*typed("4711\n"))
    choose(desk, "Lights", "Brightness")
    table = desk.table
    assert isinstance(table, HousesTable)
    table.lock = PageLock(pin=True, open=False)
    desk.hear()
    assert isinstance(desk.model.screen, OperatorPage)
    assert desk.labels[0] == "Enter the PIN"


def test_a_pin_is_set_by_entering_it_twice() -> None:
    desk = choose(page(), "Set a PIN").happen(*typed("4711\n"))
    assert "The same PIN again" in desk.texts
    desk.happen(*typed("4712\n"))
    assert "The two PINs were different. Choose one again." in desk.texts
    desk.happen(*typed("4711\n4711\n"))
    assert asked(desk) == [{"act": "set-pin", "pin": "4711"}, {"act": "lock"}]
    assert not any(isinstance(screen, NewPin) for screen in desk.model.screens)


def test_the_pin_is_taken_away_after_a_question() -> None:
    desk = choose(page("4711"), "Enter the PIN").happen(*typed("4711\n"))
    choose(desk, "Remove the PIN", "Yes")
    assert {"act": "set-pin", "pin": None} in asked(desk)


LINES = [line for group in GROUPS for line in group.lines]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.field)
def test_every_setting_can_be_given_every_value_that_is_offered(line: Setting) -> None:
    (group,) = (group for group in GROUPS if line in group.lines)
    for value, label in line.values:
        desk = choose(page(), str(group.title))
        at = [choice.label for choice in desk.model.choices].index(line.label)
        desk.happen(Choose(desk.model.choices[at]))
        house = desk.table.message().house
        if isinstance(getattr(house, line.field), bool):
            assert getattr(house, line.field) is not getattr(House(), line.field)
            break
        picks = [choice.label for choice in desk.model.choices]
        desk.happen(Choose(desk.model.choices[picks.index(label)]))
        house = desk.table.message().house
        assert getattr(house, line.field) == value
        assert [choice.label for choice in desk.model.choices][at] == line.label


def test_every_setting_of_the_house_has_its_place_on_the_page() -> None:
    elsewhere = {"adults", "packs_left_out", "spelling", "rules", "guests_may", "phones_need_pin"}
    assert {line.field for line in LINES} | elsewhere == {*House.__struct_fields__}
    assert [*GUESTS] == [*GUEST_ACTS]


def test_what_guests_may_do_is_chosen_line_by_line() -> None:
    desk = choose(page(), "Guests may, without the PIN", "Start a game", "Pause")
    house = desk.table.message().house
    assert {*GUEST_ACTS} - {*house.guests_may} == {"start", "pause"}
    choose(desk, "Pause")
    assert {*GUEST_ACTS} - {*desk.table.message().house.guests_may} == {"start"}


def test_packs_are_left_out_and_adults_allowed() -> None:
    desk = choose(page(), "Word packs and adults", "English", "Words for adults")
    house = desk.table.message().house
    assert (house.packs_left_out, house.adults) == (("english",), True)
    assert desk.values == ["Yes", "British", "Yes", "No"]
    choose(desk, "English")
    assert desk.table.message().house.packs_left_out == ()


def test_english_words_are_spelt_in_one_of_two_ways() -> None:
    desk = choose(page(), "Word packs and adults", "Spelling of English words")
    assert desk.table.message().house.spelling == "american"
    assert desk.values[1] == "American"
    choose(desk, "Spelling of English words")
    assert desk.table.message().house.spelling == "british"


def test_the_machine_is_switched_off_after_a_question_that_begins_with_no() -> None:
    desk = choose(page(), "Switch off")
    assert desk.labels[desk.model.selected] == "No, go back"
    choose(desk, "Yes")
    assert asked(desk) == [{"act": "shutdown"}]


def test_the_doctor_tells_what_the_engine_knows() -> None:
    desk = choose(page(), "How is the table?")
    assert "Something is wrong" in desk.texts
    assert {"1.2.3", "A1, C3", "The disk is full."} <= {*desk.texts}
