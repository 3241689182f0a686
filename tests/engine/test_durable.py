"""Nothing that was accepted is shown before it is stored (ALL-2), and all goes in order."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from lit_cells import Lasting, cells_lit_as
from on_disk import view_on_disk
from virtual_table import ANSWERED, HOLD, SEEN_OUT, HeldDisk, VirtualTable

from pi_table.common.errors import StorageError
from pi_table.common.geometry import CELLS, PLACES, leds_of
from pi_table.devices.lights.light import PAUSED, WAITING
from pi_table.devices.lights.scenes import ABOUT_TO_ANSWER
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import Identity
from pi_table.lab.seeing.srgb import luminance
from pi_table.table.engine.outputs import Audience
from pi_table.table.engine.presentation.light_player import SECOND_FRAME_SECONDS
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import Settle, Store
from pi_table.table.engine.storage.results import NotStored, Result, Stored
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce, Hear
from pi_table.table.engine.touches.intents import MOVEMENT_SECONDS

MakeTable = Callable[..., VirtualTable]


def test_nothing_is_shown_before_it_is_stored(slow: VirtualTable) -> None:  # ALL-2
    published = len(slow.public)
    slow.touch("A1")
    slow.advance(HOLD + SECOND_FRAME_SECONDS)
    glow = slow.light("A1")
    slow.advance(3.0)
    assert slow.stored() == 2
    assert slow.covered == {}
    assert slow.light("A1") == glow
    assert slow.lit_as("A1") is None
    assert slow.message.public == slow.view
    assert len(slow.public) == published
    slow.let_go()
    assert slow.stored() == 3
    assert slow.covered == {"A1": "red"}
    assert len(slow.public) == published + 1
    slow.release("A1")
    slow.advance(ANSWERED)
    assert slow.lit_as("A1") is Identity.RED
    assert len(slow.public) == published + 1


def test_an_answer_is_not_given_before_its_act_is_stored(slow: VirtualTable) -> None:  # ALL-2
    answers = slow.asking("pause", "blue-operatives")
    slow.advance(3.0)
    assert answers == []
    assert not slow.view.paused
    slow.let_go()
    assert [verdict.ok for verdict in answers] == [True]
    assert slow.view.paused


def test_what_is_asked_for_while_storing_waits_its_turn(slow: VirtualTable) -> None:
    slow.hold("A1")
    answered: list[str] = []

    def ask(name: str, act: str, seat: str) -> None:
        do = {"act": act, "seat": seat}
        slow.table.ask(do, lambda verdict: answered.append(f"{name} {verdict.ok}"))

    ask("one", "stop", "red-operatives")
    ask("two", "look", "operator")
    ask("three", "stop", "red-operatives")
    ask("four", "nonsense", "operator")
    assert answered == []
    slow.let_go()
    assert answered == []
    slow.let_go()
    assert answered == ["one True", "two True", "three False", "four False"]
    assert slow.covered == {"A1": "red"}
    assert slow.view.turn is Team.BLUE


def test_what_is_looked_at_after_an_act_was_asked_for_is_seen_after_it(slow: VirtualTable) -> None:
    slow.hold("A1")
    answers = slow.asking("look", "red-operatives")
    slow.let_go()
    (verdict,) = answers
    assert verdict.told.public.cells["A1"].covered is Identity.RED


def test_two_cells_can_be_touched_one_after_another_while_the_disk_is_busy(
    make_table: MakeTable,
) -> None:
    table = make_table(mode="tap", make_workers=HeldDisk)
    table.asking("start", profile="codenames")
    table.let_go()
    table.asking("clue", "red-spymaster", number=2)
    table.let_go()
    for name in ("A1", "B1"):
        table.touch(name)
        table.release(name)
        table.advance(MOVEMENT_SECONDS)
    glow = table.light("A1")
    table.let_go()
    assert table.light("A1") != glow
    table.advance(ANSWERED)
    assert (table.lit_as("A1"), table.lit_as("B1")) == (Identity.RED, None)
    assert luminance(table.light("B1")) > 2 * luminance(table.light("C1"))  # still being stored
    table.let_go()
    assert table.covered == {"A1": "red", "B1": "red"}


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.torture)])
def test_whatever_is_shown_at_any_time_is_what_is_stored(
    make_table: MakeTable, path: Path, seed: int
) -> None:  # ALL-2
    """Hands and spymasters at random, and a disk that takes as long as it likes."""
    random = Random(seed)
    table = make_table(make_workers=HeldDisk)
    assert isinstance(table.workers, HeldDisk)
    shown = 0

    def is_stored(audience: Audience) -> None:
        nonlocal shown
        shown += 1
        at = table.time
        assert table.table.public_message().view == view_on_disk(path, at)

    lasting = Lasting((1.0, PAUSED, WAITING))

    def lights_are_stored(frame: tuple[int, ...]) -> None:
        assert table.table.game is not None or shown == 0
        if lit := lasting.take(frame, table.now):
            on_disk = view_on_disk(path, table.time)
            assert on_disk is not None
            assert lit == {name: on_disk.cells[name].covered for name in lit}

    table.publish = is_stored  # type: ignore[method-assign]
    table.device.on_show = lights_are_stored
    table.asking("start", profile="codenames", options={"timer": "clock", "clock_end": "end-turn"})
    for _ in range(100):
        table.advance(random.choice([0.0, 0.01, 0.1, 0.45, 0.6, 7.0]))
        if table.workers.busy and random.random() < 0.7:
            table.workers.let_go()
        doable = [(seat, act) for seat, acts in table.message.may.items() for act in acts]
        match random.randrange(5):
            case 0:
                table.touch(random.choice(PLACES))
            case 1:
                table.release()
            case 2 if doable:
                seat, act = random.choice(doable)
                if act != "abandon" or random.random() < 0.1:
                    fields = {"number": random.randrange(1, 4), "cell": random.choice(CELLS)}
                    table.asking(act, seat, profile="codenames", **fields)
            case _:
                table.advance(HOLD)
                table.release()
    while table.workers.busy:
        table.workers.let_go()
    assert shown > 20
    table.release()
    table.advance(SEEN_OUT)
    lit = cells_lit_as(table.device.shown, (1.0, PAUSED))
    assert {name: identity.value for name, identity in lit.items()} == table.covered
    assert table.stored() > 5


def answers_begun(make_table: MakeTable, disk: type[HeldDisk], mode: str) -> tuple[int, int]:
    """Guess A1. Return how many light frames have said that this guess is stored: before it is, and
    at the moment when it is."""
    table = make_table(make_workers=disk, mode=mode)
    table.asking("start", profile="codenames")
    table.let_go()
    table.asking("clue", "red-spymaster", number=2)
    table.let_go()
    table.lights.clear()
    table.touch("A1")
    table.advance(HOLD + 0.1)
    assert table.covered == {}
    before = [*table.lights]
    table.let_go()
    assert table.covered == {"A1": "red"}
    led = leds_of(CELLS.index("A1"))[1]
    return tuple(  # type: ignore[return-value]
        sum(frame[led] == ABOUT_TO_ANSWER for _, frame in frames)
        for frames in (before, table.lights)
    )


@pytest.mark.parametrize("mode", ["tap", "hold"])
def test_an_answer_begins_at_the_moment_when_its_guess_is_stored(
    make_table: MakeTable, mode: str
) -> None:  # ALL-2
    assert answers_begun(make_table, HeldDisk, mode) == (0, 1)


class Hasty(HeldDisk):
    """A planted fault: a disk that says that it has stored what it has not."""

    def result_of(self, order: Order) -> Result | None:
        return Stored(1)


@pytest.mark.parametrize("mode", ["tap", "hold"])
def test_an_answer_that_begins_before_its_guess_is_stored_is_found(
    make_table: MakeTable, mode: str
) -> None:
    before, _ = answers_begun(make_table, Hasty, mode)
    assert before > 0


def test_the_answer_to_a_guess_that_was_not_stored_is_not_shown_with_a_later_act(
    make_table: MakeTable,
) -> None:  # ALL-2
    table = make_table(make_workers=Refusing)
    table.start()
    table.clue(2)
    disk = table.workers
    assert isinstance(disk, Refusing)
    table.lights.clear()
    disk.refuses = True
    table.hold("A1")
    disk.refuses = False
    assert table.covered == {}
    table.do("pause", "red-operatives")
    led = leds_of(CELLS.index("A1"))[1]
    assert all(frame[led] != ABOUT_TO_ANSWER for _, frame in table.lights)


class Refusing(AtOnce):
    """A disk that is full for a while."""

    refuses = False

    def give(self, order: Order, hear: Hear) -> None:
        if self.refuses and isinstance(order, Store):
            hear(NotStored(StorageError("The disk is full."), closed=False))
        else:
            super().give(order, hear)


class Early(HeldDisk):
    """A disk that does at once what it is told, and notes what had been shown by then."""

    def __init__(self, storage: Storage) -> None:
        super().__init__(storage)
        self.shown: Callable[[], tuple[int, bool]] = lambda: (0, False)
        self.had_shown: list[tuple[int, bool]] = []

    def give(self, order: Order, hear: Hear) -> None:
        if isinstance(order, Store | Settle):
            self.had_shown.append(self.shown())
        super().give(order, hear)


def test_what_follows_on_an_act_is_stored_when_that_one_has_been_shown(
    make_table: MakeTable,
) -> None:  # ALL-2
    """Else a power cut could find two acts stored of which nothing was seen."""
    table = make_table(make_workers=Early)
    disk = table.workers
    assert isinstance(disk, Early)
    table.asking("start", profile="codenames")
    table.let_go()
    table.asking("clue", "red-spymaster", number=2)
    table.let_go()
    disk.shown = lambda: (len(table.public), bool(table.view.paused))
    table.asking("pause", "blue-operatives")
    table.asking("resume", "blue-operatives")
    published = len(table.public)
    disk.had_shown.clear()
    table.let_go()  # the pause is on the disk: it is entered in the tables, and the other stored
    assert disk.had_shown == [(published + 1, True)] * 2
    table.let_go()
    assert not table.view.paused
