"""The operator's desk, asked by those who are no operators."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

import pytest
from attacked import Attacked, join, link
from desk_table import KIND, PIN, DeskTable
from sealed_desk import DOWN, KNOCK, UP, Desk
from sealed_phone import Phone, base64url, sealed

from pi_table.protocols.ipc.sealed import MAX_DESK_BYTES

pytestmark = pytest.mark.paced


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskTable]:
    table = DeskTable(tmp_path_factory.mktemp("desk"))
    yield table
    table.close()


@pytest.fixture
def at(running: DeskTable) -> Iterator[DeskTable]:
    """The same table for all; both of its programs run on."""
    yield running
    running.table.engine.process.poll()
    assert running.console.ask("clues")["ok"] is not None
    assert running.table.engine.process.poll() is None
    assert running.table.pages.process.poll() is None
    assert "Traceback" not in running.table.engine.log.read_text()
    assert PIN not in running.table.engine.log.read_text()


def test_without_a_pin_there_is_no_desk(tmp_path: Path) -> None:
    table = Attacked(tmp_path, pages=False)
    try:
        relay, console = table.relay(), table.console()
        assert console.ask("desk")["reason"] == "no-pin"
        console.close()
        relay.close()
    finally:
        table.close()


def test_whoever_has_no_link_is_answered_with_nothing(at: DeskTable) -> None:
    at.desk()
    key = os.urandom(32)
    for body in (b"", b"x", os.urandom(40), os.urandom(2000), os.urandom(MAX_DESK_BYTES)):
        answer = at.asked(body)
        assert (answer.status, answer.body) == (200, b"")
    for use in (KNOCK, UP, DOWN):
        forged = sealed(b'{"k":"x","h":"y"}', use, key)
        assert at.asked(forged).body == b""


def test_a_question_that_is_too_long_or_of_another_kind_is_not_asked(at: DeskTable) -> None:
    assert at.asked(b"x" * (MAX_DESK_BYTES + 1)).status == 413
    for kind in ("text/plain", "application/json", "multipart/form-data", ""):
        assert at.asked(b"x" * 80, Content_Type=kind).status == 415
    assert at.asked(b"x" * 80, Content_Type=f"{KIND}; charset=x").status == 200


NEEDS_THE_PIN = (
    *("settings", "house", "rule", "doctor", "service", "pads", "games", "record", "tally"),
    *("statistics", "packs", "pack", "put", "check-pack", "save-pack", "remove-pack"),
    *("read-list", "now", "pause", "resume", "abandon"),
    *("backup", "get", "check-backup", "restore", "drop", "shutdown", "change-pin"),
)


def test_nothing_is_done_before_the_pin_was_entered(at: DeskTable) -> None:
    desk = at.desk()
    for act in NEEDS_THE_PIN:
        assert desk.why(act) == "locked", act
    for act in ("start", "look", "peek", "phone", "desk", "clue", "abandon", "", "__class__"):
        assert desk.why(act) not in (None, "unheard"), act
    assert desk.why("unlock") == "bad-pin"


def test_an_open_desk_plays_no_game_and_is_shown_no_key(at: DeskTable) -> None:
    at.begin()
    key = at.console.key
    desk = at.open_desk()
    for act in ("start", "look", "peek", "clue", "guess", "reveal", "phone", "correct"):
        assert desk.why(act, seat="red-spymaster") is not None, act
    for act in ("backup", "get", "check-backup", "restore"):
        assert desk.why(act, at=0) == "game-in-progress", act
    for act in ("now", "games", "statistics", "tally", "doctor", "settings", "state", "packs"):
        assert key not in str(desk.ask(act)), act
    number = at.console.table["game"]
    assert key not in str(desk.ask("record", game=number))
    at.console.do("abandon")


def test_a_second_device_with_the_link_is_shut_out(at: DeskTable) -> None:
    desk = at.desk()
    other = Desk("/desk#" + base64url(desk.link_key), at.post("127.0.0.6"))
    assert not other.knock()
    at.console.ask("clues")
    assert at.console.table["desk"]["tried"]
    assert desk.why("unlock", pin=PIN) is None


def test_what_was_asked_once_is_not_done_again(at: DeskTable) -> None:
    again_from_elsewhere = at.post("127.0.0.66")
    desk = at.open_desk()
    assert desk.why("house", set={"muted": True}) is None
    recorded = [*desk.sent]
    assert desk.why("house", set={"muted": False}) is None
    assert not at.muted
    for frame in (*recorded, *reversed(recorded)):
        again_from_elsewhere(frame)
    assert not at.muted
    assert desk.why("house", set={"volume": 41}) is None  # and the desk is not pushed out
    again = Desk("/desk#" + base64url(desk.link_key), at.post(), desk.device)
    assert again.knock()
    for frame in (*recorded, *desk.sent):
        again_from_elsewhere(frame)
    assert not at.muted
    assert again.why("lock") is None
    for frame in (*recorded, *again.sent):
        again_from_elsewhere(frame)
    assert again.why("settings") == "locked"


def test_a_desks_frames_are_nothing_at_a_seat_and_a_seats_nothing_at_a_desk(at: DeskTable) -> None:
    at.begin()
    socket = at.table.phones()
    phone = join(Phone(link(at.console, "red-spymaster")), socket.carry)
    desk = at.open_desk()
    for frame in (phone.knock(), phone.say(hold=True), phone.say(id=1, do={"act": "unlock"})):
        assert at.post()(frame) == b""
    lock = {"s": desk.session, "h": desk.hello, "n": desk.n + 1, "do": {"act": "lock"}}
    for use in (b"pi-table/1 up", b"pi-table/1 knock", DOWN, KNOCK, b""):
        assert at.post()(sealed(json.dumps(lock).encode(), use, desk.device)) == b""
    assert desk.why("settings") is None
    socket.close()
    at.console.do("abandon")


def test_a_new_pin_ends_every_desk(at: DeskTable) -> None:
    desk = at.open_desk()
    at.operator("set-pin", pin="9999999")
    assert desk.why("settings") in ("locked", "unheard")
    at.operator("set-pin", pin=PIN)


def test_a_flood_of_questions_of_one_device_leaves_the_desk_answered(at: DeskTable) -> None:
    desk = at.open_desk()

    def flood(number: int) -> int:
        return at.asked(os.urandom(4000), "127.0.0.66").status

    with ThreadPoolExecutor(8) as pool:
        flooding = [pool.submit(flood, number) for number in range(300)]
        began = monotonic()
        while desk.ask("settings") is None:
            assert monotonic() < began + 5.0
        assert at.console.ask("clues")["ok"] is not None
        statuses = {each.result() for each in flooding}
    assert statuses <= {200, 429, 503}  # none is refused where the machine is slower than a flood


def test_a_pin_is_not_found_at_the_desk_however_many_guess(at: DeskTable) -> None:
    desk = at.desk()
    reasons = [desk.why("unlock", pin=f"{pin:05}") for pin in range(5)]
    assert reasons == ["wrong-pin"] * 5
    assert desk.why("unlock", pin=PIN) == "unheard"  # the link is over
    assert not desk.knock()
    other = at.desk("127.0.0.6")  # with a new link, but the count goes on until the right PIN
    assert other.why("unlock", pin="00005") == "wrong-pin"
    assert not other.knock()
    at.console.ask("lock")
    assert at.console.ask("unlock", pin=PIN)[
        "ok"
    ]  # who sits at the screen waits for nobody at the desk
    third = at.desk("127.0.0.7")
    reasons = [third.why("unlock", pin=f"{pin:05}") for pin in range(4)]
    assert reasons == ["wrong-pin"] * 4
    at.console.close()
    at.table.engine.kill()
    at.table.start_engine()
    at.console = at.table.console()
    at.console.until(lambda table: table["pages"] is not None)
    again = Desk("/desk#" + base64url(third.link_key), at.post("127.0.0.7"), third.device)
    for _ in range(20):
        if again.knock():
            break
    assert again.why("unlock", pin="00004") == "wrong-pin"  # the fifth, whatever came between
    assert again.why("unlock", pin=PIN) == "unheard"
