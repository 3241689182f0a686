"""Phones while the disk takes its time: what waits its turn is judged when that comes, and a claim
holds from when it is kept."""

from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest
from phone import Phone
from phones_at_a_table import Phones
from virtual_table import HeldDisk, VirtualTable

from pi_table.protocols.ipc.sealed import CODE_SECONDS
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import EndLinks, KeepClaim, MakeLink
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce, Hear

MakeTable = Callable[..., VirtualTable]


class SlowLinks(AtOnce):
    """A disk that keeps no link before `work`; ``off`` is when the power goes."""

    def __init__(self, storage: Storage) -> None:
        super().__init__(storage)
        self.waiting: deque[tuple[Order, Hear]] = deque()
        self.is_slow = False

    def give(self, order: Order, hear: Hear) -> None:
        if self.is_slow and isinstance(order, MakeLink | KeepClaim | EndLinks):
            self.waiting.append((order, hear))
        else:
            super().give(order, hear)

    def work(self) -> None:
        """The disk has done all that it was asked for."""
        while self.waiting:
            super().give(*self.waiting.popleft())


@pytest.fixture
def slow(make_table: MakeTable) -> tuple[Phones, SlowLinks]:
    """Phones at a table whose links are kept slowly, and the disk."""
    table = make_table(cards="dealt", make_workers=SlowLinks)
    table.start()
    phones, workers = Phones(table), table.workers
    assert isinstance(workers, SlowLinks)
    workers.is_slow = True
    return phones, workers


def test_a_link_is_told_when_it_is_kept(slow: tuple[Phones, SlowLinks], path: Path) -> None:
    phones, disk = slow
    answers = phones.table.asking("phone", **{"for": "red-spymaster"})
    phones.beats(3)
    assert not answers
    assert not path.with_name("phones.json").exists()
    disk.work()
    assert answers[0].ok


def test_two_links_that_are_made_at_once_have_two_places(slow: tuple[Phones, SlowLinks]) -> None:
    phones, disk = slow
    for seat in ("red-spymaster", "blue-spymaster", "red-spymaster"):
        phones.table.asking("phone", **{"for": seat})
    disk.work()
    phones.beats()
    told = phones.table.message.pages.phones  # type: ignore[union-attr]
    assert [phone.seat.value for phone in told] == ["red-spymaster", "blue-spymaster"]


def test_a_phone_is_heard_when_its_claim_is_kept_and_no_other_meanwhile(
    slow: tuple[Phones, SlowLinks],
) -> None:
    phones, disk = slow
    disk.is_slow = False
    link = phones.link("red-spymaster")
    disk.is_slow = True
    first, second = Phone(link), Phone(link)
    for phone in (first, second, first, second):
        phone.hear(phones.table.beat(phone.next()))
    assert len(disk.waiting) == 1
    assert not first.session
    disk.work()
    first.hear(phones.table.beat())
    assert first.session
    assert not second.session


def test_when_the_power_goes_between_claim_and_keep_the_code_is_over(
    slow: tuple[Phones, SlowLinks], make_table: MakeTable
) -> None:
    phones, disk = slow
    disk.is_slow = False
    link = phones.link("red-spymaster")
    disk.is_slow = True
    phone = phones.phones["red-spymaster"] = Phone(link)
    phones.beats(2)
    phones.table.switch_off()  # before anything of the claim is on the disk
    phones.table = make_table(cards="dealt")
    phones.beats(12)
    assert phone.message is None
    assert phones.table.message.pages.phones == ()


def test_when_the_power_goes_after_it_was_kept_the_same_phone_has_the_seat(
    slow: tuple[Phones, SlowLinks], make_table: MakeTable
) -> None:
    phones, disk = slow
    disk.is_slow = False
    link = phones.link("red-spymaster")
    disk.is_slow = True
    first, second = Phone(link), Phone(link)
    phones.table.beat(first.next())
    disk.is_slow = False
    disk.work()
    phones.table.switch_off()  # kept, and nobody was told
    phones.table = make_table(cards="dealt")
    phones.phones = {"second": second, "first": first}
    phones.beats(12)
    assert first.message["tried"]
    assert not second.session


def test_a_link_that_is_let_go_of_while_it_is_claimed_is_gone(
    slow: tuple[Phones, SlowLinks],
) -> None:
    phones, disk = slow
    disk.is_slow = False
    phone = phones.phones["red-spymaster"] = Phone(phones.link("red-spymaster"))
    disk.is_slow = True
    phones.beats(2)
    answers = phones.table.asking("let-go", **{"for": "red-spymaster"})
    disk.work()
    assert answers[0].ok
    phones.beats(8)
    assert not phone.session


@pytest.mark.parametrize("is_held", [True, False])
def test_a_phone_whose_claim_is_kept_in_the_next_game_is_asked_for_a_finger(
    slow: tuple[Phones, SlowLinks], is_held: bool
) -> None:
    phones, disk = slow
    disk.is_slow = False
    link = phones.link("red-spymaster")
    phones.table.do("abandon")
    disk.is_slow = True
    phone = phones.phones["red-spymaster"] = Phone(link)
    phones.beats(2)
    assert [type(order) for order, _ in disk.waiting] == [KeepClaim]
    phones.table.do("next", keep_phones=True)
    disk.is_slow = False
    disk.work()
    phones.beats(3)
    assert states(phones) == ["asked"]
    phone.hold = is_held
    phones.beats(12)
    assert states(phones) == ["here" if is_held else "asked"]
    assert (phone.message["key"] is not None) is is_held
    phones.table.advance(CODE_SECONDS)
    assert states(phones) == (["away"] if is_held else [])


def states(phones: Phones) -> list[str]:
    told = phones.table.message.pages.phones  # type: ignore[union-attr]
    return [phone.state.value for phone in told]


def test_what_a_phone_asked_for_is_not_done_in_the_game_of_other_guests(
    make_table: MakeTable,
) -> None:
    table = make_table(cards="dealt", make_workers=HeldDisk)
    table.asking("start", profile="codenames")
    table.let_go()
    phones = Phones(table)
    phone = phones.join("red-spymaster")
    answers = table.asking("start", profile="codenames", ending=True)
    phone.ask("pause")
    phones.beats(2)  # the disk is at the end of the game
    table.let_go()
    table.let_go()
    assert answers[0].ok
    assert table.game.number == 2
    assert isinstance(table.workers, HeldDisk)
    assert not table.workers.busy
    assert not table.view.paused


def test_what_a_phone_asked_for_is_not_done_when_another_has_its_seat_meanwhile(
    make_table: MakeTable,
) -> None:
    table = make_table(cards="dealt", make_workers=HeldDisk)
    table.asking("start", profile="codenames")
    table.let_go()
    phones = Phones(table)
    old = phones.join("red-spymaster")
    table.asking("pause")  # the disk is at it, and what follows waits
    answers = table.asking("phone", **{"for": "red-spymaster"})
    table.asking("resume")
    old.ask("clue", number=2)
    phones.beats(6)
    table.let_go()  # the new link is there, and the disk is at the end of the pause
    new = phones.phones["red-spymaster"] = Phone(answers[0].told["link"])
    phones.beats(3)
    assert new.session
    table.let_go()
    assert isinstance(table.workers, HeldDisk)
    assert not table.workers.busy, "the clue of who has no seat any more is stored"
    assert not table.view.paused


def test_an_act_is_answered_when_it_is_stored(make_table: MakeTable) -> None:
    table = make_table(cards="dealt", make_workers=HeldDisk)
    table.asking("start", profile="codenames")
    table.let_go()
    phones = Phones(table)
    phone = phones.join("red-spymaster")
    phone.ask("clue", number=2)
    phones.beats(6)
    assert (phone.answer, table.view.clue) == (None, None)
    table.let_go()
    phones.beats(2)
    answer, clue = phone.answer, table.view.clue
    assert (answer["ok"], clue.number) == (True, 2)
