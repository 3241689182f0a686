"""Phones with a seat, at a table in virtual time: what each is shown, what it may ask for, and for
how long it has its seat."""

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from phone import Phone
from phones_at_a_table import Phones
from virtual_table import ADDRESS, RED_KEY, VirtualTable

from pi_table.common.house_settings import House
from pi_table.protocols.ipc.messages import PhoneState
from pi_table.protocols.ipc.sealed import BEAT_SECONDS, PLACES_FOR_PHONES
from pi_table.protocols.sealing.seal import KEY_BYTES
from pi_table.table.engine.phones.phones import AWAY_SECONDS, HOLD_SECONDS
from pi_table.table.engine.phones.shown import MAX_A_MINUTE
from pi_table.table.engine.storage.phones_file import PhonesFile
from pi_table.table.store.sealed_file import encode_sealed, read_sealed

MakeTable = Callable[..., VirtualTable]


@pytest.fixture
def table(make_table: MakeTable) -> VirtualTable:
    """A table whose red spymaster has to give a clue."""
    table = make_table(cards="dealt")
    table.start()
    return table


@pytest.fixture
def phones(table: VirtualTable) -> Phones:
    return Phones(table)


def refused(table: VirtualTable, act: str, **fields: Any) -> str | None:
    verdict = table.ask(act, **fields)
    assert not verdict.ok
    return verdict.reason


def pages_of(table: VirtualTable) -> Any:
    return table.message.pages


def shown(phone: Phone, what: str) -> Any:
    return phone.message[what]


# What is shown


def test_a_spymaster_who_holds_sees_the_key_on_the_phone(phones: Phones) -> None:
    phone = phones.join("red-spymaster")
    assert phone.message["key"] is None
    phone.hold = True
    phones.beats()
    assert phone.message["key"] == RED_KEY.letters
    phone.hold = False
    phones.beats()
    assert phone.message["key"] is None


def test_a_phone_that_is_not_heard_any_more_is_sent_no_key(
    table: VirtualTable, phones: Phones
) -> None:
    phone = phones.join("red-spymaster")
    phone.hold = True
    phones.beats()
    sent = [phone.message["key"]]
    for _ in range(int(HOLD_SECONDS / BEAT_SECONDS) + 1):
        phone.hear(table.beat())  # it says nothing
        sent.append(phone.message["key"])
    assert sent[1] == RED_KEY.letters
    assert sent[-1] is None


@pytest.mark.parametrize("seat", ["red-operatives", "blue-operatives"])
def test_operatives_who_hold_see_no_key(phones: Phones, seat: str) -> None:
    phone = phones.join(seat)
    phone.hold = True
    phones.beats(2)
    assert phone.message["key"] is None


def test_a_key_that_everybody_can_see_is_none_to_hold_for(
    table: VirtualTable, phones: Phones
) -> None:
    phone = phones.join("red-spymaster")
    table.do("abandon")
    phone.hold = True
    phones.beats(2)
    assert phone.message["key"] is None


def test_operatives_may_mark_while_they_guess_and_nothing_else(
    table: VirtualTable, phones: Phones
) -> None:
    red, blue = phones.join("red-operatives"), phones.join("blue-operatives")
    assert (red.message["may"], blue.message["may"]) == ([], [])
    table.clue(2)
    phones.beats(2)
    assert (red.message["may"], blue.message["may"]) == (["mark"], [])


def test_a_phone_knows_the_rules_that_are_played(phones: Phones) -> None:
    phone = phones.join("red-spymaster")
    assert phone.message["rules"] == {
        "lang": "en",
        "players": "teams",
        "zero": False,
        "unlimited": True,
        "penalty": True,
        "visit_seconds": 45,
        "discussion_seconds": 300,
    }


# What may be asked for


def test_a_spymaster_gives_the_clue_on_the_phone(table: VirtualTable, phones: Phones) -> None:
    phones.join("red-spymaster")
    answer = phones.ask("red-spymaster", "clue", word="FLIGHT", number=2)
    assert answer["ok"]
    assert (table.view.clue.word, table.view.clue.number) == ("FLIGHT", 2)


def test_the_seat_is_that_of_the_link_whatever_a_phone_says(
    table: VirtualTable, phones: Phones
) -> None:
    phones.join("blue-spymaster")
    answer = phones.ask("blue-spymaster", "clue", seat="red-spymaster", word="FLIGHT", number=2)
    assert (answer["ok"], answer["reason"]) == (False, "not-your-turn")
    assert {*answer["sentence"]} == {"en", "it"}
    assert table.view.clue is None


@pytest.mark.parametrize(
    ("seat", "act"),
    [
        *((seat, act) for seat in ("red-spymaster", "red-operatives") for act in ("look", "peek")),
        *(("red-operatives", act) for act in ("guess", "stop", "place", "choose", "clue")),
        *(("red-spymaster", act) for act in ("guess", "abandon", "correct", "start", "next")),
        *(("red-spymaster", act) for act in ("house", "set-pin", "unlock", "shutdown", "service")),
        *(("red-spymaster", act) for act in ("phone", "let-go", "record", "tick", "clues", "?")),
        ("red-operatives", "judge"),
        ("red-spymaster", "mark"),
    ],
)
def test_what_is_done_elsewhere_is_not_done_on_a_phone(
    table: VirtualTable, phones: Phones, seat: str, act: str
) -> None:
    table.clue(2)
    phones.join(seat)
    stored = table.stored()
    assert phones.ask(seat, act, cell="A1", **{"for": seat})["reason"] == "not-on-a-phone"
    assert table.stored() == stored


@pytest.mark.parametrize("act", [None, 1, ["clue"], {}])
def test_what_is_no_act_is_refused(phones: Phones, act: Any) -> None:
    phones.join("red-spymaster")
    assert phones.ask("red-spymaster", act)["reason"] == "unknown-act"


def test_what_the_house_keeps_from_guests_a_phone_may_not_ask_for_either(
    make_table: MakeTable,
) -> None:
    table = make_table(cards="dealt", house=House(idle_minutes=0, guests_may=("start",)))
    table.start()
    phones = Phones(table)
    phone = phones.join("red-spymaster")
    assert "new-key" in phone.message["may"]
    table.do("set-pin", pin="1234")  # whoever sets it has the page open
    phones.beats(2)
    assert "new-key" not in phone.message["may"]
    assert phones.ask("red-spymaster", "new-key")["reason"] == "locked"
    table.do("new-key")


def test_an_act_is_done_once_however_often_the_phone_says_it(
    table: VirtualTable, phones: Phones
) -> None:
    phone = phones.join("red-spymaster")
    assert phones.ask("red-spymaster", "pause")["ok"]
    phone.do = {"act": "pause"}  # it has not heard the answer
    phones.beats(3)
    assert phone.answer["ok"]
    assert table.view.paused


def test_a_phone_that_pauses_and_goes_on_without_end_has_to_wait(
    table: VirtualTable, phones: Phones
) -> None:
    phones.join("red-spymaster")
    acts = ("pause", "resume") * 8
    done = [phones.ask("red-spymaster", act)["reason"] for act in acts]
    assert done == [None] * MAX_A_MINUTE + ["too-often"] * (len(acts) - MAX_A_MINUTE)
    assert phones.ask("red-spymaster", "clue", word="FLIGHT", number=1)["ok"]
    phones.beats(4 * 61)
    assert phones.ask("red-spymaster", "pause")["ok"]


def test_where_a_phone_is_somebody_is_there(make_table: MakeTable) -> None:
    table = make_table(cards="dealt", house=House(idle_minutes=5))
    table.start()
    phones = Phones(table)
    phones.join("red-spymaster")
    phones.beats(4 * 60 * 6)
    assert table.table.public_message().idle.value == "playing"
    here = phones.phones.pop("red-spymaster")
    phones.beats(4 * 60 * 5 + 30)
    assert table.table.public_message().idle.value == "asked"
    phones.phones["red-spymaster"] = here
    phones.beats(10)
    assert table.table.public_message().idle.value == "playing"


def test_nobody_can_tell_from_when_the_table_asks_whether_a_finger_held(
    make_table: MakeTable, tmp_path: Path
) -> None:  # ALL-1
    """Two evenings that differ in what is done in secret on a phone, which then goes away."""
    seen = []
    for secret in (False, True):
        folder = tmp_path / str(secret)
        folder.mkdir()
        table = make_table(folder / "x", house=House(idle_minutes=5))
        table.start()
        phones = Phones(table)
        phone = phones.join("red-spymaster")
        phones.beats(40)
        phone.hold = secret
        if secret:
            phone.ask("stop")  # which no phone may
        phones.beats(40)
        phone.hold = False
        phones.beats(4)
        phones.phones.clear()
        phones.beats(4 * 60 * 6)
        assert table.public[-1][1].idle.value == "asked"
        seen.append(table.public)
    assert seen[0] == seen[1]


# Links, and what the hidden screen is told


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ("operator", "wrong-seat"),
        ("agent-1", "unknown-seat"),
        ("nobody", "unknown-seat"),
        (None, "unknown-seat"),
    ],
)
def test_a_seat_that_is_not_in_the_game_gets_no_link(
    table: VirtualTable, phones: Phones, wanted: object, reason: str
) -> None:
    assert refused(table, "phone", **{"for": wanted}) == reason
    assert refused(table, "let-go", **{"for": wanted}) == reason


def test_before_the_first_game_nobody_gets_a_link(make_table: MakeTable) -> None:
    table = make_table()
    Phones(table)
    assert refused(table, "phone", **{"for": "red-spymaster"}) == "no-game"


def test_where_no_pages_are_served_nobody_gets_a_link(table: VirtualTable) -> None:
    assert pages_of(table) is None
    assert refused(table, "phone", **{"for": "red-spymaster"}) == "no-pages"
    table.beat()
    assert table.message.pages.address == ADDRESS
    table.do("phone", **{"for": "red-spymaster"})
    table.table.on_relay_left()
    assert pages_of(table) is None
    assert refused(table, "phone", **{"for": "blue-spymaster"}) == "no-pages"


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "http://x/" + "y" * 10_000, "http://a b", "http://a\n", "http://", ""],
)
def test_what_is_no_address_is_none(table: VirtualTable, address: str) -> None:
    table.table.on_relayed((), address)
    assert table.message.pages is None


def test_the_hidden_screen_is_told_whether_a_phone_is_here(
    table: VirtualTable, phones: Phones
) -> None:
    def state() -> PhoneState:
        (told,) = table.message.pages.phones
        assert (told.seat.value, told.tried) == ("red-spymaster", False)
        state: PhoneState = told.state
        return state

    phone = Phone(phones.link("red-spymaster"))
    assert state() is PhoneState.WAITING
    phones.phones["red-spymaster"] = phone
    phones.beats(3)
    assert state() is PhoneState.HERE
    told = table.told
    del phones.phones["red-spymaster"]
    phones.beats(int(AWAY_SECONDS / BEAT_SECONDS) + 1)
    assert state() is PhoneState.AWAY
    assert table.told == told + 1
    phones.phones["red-spymaster"] = phone
    phones.beats(2)
    assert state() is PhoneState.HERE


def test_who_comes_second_opens_nothing_and_both_screens_tell(
    table: VirtualTable, phones: Phones
) -> None:
    link = phones.link("red-spymaster")
    first = phones.phones["red-spymaster"] = Phone(link)
    phones.beats(3)
    second = Phone(link)
    for _ in range(5):
        second.hear(table.beat(second.next(), first.next()))
    assert second.message is None
    assert not second.session
    phones.beats(3)
    assert first.message["tried"]
    assert table.message.pages.phones[0].tried


def test_two_phones_that_open_a_link_at_once_are_one_that_has_it_and_one_that_tried(
    table: VirtualTable, phones: Phones
) -> None:
    link = phones.link("red-spymaster")
    pair = Phone(link), Phone(link)
    for _ in range(4):
        block = table.beat(*(phone.next() for phone in pair))
        for phone in pair:
            phone.hear(block)
    assert [bool(phone.session) for phone in pair] == [True, False]
    assert table.message.pages.phones[0].tried


def test_a_new_link_takes_the_place_of_the_old(table: VirtualTable, phones: Phones) -> None:
    old = phones.join("red-spymaster")
    new = phones.join("red-spymaster")
    assert len(table.message.pages.phones) == 1
    phones.phones["old"] = old
    phones.beats(8)
    assert not old.session
    assert new.message["seat"] == "red-spymaster"


def test_a_phone_that_is_let_go_of_is_none_any_more(table: VirtualTable, phones: Phones) -> None:
    phone = phones.join("red-spymaster")
    other = phones.join("blue-spymaster")
    phone.hold = True
    phones.beats(2)
    table.do("let-go", **{"for": "red-spymaster"})
    stored = table.stored()
    phone.ask("clue", word="FLIGHT", number=2)
    phones.beats(8)
    assert not phone.session
    assert table.stored() == stored
    assert [told.seat.value for told in table.message.pages.phones] == ["blue-spymaster"]
    assert other.message["seat"] == "blue-spymaster"
    assert refused(table, "let-go", **{"for": "red-spymaster"}) == "no-link"


def test_there_are_no_beats_without_a_link(table: VirtualTable, phones: Phones) -> None:
    assert phones.table.beat() == ()
    phones.link("red-spymaster")
    assert len(phones.table.beat()) == 6
    table.do("let-go", **{"for": "red-spymaster"})
    assert phones.table.beat() == ()


# How long links last


def file_of(path: Path) -> bytes:
    text = read_sealed(path.with_name("phones.json"))
    assert text is not None
    return text


def test_a_link_is_on_the_disk_before_it_is_told(
    table: VirtualTable, phones: Phones, path: Path
) -> None:
    phones.link("red-spymaster")
    assert b'"red-spymaster"' in file_of(path)
    assert path.with_name("phones.json").stat().st_mode & 0o777 == 0o600


def test_a_link_that_cannot_be_kept_is_none(
    table: VirtualTable, phones: Phones, path: Path
) -> None:
    path.with_name("phones.json.new").mkdir()  # so no file of that name can be written
    verdict = table.ask("phone", **{"for": "red-spymaster"})
    assert (verdict.ok, verdict.told) == (False, None)
    assert table.message.pages.phones == ()
    path.with_name("phones.json.new").rmdir()
    phones.join("red-spymaster")


def test_a_phone_whose_claim_cannot_be_kept_is_not_heard_until_it_can(
    table: VirtualTable, phones: Phones, path: Path
) -> None:
    phone = phones.phones["red-spymaster"] = Phone(phones.link("red-spymaster"))
    path.with_name("phones.json.new").mkdir()
    phones.beats(3)
    assert not phone.session
    path.with_name("phones.json.new").rmdir()
    phones.beats(2)
    assert phone.session


def test_a_phone_that_is_let_go_of_is_gone_also_when_the_disk_fails(
    table: VirtualTable, phones: Phones, path: Path
) -> None:
    phones.join("red-spymaster")
    path.with_name("phones.json.new").mkdir()
    assert not table.ask("let-go", **{"for": "red-spymaster"}).ok
    assert table.message.pages.phones == ()
    path.with_name("phones.json.new").rmdir()
    phones.link("blue-spymaster")
    assert b"red" not in file_of(path)


def test_phones_go_on_after_a_restart(make_table: MakeTable, phones: Phones) -> None:
    phone = phones.join("red-spymaster")
    session = phone.session
    phones.table.switch_off()
    phones.table = make_table(cards="dealt")
    phones.beats(12)
    assert phone.session != session
    assert phone.message["seat"] == "red-spymaster"
    assert phones.ask("red-spymaster", "clue", word="FLIGHT", number=2)["ok"]


def test_a_phone_whose_page_is_loaded_anew_is_back_in_a_second(phones: Phones) -> None:
    phone = phones.join("red-spymaster")
    phone.load()
    phones.beats(3)
    assert phone.message["seat"] == "red-spymaster"


KEY = b64encode(bytes(KEY_BYTES)).decode()


def links(*places: dict[str, str]) -> bytes:
    """A file of links, whose seal is right, in these places."""
    empty = [None] * (PLACES_FOR_PHONES - len(places))
    return encode_sealed(msgspec.json.encode({"places": [*places, *empty]}))


@pytest.mark.parametrize(
    ("damaged", "told"),
    [
        (b"{}", "phones.json is damaged"),
        (encode_sealed(b'{"places":[null]}'), "does not know"),
        (encode_sealed(b'{"seats":1}'), "does not know"),
        (links({"seat": "red-spymaster", "link_key": ""}), "does not know"),
        (links({"seat": "red-spymaster", "link_key": "AAAA"}), "does not know"),
        (links({"seat": "red-spymaster", "link_key": KEY, "device": "AAAA"}), "does not know"),
        (links({"seat": "operator", "link_key": KEY}), "does not know"),
        (links(*[{"seat": "red-spymaster", "link_key": KEY}] * 2), "does not know"),
    ],
)
def test_a_damaged_file_of_links_is_told_and_holds_none(
    make_table: MakeTable, phones: Phones, path: Path, damaged: bytes, told: str
) -> None:
    phones.join("red-spymaster")
    phones.table.switch_off()
    path.with_name("phones.json").write_bytes(damaged)
    phones.table = make_table(cards="dealt")
    phones.beats()
    assert phones.table.message.pages.phones == ()
    (fault,) = phones.table.message.faults
    assert told in fault
    assert "needs a new code" in fault
    assert not phones.table.table.public_message().out_of_order
    phones.join("red-spymaster")
    assert phones.table.message.faults == ()
    phones.table.switch_off()
    assert make_table(cards="dealt").message.faults == ()


def test_a_damaged_file_is_written_anew_where_there_is_no_link_to_keep(tmp_path: Path) -> None:
    (tmp_path / "phones.json").write_bytes(b"{}")
    kept = PhonesFile(tmp_path)
    kept.end(None)
    assert kept.fault is None
    assert PhonesFile(tmp_path).fault is None


def test_a_pause_ends_no_link_and_a_game_that_nobody_comes_back_to_ends_all(
    make_table: MakeTable,
) -> None:
    table = make_table(cards="dealt", house=House(idle_minutes=1, keep_minutes=5))
    table.start()
    phones = Phones(table)
    phones.join("red-spymaster")
    del phones.phones["red-spymaster"]  # it lies in a pocket
    phones.beats(4 * 60 * 3)
    assert table.view.paused
    assert len(table.message.pages.phones) == 1
    phones.beats(4 * 60 * 6)
    assert table.view.outcome is not None
    assert table.message.pages.phones == ()


def test_an_operator_who_ends_a_game_ends_no_link(table: VirtualTable, phones: Phones) -> None:
    phones.join("red-spymaster")
    table.do("abandon")
    phones.beats(4 * 60 * 6)  # they talk about it
    assert len(table.message.pages.phones) == 1


def test_links_of_another_game_than_the_journal_has_are_none(
    make_table: MakeTable, table: VirtualTable, phones: Phones, path: Path
) -> None:
    phones.join("red-spymaster")
    table.switch_off()
    for file in path.parent.iterdir():
        if file.name != "phones.json":
            file.unlink()  # as if it were set aside by hand
    table = make_table(cards="dealt")
    table.beat()
    assert table.message.pages.phones == ()
    assert b"red" not in file_of(path)


# Codex


@pytest.fixture
def codex(make_table: MakeTable) -> Phones:
    table = make_table()
    table.do("start", profile="codex", options={"screens": "phones"})
    return Phones(table)


def test_in_a_game_without_phones_agents_get_no_link(make_table: MakeTable) -> None:
    table = make_table()
    table.do("start", profile="codex")
    Phones(table)
    assert refused(table, "phone", **{"for": "agent-1"}) == "no-phones"


def test_an_agent_pairs_when_their_phone_is_heard_and_goes_back_when_it_is_let_go_of(
    codex: Phones,
) -> None:
    table = codex.table
    codex.join("agent-2")
    assert [seat.value for seat in table.view.phones] == ["agent-2"]
    codex.beats(5)
    stored = table.stored()
    codex.beats(5)
    assert table.stored() == stored  # once
    codex.link("agent-2")  # another phone for the same agent: the old one has lost its seat
    assert table.view.phones == ()
    codex.join("agent-2")
    assert [seat.value for seat in table.view.phones] == ["agent-2"]
    table.do("let-go", **{"for": "agent-2"})
    assert table.view.phones == ()


def test_an_agent_who_holds_sees_what_is_theirs_past_their_own_code(codex: Phones) -> None:
    phone = codex.join("agent-2")
    phone.hold = True
    codex.beats(6)
    assert shown(phone, "agent") is None
    assert phone.message["door"]["code"] == "choose"
    assert "ready" in phone.message["may"]
    assert codex.ask("agent-2", "ready")["ok"]
    assert codex.ask("agent-2", "choose-code", code="1234")["ok"]
    codex.beats(6)
    seen = phone.message["agent"]
    assert seen["seat"] == "agent-2"
    assert "public" not in seen
    assert "send" in phone.message["may"]
    phone.hold = False
    codex.beats(3)
    assert shown(phone, "agent") is None
    assert "send" not in phone.message["may"]
    phone.hold = True
    answer = codex.ask("agent-2", "send", to="agent-1", facts=["role"])
    assert (answer["ok"], answer["told"]) == (True, None)
    assert codex.ask("agent-2", "done")["ok"]
    codex.beats(4)
    assert shown(phone, "agent") is None  # nothing more comes in this visit


def test_six_phones_have_a_seat_and_no_seventh(codex: Phones) -> None:
    for number in range(1, 7):
        codex.join(f"agent-{number}")
    assert len(codex.table.view.phones) == 6
    assert [told.seat.value for told in codex.table.message.pages.phones] == [
        f"agent-{number}" for number in range(1, 7)
    ]
    codex.link("agent-3")  # in the place of the one it had


def test_in_the_next_game_agents_have_their_phones_still(codex: Phones) -> None:
    phone = codex.join("agent-2")
    codex.table.do("abandon")
    codex.table.do("next")
    codex.beats(4)
    assert [seat.value for seat in codex.table.view.phones] == ["agent-2"]
    assert phone.message["game"] == 2


@pytest.mark.parametrize(
    ("before", "after"), [("pause", "resume"), ("abandon", "next"), ("abandon", "correct")]
)
def test_an_agent_goes_back_as_soon_as_the_game_goes_on(
    codex: Phones, before: str, after: str
) -> None:
    codex.join("agent-2")
    codex.join("agent-3")
    codex.table.do(before)
    codex.table.do("let-go", **{"for": "agent-2"})
    assert [seat.value for seat in codex.table.view.phones] == ["agent-2", "agent-3"]
    codex.table.do(after)
    assert [seat.value for seat in codex.table.view.phones] == ["agent-3"]


def test_an_agent_with_another_phone_by_then_is_paired_with_it(codex: Phones) -> None:
    codex.join("agent-2")
    codex.table.do("pause")
    codex.table.do("let-go", **{"for": "agent-2"})
    codex.join("agent-2")
    codex.table.do("resume")
    assert codex.table.view.phones == ()  # CX-19: it does not take over an open visit
    codex.beats()
    assert [seat.value for seat in codex.table.view.phones] == ["agent-2"]


def together(codex: Phones, *seats: str) -> None:
    """Let agents begin their visits, each on a phone on which a finger holds."""
    for seat in seats:
        codex.join(seat)
    for seat in seats:
        assert codex.ask(seat, "ready")["ok"]
    for seat in seats:
        assert codex.ask(seat, "choose-code", code="1234")["ok"]
        codex.phones[seat].hold = True


def test_a_lap_goes_on_after_a_restart_in_its_middle(
    make_table: MakeTable, codex: Phones
) -> None:  # CX-20
    agents = ("agent-2", "agent-5")
    together(codex, *agents)
    assert codex.ask("agent-2", "send", to="agent-1", facts=["role"])["ok"]
    codex.beats(5)
    seen = codex.phones["agent-2"].message["agent"]
    codex.table.switch_off()
    codex.table = make_table()
    codex.beats(14)
    again = codex.phones["agent-2"].message["agent"]
    assert again == seen  # and what was sent is sent
    assert [seat.value for seat in codex.table.view.together] == [*agents]
    assert codex.ask("agent-2", "done")["ok"]
    assert codex.ask("agent-5", "send", to="agent-1", facts=["role"])["ok"]
    assert codex.ask("agent-5", "done")["ok"]
    assert not codex.table.view.together  # the lap is over for those on phones
    assert codex.table.view.at_screen is not None


def test_what_one_agent_does_changes_nothing_on_the_phone_of_another(codex: Phones) -> None:
    together(codex, *(f"agent-{number}" for number in range(1, 7)))
    codex.beats(6)
    before = codex.phones["agent-4"].message
    for seat in ("agent-1", "agent-6"):
        assert codex.ask(seat, "send", to="agent-4", facts=["role"])["ok"]
        assert codex.ask(seat, "done")["ok"]
    codex.beats(6)
    assert codex.phones["agent-4"].message == before  # CX-18
