"""The operator's desk: its link, its PIN, its sealed line, and what can be asked for there."""

import os
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from desk_page import PIN, DeskPage, desk_at, link_of
from known_deal import begin_codex
from phones_at_a_table import Phones
from virtual_table import VirtualTable

from pi_table import __version__
from pi_table.common.errors import InputError
from pi_table.common.house_settings import House
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.games.rules.outcome import Why
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.word_games.key import Key
from pi_table.protocols.ipc.messages import PhoneState, Presence
from pi_table.protocols.ipc.sealed import CODE_SECONDS
from pi_table.protocols.sealing import handshake
from pi_table.protocols.sealing.frames import DESK_KNOCK, DESK_UP
from pi_table.protocols.sealing.seal import NONCE_BYTES, seal
from pi_table.table.engine.desk.desk import IDLE_SECONDS, MAX_OPEN_SECONDS, MAX_WRONG_PINS
from pi_table.table.engine.desk.line import DeskRequest
from pi_table.table.engine.desk_session import DeskSession
from pi_table.table.engine.idle import ASK_SECONDS
from pi_table.table.engine.phones.links import Link, Links
from pi_table.table.engine.requests.acts import DESK, names_at
from pi_table.table.engine.requests.desk import GAME_ACTS
from pi_table.table.engine.state.lock import FREE_TRIES
from pi_table.table.engine.storage import transfer
from pi_table.table.engine.storage.desk_orders import Drop
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import TryPin
from pi_table.table.engine.storage.results import LinksKept
from pi_table.table.engine.storage.transfer import DOWN, UP
from pi_table.table.engine.storage.workers import AtOnce, Hear

MakeTable = Callable[..., VirtualTable]


@pytest.fixture
def table(make_table: MakeTable) -> VirtualTable:
    """A table at which nobody plays."""
    return make_table()


# The way in


def test_there_is_no_desk_without_a_pin(table: VirtualTable) -> None:
    table.beat()
    refused = table.ask("desk")
    assert (refused.ok, refused.reason) == (False, "no-pin")
    assert "set one first" in str(refused.sentence)


def test_there_is_no_desk_while_nobody_serves_pages(table: VirtualTable) -> None:
    table.do("set-pin", pin=PIN)
    assert table.ask("desk").reason == "no-pages"


def test_a_link_is_given_to_whoever_has_opened_the_operators_page(table: VirtualTable) -> None:
    table.beat()
    table.do("set-pin", pin=PIN)
    table.do("lock")
    assert table.ask("desk").reason == "locked"
    assert table.ask("close-desk").reason == "locked"
    table.do("unlock", pin=PIN)
    assert table.ask("desk").told["link"].startswith("/desk#")


def desk_of(table: VirtualTable) -> object:
    """Return the hidden screen's message about the desk."""
    return table.message.desk


def test_the_hidden_screen_knows_of_the_desk_and_can_end_it(table: VirtualTable) -> None:
    assert desk_of(table) is None
    link = link_of(table)
    assert table.message.desk.state is PhoneState.WAITING
    desk = DeskPage(table, link)
    assert desk.knock()
    assert (table.message.desk.state, table.message.desk.open) == (PhoneState.HERE, False)
    desk.ask("unlock", pin=PIN)
    assert table.message.desk.open
    table.do("close-desk")
    assert table.message.desk is None
    assert desk.ask("settings") is None
    assert not desk.knock()


def test_a_code_for_a_desk_ends_in_a_minute_with_the_screen_and_with_a_restart(
    make_table: MakeTable, table: VirtualTable
) -> None:
    table.beat()
    table.do("set-pin", pin=PIN)
    table.do("desk")
    table.advance(CODE_SECONDS - 0.1)
    assert desk_of(table) is not None
    table.advance(0.2)
    assert desk_of(table) is None
    table.do("unlock", pin=PIN)
    table.do("desk")
    table.table.on_console_left()
    assert desk_of(table) is None
    table.do("unlock", pin=PIN)
    table.do("desk")
    table.switch_off()
    again = make_table()
    again.beat()
    assert desk_of(again) is None


def test_a_code_for_a_desk_that_leaves_the_screen_ends_unless_it_was_scanned(
    table: VirtualTable,
) -> None:
    table.beat()
    table.do("set-pin", pin=PIN)
    table.do("desk")
    table.do("close-desk", unused=True)
    assert desk_of(table) is None
    desk_at(table)
    table.do("close-desk", unused=True)
    assert desk_of(table) is not None


def test_the_first_device_owns_the_link_and_another_one_is_told_of(table: VirtualTable) -> None:
    link = link_of(table)
    desk, thief = DeskPage(table, link), DeskPage(table, link)
    assert desk.knock()
    assert not thief.knock()
    assert table.message.desk.tried
    assert desk.ask("state")["told"]["pin"]


def test_a_new_link_closes_the_desk_that_was_open(table: VirtualTable) -> None:
    desk = desk_at(table)
    link_of(table)
    assert desk.ask("settings") is None
    assert not table.message.desk.open


def test_a_reloaded_page_is_the_same_desk_and_it_is_open_still(table: VirtualTable) -> None:
    desk = desk_at(table)
    again = DeskPage(table, desk.link, desk.device)
    assert again.knock()
    assert again.ask("settings")["ok"]


def test_after_a_restart_the_link_holds_and_the_pin_is_asked_for_again(
    make_table: MakeTable, path: Path
) -> None:
    first = make_table()
    desk = desk_at(first)
    first.switch_off()
    second = make_table()
    desk.table = second
    assert desk.ask("settings")["anew"]
    assert desk.knock()
    assert desk.ask("settings")["reason"] == "locked"
    assert desk.ask("unlock", pin=PIN)["ok"]
    assert path.parent.joinpath("phones.json").stat().st_mode & 0o777 == 0o600


# Replay


def test_nothing_that_was_heard_is_done_again(table: VirtualTable) -> None:
    desk = desk_at(table)
    assert desk.ask("house", set={"volume": 10})["ok"]
    frame = desk.frames[-1]
    assert desk.ask("house", set={"volume": 90})["ok"]
    assert table.desk_called(frame) == b""
    assert table.message.house.volume == 90


def test_who_asks_the_same_again_is_given_the_same_answer(table: VirtualTable) -> None:
    desk = desk_at(table)
    first = desk.ask("house", set={"volume": 10})
    table.do("house", set={"volume": 50})
    assert desk.read(table.desk_called(desk.frames[-1])) == first
    assert table.message.house.volume == 50


def test_a_knock_that_was_heard_is_not_heard_again(table: VirtualTable) -> None:
    link = link_of(table)
    desk = DeskPage(table, link)
    assert desk.knock()
    knock = desk.frames[-1]
    assert desk.ask("unlock", pin=PIN)["ok"]
    assert table.desk_called(knock) == b""
    assert desk.ask("settings")["ok"]


def test_a_desk_that_never_stops_saying_hello_needs_a_new_link(
    table: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handshake, "MAX_HELLOS", 3)
    desk = DeskPage(table, link_of(table))
    assert [desk.knock() for _ in range(5)] == [True, True, True, False, False]


def test_what_was_asked_under_another_hello_is_told_to_knock_anew(table: VirtualTable) -> None:
    desk = desk_at(table)
    old = DeskPage(table, desk.link, desk.device)
    old.session, old.hello = desk.session, desk.hello
    assert desk.knock()
    answer = old.ask("house", set={"volume": 10})
    # It names the question, so that nobody can give it for the answer to another.
    assert (answer["anew"], answer["h"], answer["n"]) == (True, old.hello, old.count)
    assert table.message.house.volume != 10


@pytest.mark.parametrize("act", ["A. " * 12_000, "a: " * 12_000, "a\n" * 12_000, "sett1ngs", 7])
def test_whoever_has_only_the_link_is_told_no_more_than_that_the_desk_is_locked(
    table: VirtualTable, act: Any
) -> None:
    desk = DeskPage(table, link_of(table))
    assert desk.knock()
    answer = desk.ask(act, lang="it")
    assert (answer["reason"], answer["told"]) == ("locked", None)
    desk.ask("unlock", pin=PIN)
    assert "no act" in desk.ask(act)["sentence"]


@pytest.mark.parametrize("length", [0, 1, 40, 5000])
def test_what_nobody_can_open_is_answered_with_nothing(table: VirtualTable, length: int) -> None:
    frame = os.urandom(length)
    desk_at(table)
    assert table.desk_called(frame) == b""


def test_rubbish_that_the_right_device_sealed_harms_nobody(table: VirtualTable) -> None:
    desk = desk_at(table)
    rubbish: list[Any] = [[], 7, {"s": 1}, {"k": "x", "h": "y"}]
    for said in (*rubbish, {"s": desk.session, "h": "", "n": -1}):
        assert desk.send(said, DESK_UP, desk.device) is None
        assert desk.send(said, DESK_KNOCK, desk.link) is None
    for act in (None, 7, ["house"], "start", "guess", "look", "peek", "clue", ""):
        assert not desk.ask(act)["ok"]  # type: ignore[arg-type]
    assert desk.ask("settings")["ok"]


def test_an_answer_that_takes_long_is_waited_for_and_done_once(
    make_table: MakeTable, path: Path
) -> None:
    table = make_table(make_workers=SlowPin)
    desk = DeskPage(table, link_of(table))
    desk.knock()
    said = {"s": desk.session, "h": desk.hello, "n": 1, "do": {"act": "unlock", "pin": PIN}}
    frame = seal(msgspec.json.encode(said), DESK_UP, os.urandom(NONCE_BYTES), desk.device)
    replies: list[bytes] = []
    for _ in range(2):
        table.table.on_desk_call(frame, os.urandom(NONCE_BYTES), replies.append)
    assert [desk.read(reply)["wait"] for reply in replies] == [True]
    assert isinstance(table.workers, SlowPin)
    table.workers.go()
    assert [desk.read(reply)["ok"] for reply in replies[1:]] == [True]
    assert table.message.desk.open


class SlowPin(AtOnce):
    """A disk that takes its time over PINs."""

    def give(self, order: Order, hear: Hear) -> None:
        if isinstance(order, TryPin):
            self.waits = order, hear
        else:
            super().give(order, hear)

    def go(self) -> None:
        """The PIN is counted and looked at."""
        super().give(*self.waits)


# The PIN, and the session


def test_nothing_but_the_pin_can_be_asked_for_before_it(table: VirtualTable) -> None:
    desk = DeskPage(table, link_of(table))
    desk.knock()
    for act in names_at(DESK):
        if act not in ("state", "unlock"):
            answer = desk.ask(act, pin=PIN, new="1234", what="text", at=0, piece="")
            assert (answer["ok"], answer["reason"], answer["open"]) == (False, "locked", False), act


def test_a_session_ends_by_itself_when_nobody_asks_for_anything(table: VirtualTable) -> None:
    desk = desk_at(table)
    table.advance(IDLE_SECONDS - 1)
    assert desk.ask("settings")["ok"]
    table.advance(IDLE_SECONDS - 1)
    assert desk.ask("state")["open"]  # which keeps nothing open
    table.advance(2)
    assert desk.ask("settings")["reason"] == "locked"
    assert not table.message.desk.open


def test_a_session_ends_at_the_latest_after_a_working_day(table: VirtualTable) -> None:
    desk = desk_at(table)
    for _ in range(int(MAX_OPEN_SECONDS / 600)):
        assert desk.ask("settings")["ok"]
        table.now += 600  # without the frames of its lights, which are some hundred thousand
    assert desk.ask("settings")["reason"] == "locked"


def test_who_locks_the_desk_enters_the_pin_again(table: VirtualTable) -> None:
    desk = desk_at(table)
    assert desk.ask("lock")["open"] is False
    assert desk.ask("house", set={"volume": 10})["reason"] == "locked"
    assert desk.ask("unlock", pin=PIN)["open"]


def test_a_guest_who_tries_pins_at_the_screen_keeps_nobody_out_of_the_desk(
    table: VirtualTable,
) -> None:
    desk = DeskPage(table, link_of(table))
    desk.knock()
    table.do("lock")
    for _ in range(FREE_TRIES):
        table.ask("unlock", pin="0000")
    assert table.ask("unlock", pin=PIN).reason == "wait"
    answer = desk.ask("unlock", pin="0000")
    assert (answer["reason"], answer["sentence"]) == ("wrong-pin", "That is not the PIN.")
    assert table.message.lock.wait > 0.0
    assert desk.ask("unlock", pin=PIN)["ok"]
    assert table.message.lock.wait == 0.0  # whoever knows the PIN ends the wait for all
    assert not table.message.lock.open
    table.do("unlock", pin=PIN)


def test_wrong_pins_at_the_desk_keep_nobody_out_of_the_screen(table: VirtualTable) -> None:
    desk = DeskPage(table, link_of(table))
    desk.knock()
    table.do("lock")
    for _ in range(FREE_TRIES - 1):
        table.ask("unlock", pin="0000")
    for _ in range(MAX_WRONG_PINS):
        desk.ask("unlock", pin="0000")
    table.do("unlock", pin=PIN)


def test_a_restart_gives_the_desk_no_more_tries(make_table: MakeTable) -> None:
    table = make_table()
    desk = DeskPage(table, link_of(table))
    desk.knock()
    for _ in range(MAX_WRONG_PINS - 1):
        desk.ask("unlock", pin="0000")
    table.switch_off()
    table = make_table()
    desk.table = table
    desk.knock()
    assert "link" in desk.ask("unlock", pin="0000")["sentence"]
    assert not desk.knock()


def test_five_wrong_pins_at_one_desk_end_its_link(table: VirtualTable) -> None:
    desk = DeskPage(table, link_of(table))
    desk.knock()
    for _ in range(MAX_WRONG_PINS):
        answer = desk.ask("unlock", pin="0000")
        assert answer["reason"] == "wrong-pin"
    assert "link" in answer["sentence"]
    assert desk.ask("unlock", pin=PIN) is None
    assert not desk.knock()
    assert table.message.desk is None
    assert desk_at(table).ask("settings")["ok"]


def test_the_right_pin_begins_the_count_of_wrong_ones_anew(table: VirtualTable) -> None:
    desk = desk_at(table)
    for _ in range(3):
        for _ in range(MAX_WRONG_PINS - 1):
            desk.ask("unlock", pin="0000")
        assert desk.ask("unlock", pin=PIN)["ok"]


def test_a_wrong_pin_at_an_open_desk_locks_it(table: VirtualTable) -> None:
    desk = desk_at(table)
    desk.ask("unlock", pin="0000")
    assert desk.ask("settings")["reason"] == "locked"


def test_the_pin_is_changed_by_whoever_knows_it_and_everybody_enters_the_new_one(
    table: VirtualTable,
) -> None:
    desk = desk_at(table)
    assert table.message.lock.open
    assert desk.ask("change-pin", pin="0000", new="1234")["reason"] == "wrong-pin"
    desk.ask("unlock", pin=PIN)
    assert desk.ask("change-pin", pin=PIN, new="123")["reason"] == "bad-pin"
    assert desk.ask("change-pin", pin=PIN, new="123456")["ok"]
    assert desk.ask("settings")["reason"] == "locked"
    assert not table.message.lock.open
    assert desk.ask("unlock", pin=PIN)["reason"] == "wrong-pin"
    assert desk.ask("unlock", pin="123456")["ok"]


def test_a_pin_that_is_changed_or_taken_away_on_the_screen_closes_the_desk(
    table: VirtualTable,
) -> None:
    desk = desk_at(table)
    table.do("set-pin", pin="1234")
    assert desk.ask("settings")["reason"] == "locked"
    assert desk.ask("unlock", pin="1234")["ok"]
    table.do("set-pin", pin=None)
    assert desk.ask("settings") is None
    assert table.message.desk is None


def test_what_is_done_at_the_desk_opens_nothing_on_the_hidden_screen(table: VirtualTable) -> None:
    link = link_of(table)
    table.do("lock")
    desk = DeskPage(table, link)
    desk.knock()
    assert desk.ask("unlock", pin=PIN)["ok"]
    assert desk.ask("house", set={"volume": 10})["ok"]
    assert not table.message.lock.open
    assert table.ask("house", set={"volume": 20}).reason == "locked"


# Settings


def test_a_setting_is_in_force_at_once_and_kept(make_table: MakeTable) -> None:
    table = make_table()
    desk = desk_at(table)
    assert desk.ask("house", set={"brightness": 40})["ok"]
    assert table.message.house.brightness == 40
    table.switch_off()
    assert make_table().message.house.brightness == 40


def test_every_setting_of_the_house_is_on_the_desk(table: VirtualTable) -> None:
    groups = desk_at(table).ask("settings")["told"]
    fields = {line["field"] for group in groups if not group["profile"] for line in group["lines"]}
    assert fields == {*House.__struct_fields__} - {"rules"}


def test_settings_are_told_in_the_language_of_whoever_asks(table: VirtualTable) -> None:
    desk = desk_at(table)
    labels = {
        lang: [line["label"] for line in desk.ask("settings", lang=lang)["told"][0]["lines"]]
        for lang in ("en", "it")
    }
    lines = [line for group in desk.ask("settings")["told"] for line in group["lines"]]
    assert [line["schedule"] for line in lines if line["schedule"]] == [
        "Dimmed hours",
        "Quiet hours",
    ]
    assert labels["en"][0] == "Brightness"
    assert labels["it"][0] == "Luminosità"
    assert not any("{" in label for each in labels.values() for label in each)


@pytest.mark.parametrize(
    "settings",
    [{}, None, {"volume": 10, "brightness": 10}, {"volume": 101}, {"nothing": 1}, {"volume": "x"}],
)
def test_a_value_that_cannot_be_is_refused_with_a_sentence(
    table: VirtualTable, settings: object
) -> None:
    desk, before = desk_at(table), table.message.house
    answer = desk.ask("house", set=settings)
    assert not answer["ok"]
    assert answer["sentence"]
    assert table.message.house == before


def test_a_house_rule_is_kept_and_taken_away_again(table: VirtualTable) -> None:
    desk = desk_at(table)
    assert desk.ask("rule", profile="codenames", setting="zero", value=True)["ok"]
    assert table.message.house.rules["codenames"] == {"zero": True}
    assert desk.ask("rule", profile="codenames", setting="zero", value=False)["ok"]
    assert table.message.house.rules["codenames"] == {}
    for setting, value in (("zero", "x"), ("nuke", "mad"), ("lang", 7), (None, None)):
        assert not desk.ask("rule", profile="codenames", setting=setting, value=value)["ok"]


# The health of the table


def test_the_pads_are_tried_and_their_readings_told(table: VirtualTable) -> None:
    desk = desk_at(table)
    assert desk.ask("pads")["reason"] == "no-service"
    assert desk.ask("service")["ok"]
    assert table.measured[-1] == (True, True)
    table.touch("B2")
    table.advance(1)
    pads = desk.ask("pads")["told"]
    assert pads["names"][6] == "B2"
    assert pads["touched"] == [6]
    assert len(pads["deltas"]) == 31
    assert desk.ask("leave-service")["ok"]
    assert table.measured[-1] == (False, False)


def test_the_pads_are_not_tried_while_a_game_is_under_way(table: VirtualTable) -> None:
    desk = desk_at(table)
    table.start()
    answer = desk.ask("service", lang="it")
    assert answer["reason"] == "game-in-progress"
    assert answer["sentence"] != table.ask("service").sentence  # it is Italian


def test_service_ends_with_the_desk_and_no_game_begins_meanwhile(table: VirtualTable) -> None:
    desk = desk_at(table)
    desk.ask("service")
    assert table.ask("start", profile="codenames").reason == "in-service"
    desk.ask("lock")
    assert table.ask("start", profile="codenames").ok


def test_the_doctor_tells_what_was_counted_and_what_it_means(table: VirtualTable) -> None:
    told = desk_at(table).ask("doctor")["told"]
    assert told["can_store"]
    assert told["faults"] == []
    assert all(count["label"] and count["meaning"] for count in told["counts"])


def test_what_switches_the_machine_off_is_asked_for(table: VirtualTable) -> None:
    answer = desk_at(table).ask("shutdown")
    assert not answer["ok"]
    assert "switch_off" in answer["sentence"]


# Games


def test_finished_games_are_told_and_the_one_that_is_played_is_not(table: VirtualTable) -> None:
    desk = desk_at(table)
    table.start()
    table.clue(1)
    table.hold("E5")  # the assassin
    table.do("next")
    (game,) = desk.ask("games")["told"]
    assert (game["number"], game["title"]) == (1, "The classic game")
    lines = desk.ask("record", game=1, lang="it")["told"]["lines"]
    assert "La chiave" in str(lines)
    refused = desk.ask("record", game=2)
    assert (refused["ok"], refused["told"]) == (False, None)
    assert desk.ask("statistics")["told"]["statistics"]["games"] == 1
    assert desk.ask("tally")["told"]["won"][0]["blue"] == 1


def test_no_act_of_the_desk_plays_or_tells_of_a_key(table: VirtualTable) -> None:
    desk = desk_at(table)
    table.start()
    before = table.game.state
    for act in sorted(names_at(DESK), key=GAME_ACTS.__contains__):
        answer = desk.ask(act, pin=PIN, new=PIN, what="text", at=0, piece="", game=1, name="x")
        assert act in GAME_ACTS or table.game.state is before
        assert "rrrrrrrrr" not in str(answer), act
        desk.ask("unlock", pin=PIN)
    assert table.game.board.outcome is not None


# The present state


def test_the_desk_shows_the_game_in_play_and_pauses_and_ends_it(table: VirtualTable) -> None:
    desk = desk_at(table)
    told = desk.ask("now")["told"]
    assert (told["game"], told["minutes"], told["may"]) == (None, None, [])
    assert told["status"].startswith("No game has begun")
    assert desk.ask("pause")["reason"] == "no-game"
    table.start()
    Phones(table).join("red-spymaster")
    table.advance(125)
    told = desk.ask("now", lang="it")["told"]
    assert (told["game"], told["minutes"]) == ("Il gioco classico", 2)
    assert told["status"].startswith("I Rossi aspettano l’indizio")
    assert told["phones"] == [{"seat": "red-spymaster", "nickname": None}]
    assert told["may"] == ["pause", "abandon"]
    assert desk.ask("pause", seat="blue-spymaster")["ok"]
    told = desk.ask("now")["told"]
    assert (told["status"].split("  ")[0], told["may"]) == ("A pause", ["resume", "abandon"])
    assert desk.ask("resume")["ok"]
    assert desk.ask("abandon")["told"] is None
    assert table.game.board.outcome.why is Why.STOPPED
    desk.ask("unlock", pin=PIN)
    told = desk.ask("now")["told"]
    assert (told["game"], told["minutes"], told["may"]) == (None, None, [])


def test_a_game_that_the_desk_resumes_on_a_sleeping_table_goes_on(make_table: MakeTable) -> None:
    table = make_table(house=House(idle_minutes=10), frames_per_second=2)
    table.start(timer="clock", clue_seconds=3000, clock_end="end-turn")
    desk = desk_at(table)
    table.advance(600.0 + ASK_SECONDS)
    assert (table.message.idle, table.view.paused) == (Presence.IDLE, True)
    assert desk.ask("unlock", pin=PIN)["ok"]
    assert desk.ask("now")["told"]["may"] == ["resume", "abandon"]
    assert table.message.idle is Presence.IDLE  # a desk proves nobody at the table
    assert desk.ask("resume")["ok"]
    table.advance(16.0)
    assert (table.message.idle, table.view.paused) == (Presence.PLAYING, False)
    assert not desk.ask("resume")["ok"]
    table.advance(580.0)
    assert desk.ask("state")["ok"]
    table.advance(4.0)
    assert table.message.idle is Presence.ASKED  # a refused act does not keep the table awake


def test_the_desk_shows_sound_faults_and_machine(table: VirtualTable) -> None:
    desk = desk_at(table)
    hours = {"quiet_from": "22:00", "quiet_until": "08:00"}
    table.do("house", set={"volume": 30, "muted": True, **hours})
    table.table.on_time_of_day("23:00")
    table.table.on_sound_fault("The loudspeaker is gone.")
    told = desk.ask("now")["told"]
    assert (told["volume"], told["muted"], told["quiet"], told["wet"]) == (30, True, True, False)
    assert (told["faults"], told["version"]) == (["The loudspeaker is gone."], __version__)
    assert told["uptime"] > 0
    assert "temperature" in told
    table.table.on_time_of_day("08:00")
    table.table.on_touch_frame(TouchFrame(blocked=True))
    told = desk.ask("now")["told"]
    assert (told["quiet"], told["wet"]) == (False, True)


def test_the_desk_names_the_agents_who_have_phones(table: VirtualTable) -> None:
    desk = desk_at(table)
    begin_codex(table, screens="phones")
    Phones(table).join("agent-2")
    (phone,) = desk.ask("now")["told"]["phones"]
    assert phone == {"seat": "agent-2", "nickname": table.game.board.agents[1].nickname}


def test_what_the_desk_shows_of_a_game_does_not_depend_on_hidden_cells(
    make_table: MakeTable, tmp_path: Path
) -> None:  # ALL-1
    def seen(key: str) -> list[object]:
        """Return all that a desk shows at each step of a game in which only A1 is uncovered."""
        table = make_table(tmp_path / key, keys=[Key.read(key)])
        desk = desk_at(table)
        told = []
        for step in (
            table.start,
            lambda: table.clue(2),
            lambda: table.hold("A1"),
            lambda: desk.ask("pause"),
            lambda: desk.ask("resume"),
            lambda: desk.ask("abandon"),
        ):
            step()
            now = desk.ask("now")["told"]
            told.append(now | {"uptime": None, "temperature": None})
        return told

    here, there = seen("rrrrrrrrrbbbbbbbbnnnnnnna"), seen("rbbbbbbbbrrrrrrrrnnnannnn")
    assert "red 8" in str(here[2])
    assert here == there


# Backups


class Held(msgspec.Struct):
    games: int
    size: int


class MadeUpBackups:
    """Backups without a table: a file with a word in it."""

    def __init__(self) -> None:
        self.restored: list[bytes] = []

    def make(self, target: Path) -> Any:
        target.write_bytes(b"backup" * 10_000)
        return self.check(target)

    def check(self, file: Path) -> Any:
        if not file.exists() or not file.read_bytes().startswith(b"backup"):
            raise InputError("That is no backup.")
        return Held(3, file.stat().st_size)

    def restore(self, file: Path) -> None:
        self.check(file)
        self.restored.append(file.read_bytes())

    def forget(self, target: Path) -> None:
        pass


def test_a_backup_comes_in_pieces_and_nothing_of_it_is_left(
    make_table: MakeTable, path: Path
) -> None:
    table = make_table(backups=MadeUpBackups())
    desk = desk_at(table)
    size = desk.ask("backup")["told"]["size"]
    whole = b""
    while len(whole) < size:
        whole += b64decode(desk.ask("get", at=len(whole))["told"])
    assert whole == b"backup" * 10_000
    assert (path.parent / DOWN).exists()
    desk.ask("lock")
    assert not (path.parent / DOWN).exists()


def test_no_backup_is_made_or_read_while_a_game_is_under_way(
    make_table: MakeTable, path: Path
) -> None:
    table = make_table(backups=MadeUpBackups())
    desk = desk_at(table)
    assert desk.ask("backup")["ok"]
    table.start()
    for act in ("backup", "check-backup", "restore"):
        assert desk.ask(act)["reason"] == "game-in-progress"
    assert desk.ask("get", at=0)["reason"] == "game-in-progress"
    assert desk.ask("put", what="backup", at=0, piece="")["reason"] == "game-in-progress"


def test_an_upload_that_was_cut_off_is_gone_with_the_desk_and_with_a_start(
    make_table: MakeTable, path: Path
) -> None:
    table = make_table(backups=MadeUpBackups())
    desk = desk_at(table)
    desk.put("backup", b"backup" * 10_000)
    assert (path.parent / UP).stat().st_mode & 0o777 == 0o600
    table.advance(IDLE_SECONDS + 1)
    assert not (path.parent / UP).exists()
    desk.ask("unlock", pin=PIN)
    desk.put("backup", b"backup")
    table.switch_off()
    make_table()
    assert not (path.parent / UP).exists()


def test_an_upload_leaves_room_on_the_disk(
    make_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_at(make_table(backups=MadeUpBackups()))
    monkeypatch.setattr(transfer, "SPARE_BYTES", 1 << 62)
    answer = desk.ask("put", what="backup", at=0, piece="eHg=")
    assert answer["sentence"] == "There is no room left on the table’s disk: free some."


def test_pieces_come_in_their_order_and_no_longer_than_they_may_be(table: VirtualTable) -> None:
    desk = desk_at(table)
    desk.put("text", b"x" * 100)
    for at in (0, 99, 101):
        answer = desk.ask("put", what="text", at=at, piece="eHg=")
        assert answer["ok"] is (at == 0)
    for piece in ("?", 7, "e" * 40_000):
        assert not desk.ask("put", what="text", at=0, piece=piece)["ok"]
    for no_place in (-1, 1.5, True, None, 1 << 60):
        assert not desk.ask("put", what="text", at=no_place, piece="")["ok"]


def test_after_a_restore_the_table_ends_and_nothing_is_done_before(
    make_table: MakeTable, path: Path
) -> None:
    backups = MadeUpBackups()
    table = make_table(backups=backups)
    desk = desk_at(table)
    desk.put("backup", b"no backup")
    assert desk.ask("restore")["sentence"] == "That is no backup."
    assert table.ended == 0
    table.start()  # the table goes on
    table.do("abandon")
    desk.put("backup", b"backup 2")
    assert desk.ask("check-backup")["told"]["size"] == 8
    assert desk.ask("restore")["ok"]
    assert backups.restored == [b"backup 2"]
    assert table.ended == 1
    assert table.ask("start", profile="codenames").reason == "restoring"
    assert desk.ask("settings")["reason"] == "restoring"


def test_while_a_backup_is_restored_nothing_else_ends_that_and_its_file_stays() -> None:
    """Another storage job may fail, and the desk may lock itself or change its link."""
    reception = DeskSession(b"session", None)
    reception.set_service(None)
    restore, other = (DeskRequest(1, b"hello", number, "en") for number in (1, 2))
    reception.on_pin_check(other, True, 0, 0.0)
    assert reception.desk.is_open
    reception.note_restore(restore)
    for failed in (other, None):
        reception.on_failure(failed)
        assert reception.desk.restoring == restore
    reception.advance(IDLE_SECONDS)
    assert not reception.desk.is_open
    assert Drop(None) not in reception.take_outputs()
    link = Link(Seat.OPERATOR, b"k" * 32)
    reception.on_links_result(LinksKept(None, Links(desk=link)), IDLE_SECONDS)
    assert (reception.desk.link, reception.desk.restoring) == (2, restore)
    reception.on_failure(restore)
    assert reception.desk.restoring is None
    reception.on_pin_check(DeskRequest(2, b"hello", 1, "en"), True, 0, IDLE_SECONDS)
    reception.lock()
    assert Drop(None) in reception.take_outputs()
