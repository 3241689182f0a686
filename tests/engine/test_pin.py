"""The operator's PIN: what it locks, what wrong ones cost, and that a restart helps nobody."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from virtual_table import VirtualTable

from pi_table.common.house_settings import GUEST_ACTS
from pi_table.table.engine.requests.acts import ACTS
from pi_table.table.engine.rights import PIN
from pi_table.table.engine.state.lock import (
    FREE_TRIES,
    MAX_WAIT_SECONDS,
    OPEN_SECONDS,
    wait_after,
)
from pi_table.table.engine.storage import pin as pins
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import SetPin, TryPin
from pi_table.table.engine.storage.pin import hash_pin, is_pin, is_right
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce, Hear
from pi_table.table.store.sealed_file import encode_sealed, read_sealed

MakeTable = Callable[..., VirtualTable]


IN_EARNEST = pins.COST
"""Cost on a real table, before the tests reduce it."""


def locked_table(make_table: MakeTable, pin: str = "4711", **options: Any) -> VirtualTable:
    table = make_table(**options)
    table.do("set-pin", pin=pin)
    table.do("lock")
    return table


def file_of(table: VirtualTable) -> Path:
    return table.path.with_name("pin.json")


def test_with_no_pin_everything_is_open(table: VirtualTable) -> None:
    assert (table.message.lock.pin, table.message.lock.open) == (False, True)
    for act in ("doctor", "packs", "correct", "abandon"):
        assert table.ask(act).reason != "locked"
    assert table.ask("unlock", pin="4711").reason == "no-pin"


def test_whoever_sets_a_pin_is_in_and_the_page_locks_itself(make_table: MakeTable) -> None:
    table = make_table()
    table.do("set-pin", pin="4711")
    assert (table.message.lock.pin, table.message.lock.open) == (True, True)
    table.advance(OPEN_SECONDS - 1.0)
    table.do("house", set={"volume": 3})  # which keeps it open
    table.advance(OPEN_SECONDS - 1.0)
    told = table.told
    assert table.message.lock.open
    table.advance(1.1)
    assert not table.message.lock.open
    assert table.told == told + 1
    assert table.ask("house", set={"volume": 4}).reason == "locked"


def test_whoever_sets_a_pin_is_in_at_whatever_screen(make_table: MakeTable) -> None:
    table = make_table()
    table.table.on_console_left()
    table.do("set-pin", pin="4711")
    assert table.message.lock.open


def test_what_is_asked_for_elsewhere_does_not_keep_the_page_open(table: VirtualTable) -> None:
    table.do("set-pin", pin="4711")
    table.advance(OPEN_SECONDS - 1.0)
    table.do("pause")
    table.ask("look")
    table.advance(1.1)
    assert not table.message.lock.open


@pytest.mark.parametrize("act", ["house", "doctor", "packs", "shutdown", "set-pin", "set-aside"])
def test_what_is_the_operators_needs_the_pin(make_table: MakeTable, act: str) -> None:
    table = locked_table(make_table)
    verdict = table.ask(act, set={}, pin="1234")
    assert (verdict.ok, verdict.reason) == (False, "locked")
    assert "PIN" in str(verdict.sentence)


def test_guests_may_play_without_the_pin(make_table: MakeTable) -> None:
    table = locked_table(make_table)
    table.start()
    for act in ("pause", "resume"):
        table.do(act)
    table.clue(1)
    table.hold("A1")
    table.do("correct")
    table.do("abandon")
    table.do("reveal")
    table.do("next")


def test_what_the_house_does_not_leave_to_guests_needs_the_pin(make_table: MakeTable) -> None:
    table = make_table()
    table.do("house", set={"guests_may": ["start"]})
    table.do("set-pin", pin="4711")
    table.do("lock")
    table.start()
    assert table.ask("new-key", "red-spymaster").reason == "locked"
    assert "new-key" not in table.message.may["red-spymaster"]
    for act in ("pause", "abandon", "record"):
        assert table.ask(act).reason == "locked", act
    table.clue(1)
    table.hold("A1")
    assert table.covered == {"A1": "red"}  # fingers are never asked for a PIN
    table.do("unlock", pin="4711")
    table.do("correct")
    table.do("abandon")
    assert {act.needs for act in ACTS} == {*GUEST_ACTS, PIN, None}


def test_the_right_pin_opens_and_leaving_the_page_locks(make_table: MakeTable) -> None:
    table = locked_table(make_table)
    assert table.ask("unlock", pin="4712").reason == "wrong-pin"
    table.do("unlock", pin="4711")
    assert table.message.lock.open
    table.do("lock")
    assert not table.message.lock.open
    table.do("unlock", pin="4711")
    table.table.on_console_left()
    assert not table.message.lock.open


class SlowHashes(AtOnce):
    """A worker that takes its time over PINs: nothing of them is done before `let_go`."""

    def __init__(self, storage: Storage) -> None:
        super().__init__(storage)
        self._held: list[tuple[Order, Hear]] = []

    def give(self, order: Order, hear: Hear) -> None:
        if isinstance(order, TryPin | SetPin):
            self._held.append((order, hear))
        else:
            super().give(order, hear)

    def let_go(self) -> None:
        super().give(*self._held.pop())


def test_a_pin_opens_nothing_for_a_screen_that_came_while_it_was_looked_at(
    make_table: MakeTable,
) -> None:
    table = make_table(make_workers=SlowHashes)
    hashes = table.workers
    assert isinstance(hashes, SlowHashes)
    table.asking("set-pin", pin="4711")
    table.table.on_console_left()
    hashes.let_go()
    assert (table.message.lock.pin, table.message.lock.open) == (True, False)
    table.asking("unlock", pin="4711")
    table.table.on_console_left()
    hashes.let_go()
    assert not table.message.lock.open
    answers = table.asking("unlock", pin="4711")
    hashes.let_go()
    assert answers[0].ok
    assert table.message.lock.open


def test_a_lock_closes_what_a_pin_is_about_to_open(make_table: MakeTable) -> None:
    table = make_table(make_workers=SlowHashes)
    hashes = table.workers
    assert isinstance(hashes, SlowHashes)
    for act in ("set-pin", "unlock"):
        answers = table.asking(act, pin="4711")
        table.do("lock")
        hashes.let_go()
        assert answers[0].ok
        assert (table.message.lock.pin, table.message.lock.open) == (True, False), act
    table.asking("unlock", pin="4711")
    hashes.let_go()
    assert table.message.lock.open
    table.asking("set-pin", pin="4712")
    table.do("lock")
    hashes.let_go()
    assert not table.message.lock.open


def test_one_pin_is_looked_at_at_a_time(make_table: MakeTable) -> None:
    table = make_table(make_workers=SlowHashes)
    hashes = table.workers
    assert isinstance(hashes, SlowHashes)
    table.asking("set-pin", pin="4711")
    hashes.let_go()
    table.do("lock")
    first = table.asking("unlock", pin="0000")
    assert table.ask("unlock", pin="4711").reason == "wait"
    assert first == []
    hashes.let_go()
    assert first[0].reason == "wrong-pin"
    table.asking("unlock", pin="4711")
    hashes.let_go()
    assert table.message.lock.open


def test_a_pin_is_changed_and_removed_by_who_knows_it(make_table: MakeTable) -> None:
    table = locked_table(make_table)
    table.do("unlock", pin="4711")
    table.do("set-pin", pin="00001")
    table.do("lock")
    assert table.ask("unlock", pin="4711").reason == "wrong-pin"
    table.do("unlock", pin="00001")
    table.do("set-pin", pin=None)
    assert not table.message.lock.pin
    table.switch_off()
    assert not make_table().message.lock.pin


@pytest.mark.parametrize("pin", ["123", "123456789", "12a4", "١٢٣٤", "", 4711, None, ["4711"]])
def test_what_is_no_pin_is_told_and_not_counted(make_table: MakeTable, pin: object) -> None:
    table = locked_table(make_table)
    assert table.ask("unlock", pin=pin).reason == "bad-pin"
    assert b"wrong" not in file_of(table).read_bytes()
    assert not is_pin(pin)


def test_ten_wrong_pins_cost_time_and_each_further_one_twice_as_much(
    make_table: MakeTable,
) -> None:
    table = locked_table(make_table)
    for _ in range(FREE_TRIES):
        assert table.ask("unlock", pin="0000").reason == "wrong-pin"
    verdict = table.ask("unlock", pin="4711")
    assert verdict.reason == "wait"
    assert "wait a while" in str(verdict.sentence)
    assert table.message.lock.wait == 30.0
    table.advance(30.0)
    assert table.ask("unlock", pin="0000").reason == "wrong-pin"
    assert table.message.lock.wait == 60.0
    table.advance(59.0)
    assert table.ask("unlock", pin="4711").reason == "wait"
    table.advance(1.0)
    table.do("unlock", pin="4711")
    table.do("lock")
    assert table.ask("unlock", pin="0000").reason == "wrong-pin"
    assert table.message.lock.wait == 0.0  # the right one began the count anew


def test_the_wait_grows_to_a_quarter_of_an_hour_and_no_further() -> None:
    waits = [wait_after(wrong) for wrong in (0, 9, 10, 11, 12, 13, 14, 15, 16, 1000, 10**9)]
    assert waits == [0.0, 0.0, 30.0, 60.0, 120.0, 240.0, 480.0, 900.0, 900.0, 900.0, 900.0]
    assert max(waits) == MAX_WAIT_SECONDS


def test_a_thousand_wrong_pins_at_once_are_told_plainly_and_nothing_is_lost(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.start()
    table.do("set-pin", pin="4711")
    table.do("lock")
    before = table.view
    reasons = [table.ask("unlock", pin=f"{number:04}").reason for number in range(1000)]
    assert reasons == ["wrong-pin"] * FREE_TRIES + ["wait"] * 990
    assert table.view == before
    table.clue(1)
    table.hold("A1")
    assert table.covered == {"A1": "red"}
    table.advance(30.0)
    table.do("unlock", pin="4711")


def test_a_restart_gives_one_try_a_minute_and_a_wrong_one_the_whole_wait(
    make_table: MakeTable,
) -> None:
    table = locked_table(make_table)
    for number in range(FREE_TRIES + 5):
        table.ask("unlock", pin="0000")
        table.advance(wait_after(number + 1))
    for _ in range(2):
        assert table.ask("unlock", pin="0000").reason == "wrong-pin"
        assert table.message.lock.wait == MAX_WAIT_SECONDS
        table.switch_off()
        table = make_table(now=5.0)
        assert table.ask("unlock", pin="4711").reason == "wait"
        assert table.message.lock.wait == 60.0
        table.advance(60.0)
    table.do("unlock", pin="4711")


def test_a_restart_begins_no_wait_that_there_was_not(make_table: MakeTable) -> None:
    table = locked_table(make_table)
    for _ in range(FREE_TRIES):
        table.ask("unlock", pin="0000")
    table.switch_off()
    assert make_table().message.lock.wait == 30.0


def test_a_try_is_on_the_disk_before_it_is_looked_at(
    make_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = locked_table(make_table)
    seen: list[bytes] = []

    def looks(pin: str, kept: pins.HashedPin) -> bool:
        seen.append(file_of(table).read_bytes())
        return is_right(pin, kept)

    monkeypatch.setattr("pi_table.table.engine.storage.house_files.is_right", looks)
    table.do("unlock", pin="4711")
    assert b'"wrong":1' in seen[0]
    assert b"wrong" not in file_of(table).read_bytes()


def test_a_pin_that_cannot_be_counted_is_not_looked_at(make_table: MakeTable) -> None:
    table = locked_table(make_table)
    file_of(table).with_name("pin.json.new").mkdir()
    for pin in ("4711", "0000"):
        assert table.ask("unlock", pin=pin).reason == "cannot-store"
    assert not table.message.lock.open
    file_of(table).with_name("pin.json.new").rmdir()
    table.do("unlock", pin="4711")


def test_a_damaged_file_is_told_and_locks(make_table: MakeTable) -> None:
    table = locked_table(make_table)
    table.switch_off()
    file_of(table).write_bytes(file_of(table).read_bytes()[:-9])
    other = make_table()
    (fault,) = other.message.faults
    assert "pin.json is damaged" in fault
    assert other.ask("house", set={}).reason == "locked"
    assert other.ask("unlock", pin="4711").reason == "wrong-pin"
    other.start()
    assert not other.table.public_message().out_of_order
    other.switch_off()
    file_of(table).unlink()
    assert not make_table().message.lock.pin


def test_more_wrong_pins_than_anybody_can_try_keep_the_owner_waiting_no_longer(
    make_table: MakeTable,
) -> None:
    table = locked_table(make_table)
    table.switch_off()
    many = encode_sealed(unsealed_pin(table).removesuffix(b"}") + b',"wrong":1000000}')
    file_of(table).write_bytes(many)
    other = make_table()
    assert other.message.faults == ()
    other.advance(MAX_WAIT_SECONDS)
    assert other.ask("unlock", pin="0000").reason == "wrong-pin"
    assert b'"wrong":1000}' in file_of(table).read_bytes()
    other.advance(MAX_WAIT_SECONDS)
    other.do("unlock", pin="4711")


def unsealed_pin(table: VirtualTable) -> bytes:
    kept = read_sealed(file_of(table))
    assert kept is not None
    return kept


def test_of_a_pin_nothing_is_kept_but_a_salted_hash_for_its_owner_alone(
    make_table: MakeTable,
) -> None:
    table = locked_table(make_table, pin="47114711")
    assert b"4711" not in file_of(table).read_bytes()
    assert file_of(table).stat().st_mode & 0o777 == 0o600
    assert hash_pin("47114711").digest != hash_pin("47114711").digest
    assert is_right("47114711", hash_pin("47114711"))
    assert "salt" not in repr(hash_pin("4711"))


def test_a_hash_takes_two_mebibytes_eight_times_over() -> None:
    assert (128 * pins.BLOCKS * IN_EARNEST, pins.ROUNDS) == (2 << 20, 8)
