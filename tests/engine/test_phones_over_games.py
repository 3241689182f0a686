"""The life of a phone's seat and of a code: the events that end each, and their announcements."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from known_deal import VISIT, begin_codex
from phone import Phone
from phones_at_a_table import Phones
from virtual_table import RED_KEY, VirtualTable

from pi_table.common.house_settings import House
from pi_table.games.announcer.announcement import What
from pi_table.protocols.ipc.messages import PhoneState
from pi_table.protocols.ipc.sealed import BEAT_SECONDS, CODE_SECONDS
from pi_table.table.engine.phones.phones import CONFIRM_SECONDS
from pi_table.table.store.sealed_file import encode_sealed, read_sealed

MakeTable = Callable[..., VirtualTable]
RED = "red-spymaster"
CONFIRM_BEATS = int(CONFIRM_SECONDS / BEAT_SECONDS) + 2


@pytest.fixture
def table(make_table: MakeTable) -> VirtualTable:
    table = make_table(cards="dealt")
    table.start()
    return table


@pytest.fixture
def phones(table: VirtualTable) -> Phones:
    return Phones(table)


def states(table: VirtualTable) -> dict[str, PhoneState]:
    return {each.seat.value: each.state for each in table.message.pages.phones}


def hold(phones: Phones, phone: Phone, beats: int = CONFIRM_BEATS) -> None:
    phone.hold = True
    phones.beats(beats)


def next_game(table: VirtualTable, **how: Any) -> None:
    if table.view.outcome is None:
        table.do("abandon")
    table.do("next", **how)


def keys_shown(phones: Phones, phone: Phone, beats: int = 8) -> list[str]:
    """The keys that a phone is sent in so many beats with a finger on it."""
    found = []
    phone.hold = True
    for _ in range(beats):
        phones.beats()
        if phone.message is not None and phone.message["key"] is not None:
            found.append(phone.message["key"])
    return found


def told(table: VirtualTable) -> list[str]:
    """Return the announcements about phones, in English."""
    said = table.table.public_message().said
    return [each.words["en"] for each in said if each.what == What.PHONE.value]


# A seat lasts for one game


@pytest.mark.parametrize("act", ["next", "start"])
def test_a_seat_of_a_word_game_ends_with_its_game(
    table: VirtualTable, phones: Phones, act: str
) -> None:
    phone = phones.join(RED)
    assert keys_shown(phones, phone) != []
    table.do("abandon")
    table.do(act, **({"profile": "codenames"} if act == "start" else {}))
    assert states(table) == {}
    phone.message = None
    assert keys_shown(phones, phone, 20) == []
    assert not phone.session


def test_a_seat_that_is_kept_shows_nothing_before_a_finger_has_confirmed_it(
    table: VirtualTable, phones: Phones
) -> None:
    phone = phones.join(RED)
    hold(phones, phone)
    table.do("abandon")
    next_game(table, keep_phones=True)
    assert states(table) == {RED: PhoneState.ASKED}
    phones.beats(3 * CONFIRM_BEATS)  # the finger that held before has heard no question
    assert (phone.message["key"], phone.message["asked"], phone.message["may"]) == (None, True, [])
    assert phones.ask(RED, "clue", word="FLIGHT", number=1)["reason"] == "not-confirmed"
    phone.hold = False
    phones.beats(2)
    assert keys_shown(phones, phone, 3) == []  # a tap is no answer
    hold(phones, phone)
    assert phone.message["key"] == RED_KEY.letters
    assert states(table) == {RED: PhoneState.HERE}
    phones.beats(round(CODE_SECONDS / BEAT_SECONDS) + 4)
    assert states(table) == {RED: PhoneState.HERE}


def test_a_seat_that_nobody_confirms_ends_in_a_minute(table: VirtualTable, phones: Phones) -> None:
    phone = phones.join(RED)
    next_game(table, keep_phones=True)
    phones.beats(round(CODE_SECONDS / BEAT_SECONDS) - 4)
    assert states(table) == {RED: PhoneState.ASKED}
    phones.beats(8)
    assert states(table) == {}
    phone.message = None
    assert keys_shown(phones, phone, 20) == []


def test_whoever_swaps_sides_keeps_no_phone(table: VirtualTable, phones: Phones) -> None:
    phones.join(RED)
    table.do("abandon")
    refused = table.ask("next", swap=True, keep_phones=True)
    assert "phones need new codes" in (refused.sentence or "")
    assert states(table) == {RED: PhoneState.HERE}
    table.do("next", swap=True)
    assert states(table) == {}


def test_a_question_does_not_outlive_a_restart_and_a_seat_does(
    make_table: MakeTable, table: VirtualTable, phones: Phones
) -> None:
    phones.join(RED)
    phones.join("blue-spymaster")
    next_game(table, keep_phones=True)
    hold(phones, phones.phones[RED])
    hold(phones, phones.phones[RED])
    table.switch_off()
    phones.table = again = make_table(cards="dealt")
    phones.beats(12)
    assert states(again) == {RED: PhoneState.HERE}
    assert phones.phones[RED].message["key"] == RED_KEY.letters


def test_an_agent_keeps_the_phone_for_the_evening(make_table: MakeTable) -> None:  # CX-20, CN-23
    table = make_table()
    table.do("start", profile="codex", options={"screens": "phones"})
    phones = Phones(table)
    phone = phones.join("agent-2")
    next_game(table)
    phones.beats(3)
    assert (phone.message["game"], phone.message["asked"]) == (2, False)
    assert told(table) == ["Domino has a phone."] or len(told(table)) == 1
    table.switch_off()
    phones.table = again = make_table()
    phones.beats(12)
    assert phone.message["game"] == 2
    next_game(again)
    again.do("start", profile="codex", ending=True)
    assert states(again) == {}


# Another phone for an agent, in the middle of a visit


def codex_with_phone(table: VirtualTable) -> Phones:
    """The phone of Ash (agent-2) is the only one, and shows Ash's secrets, whose code is 2468."""
    begin_codex(table, screens="phones", visit_starts="ready")
    phones = Phones(table)
    phones.join("agent-2")
    phones.beats(2)
    assert table.view.place.value == "phones"
    assert phones.ask("agent-2", "ready")["ok"]
    assert phones.ask("agent-2", "choose-code", code="2468")["ok"]
    hold(phones, phones.phones["agent-2"])
    assert phones.phones["agent-2"].message["agent"] is not None
    return phones


def shown_to(phones: Phones, phone: Phone, beats: int = 12) -> list[Any]:
    """The secrets that a phone is sent in so many beats with a finger on it."""
    found = []
    phone.hold = True
    for _ in range(beats):
        phones.beats()
        if phone.message is not None and phone.message["agent"] is not None:
            found.append(phone.message["agent"])
    return found


def is_asked_for_the_code(phone: Phone) -> bool:
    return "enter-code" in phone.message["may"] and phone.message["agent"] is None


def test_another_phone_does_not_take_over_the_visit_of_an_agent(
    make_table: MakeTable,
) -> None:  # CX-19, CX-20, ALL-6
    table = make_table()
    phones = codex_with_phone(table)
    phones.join("agent-2")
    other = phones.phones["agent-2"]
    assert shown_to(phones, other) == []
    assert [seat.value for seat in table.view.together] == ["agent-2"]
    assert table.view.awaited  # the visit begins again
    assert phones.ask("agent-2", "ready")["ok"]
    assert shown_to(phones, other) == []
    assert is_asked_for_the_code(other)
    assert phones.ask("agent-2", "enter-code", code="2468")["ok"]
    assert shown_to(phones, other) != []


def at_the_machine(table: VirtualTable) -> Phones:
    """Ash (agent-2) is at the truth machine, with a phone, and has entered the code."""
    phones = codex_with_phone(table)
    for phase in ("send", "act"):
        while table.view.phase.value == phase:
            if table.view.awaited:
                table.do("ready")
            visiting = table.view.together or (table.view.at_screen,)
            for seat in visiting if phase == "send" else ():
                to = "agent-1" if seat.value == "agent-3" else "agent-3"
                table.do("send", seat.value, to=to, facts=["role"])
            table.advance(VISIT)
    table.do("end-discussion")
    for agent in range(1, 7):
        table.do("vote", f"agent-{agent}", target="agent-1" if agent == 2 else "agent-2")
    phones.beats(12)
    assert table.view.place.value == "phones"
    assert phones.ask("agent-2", "enter-code", code="2468")["ok"]
    assert shown_to(phones, phones.phones["agent-2"]) != []
    return phones


@pytest.mark.parametrize("is_paused", [False, True], ids=["", "in a pause"])
def test_another_phone_does_not_take_over_the_choice_of_an_agent(
    make_table: MakeTable, is_paused: bool
) -> None:  # CX-19, CX-20, ALL-6
    table = make_table()
    phones = at_the_machine(table)
    if is_paused:
        table.do("pause")
    phones.join("agent-2")
    if is_paused:
        table.do("resume")
    other = phones.phones["agent-2"]
    assert shown_to(phones, other) == []
    assert (table.view.place.value, is_asked_for_the_code(other)) == ("phones", True)
    assert phones.ask("agent-2", "enter-code", code="2468")["ok"]
    assert shown_to(phones, other) != []


def test_a_new_code_for_an_agent_that_nobody_scans_brings_the_agent_back_to_the_screen(
    make_table: MakeTable,
) -> None:  # CX-20
    table = make_table()
    phones = at_the_machine(table)
    phones.link("agent-2")
    phones.beats(2)
    assert (table.view.place.value, table.view.phones) == ("screen", ())
    assert table.ask("peek", "agent-2").reason == "code-first"


def test_a_restart_does_not_forget_that_an_agent_has_lost_the_phone(
    make_table: MakeTable,
) -> None:  # CX-20, ALL-2
    table = make_table()
    phones = at_the_machine(table)
    table.do("pause")
    phones.link("agent-2")
    phones.beats(2)
    table.switch_off()
    phones.table = again = make_table(table.path)
    phones.beats(4)
    if again.view.paused:
        again.do("resume")
    phones.beats(4)
    assert (again.view.place.value, again.view.phones) == ("screen", ())


def test_a_code_that_ended_takes_no_phone_from_its_agent_later(make_table: MakeTable) -> None:
    # CX-20
    table = begin_codex(make_table(), screens="phones")
    phones = Phones(table)
    phones.link("agent-2")
    table.do("let-go", unused=True, **{"for": "agent-2"})
    phones.join("agent-2")
    phones.beats(2)
    paired = table.stored()
    phones.beats(12)
    assert ([seat.value for seat in table.view.phones], table.stored()) == (["agent-2"], paired)


# A code lasts for a minute, while it is shown, for one phone


def test_a_code_that_nobody_scanned_ends_in_a_minute(table: VirtualTable, phones: Phones) -> None:
    photograph = phones.link(RED)
    phones.beats(round(CODE_SECONDS / BEAT_SECONDS) - 1)
    assert states(table) == {RED: PhoneState.WAITING}
    phones.beats(2)
    assert states(table) == {}
    phones.phones[RED] = late = Phone(photograph)
    phones.beats(8)
    assert not late.session


def test_a_code_ends_when_it_leaves_the_screen(table: VirtualTable, phones: Phones) -> None:
    photograph = phones.link(RED)
    table.do("let-go", unused=True, **{"for": RED})
    assert states(table) == {}
    phones.phones[RED] = late = Phone(photograph)
    phones.beats(8)
    assert not late.session
    phones.join(RED)
    table.do("let-go", unused=True, **{"for": RED})  # it was scanned: a phone has it
    assert states(table) == {RED: PhoneState.HERE}


def test_a_code_ends_with_the_hidden_screen_that_showed_it(
    table: VirtualTable, phones: Phones
) -> None:
    phones.link(RED)
    table.table.on_console_left()
    assert states(table) == {}


def test_a_code_does_not_outlive_a_restart(
    make_table: MakeTable, table: VirtualTable, phones: Phones
) -> None:
    phones.link(RED)
    table.switch_off()
    phones.table = again = make_table(cards="dealt")
    again.beat()
    assert states(again) == {}


@pytest.mark.parametrize("profile", ["codenames", "codex"])
def test_a_code_does_not_outlive_its_game(make_table: MakeTable, profile: str) -> None:
    table = make_table(cards="dealt")
    options = {"screens": "phones"} if profile == "codex" else {}
    table.do("start", profile=profile, options=options)
    Phones(table).link("agent-1" if profile == "codex" else RED)
    next_game(table, keep_phones=True)
    assert states(table) == {}


def test_links_of_version_0_8_are_read_and_open_no_seat(
    make_table: MakeTable, table: VirtualTable, phones: Phones
) -> None:
    phones.join(RED)
    table.switch_off()
    file = table.path.parent / "phones.json"
    links = msgspec.json.decode(read_sealed(file) or b"")
    for link in filter(None, links["places"]):
        del link["game"]
    file.write_bytes(encode_sealed(msgspec.json.encode({"game": 1, **links})))
    again = make_table(cards="dealt")
    again.beat()
    assert (states(again), again.message.faults) == ({}, ())


def test_between_two_games_no_seat_gets_a_code(table: VirtualTable, phones: Phones) -> None:
    table.do("abandon")
    assert table.ask("phone", **{"for": RED}).reason == "game-over"


def test_a_house_may_want_its_pin_before_a_seat_gets_a_phone(make_table: MakeTable) -> None:
    table = make_table(cards="dealt", house=House(idle_minutes=0, phones_need_pin=True))
    table.start()
    phones = Phones(table)
    phones.join(RED)  # without a PIN everything is open
    table.do("set-pin", pin="1234")
    phones.link("blue-spymaster")
    table.do("lock")
    assert table.ask("phone", **{"for": RED}).reason == "locked"
    table.do("abandon")
    assert table.ask("next", keep_phones=True).reason == "locked"
    table.do("next")


# Everybody is told


def test_everybody_is_told_when_a_seat_gets_a_phone_and_when_it_loses_it(
    table: VirtualTable, phones: Phones
) -> None:
    phones.link(RED)
    assert told(table) == []  # a code is no phone yet
    phones.join(RED)
    assert told(table) == ["Red’s spymaster has a phone: it can show the key."]
    assert [seat.value for seat in table.table.public_message().seated] == [RED]
    table.do("let-go", **{"for": RED})
    assert told(table)[1:] == ["Red’s spymaster has no phone any more."]
    assert table.table.public_message().seated == ()


def test_everybody_is_told_that_phones_lose_their_seats_with_a_game(
    table: VirtualTable, phones: Phones
) -> None:
    phones.join(RED)
    next_game(table, keep_phones=True)
    assert told(table)[1:] == ["No phone has a seat in this game yet."]
    assert table.table.public_message().seated == ()
    hold(phones, phones.phones[RED])
    assert told(table)[2:] == ["Red’s spymaster has a phone: it can show the key."]


def test_a_phone_that_is_away_can_still_show_the_key_and_stays_on_the_board(
    table: VirtualTable, phones: Phones
) -> None:
    phones.join(RED)
    phones.phones.clear()
    phones.beats(40)
    assert states(table) == {RED: PhoneState.AWAY}
    assert [seat.value for seat in table.table.public_message().seated] == [RED]
