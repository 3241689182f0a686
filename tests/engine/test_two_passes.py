"""A finger waits for the light alone: how much the table does before it, and what it leaves.

Calls of Python functions are counted, not seconds: they are the same on every machine.
"""

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from virtual_table import HOLD, HeldDisk, VirtualTable, place

from pi_table.devices.hal.contracts import HEARTBEAT, LightFrame, TouchFrame
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import Store
from pi_table.table.engine.storage.results import Result
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import Hear
from pi_table.table.engine.touches.intents import Mode

CALLS_TO_THE_ORDER = 100
"""Calls from the frame, or the end of a hold, to the order to store the guess. Most are the rules,
the intents and the queue. With one pass for everything it was 201 with a tap, 219 with a hold."""
CALLS_TO_THE_LIGHT = 10
"""Calls from `Stored` to the light of the reveal, which was drawn while the disk worked. It was 250
when it was drawn afterwards."""
WAITED_FOR_BY_NOBODY = (
    *("engine/desk_session.py", "engine/phone_sessions.py", "state/house_orders.py"),
    *("engine/counting.py", "engine/desk/line.py", "presentation/hidden_screen.py:advance"),
    *("presentation/presenter.py:news", "/language.py:written", "gettext.py:gettext"),
    "engine/phones/phones.py:seat_phones",
)
"""Work of the second pass, by the end of a file's name and a function in it."""

Made = Callable[..., VirtualTable]


class Calls:
    """The calls of Python functions that are made until something happens, by file and name."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self._counts = False

    def begin(self) -> None:
        self._counts = True
        sys.setprofile(self._look)

    def end(self) -> None:
        sys.setprofile(None)
        self._counts = False

    def _look(self, frame: FrameType, event: str, arg: object) -> None:
        if event == "call" and self._counts:
            code = frame.f_code
            self.made.append(f"{code.co_filename}:{code.co_name}")

    def for_nobody(self) -> list[str]:
        """The calls that nobody's finger waits for."""
        return [call for call in self.made if any(part in call for part in WAITED_FOR_BY_NOBODY)]


class WatchedDisk(HeldDisk):
    """A held disk that says when it is given a guess, and keeps its work apart from the table's."""

    def __init__(self, storage: Storage) -> None:
        super().__init__(storage)
        self.on_order: Callable[[], None] = lambda: None

    def give(self, order: Order, hear: Hear) -> None:
        if isinstance(order, Store):
            self.on_order()
        super().give(order, hear)

    def stored(self) -> Callable[[], None]:
        """Do what is held; return a function that tells the table."""
        order, hear = self._held.pop()
        result: Result | None = order.carry_out(self._storage)
        assert result is not None
        return lambda: hear(result)


def guessing(make_table: Made, mode: Mode) -> tuple[VirtualTable, WatchedDisk]:
    """A table in a turn's guessing, at which nothing has happened for a while."""
    table = make_table(make_workers=WatchedDisk, mode=mode)
    disk = table.workers
    assert isinstance(disk, WatchedDisk)
    table.asking("start", profile="codenames")
    disk.let_go()
    table.asking("clue", "red-spymaster", number=2)
    disk.let_go()
    table.advance(5.0)
    return table, disk


def touch(table: VirtualTable, mode: Mode) -> Callable[[], None]:
    """Touch B3; return a function that tells the table the moment by which that is a guess."""
    frame = TouchFrame(touched=frozenset({place("B3")}))
    if mode == "tap":
        return lambda: table.table.on_touch_frame(frame)
    ends = table.now + HOLD
    table.feel(frame)
    table.advance(HOLD - HEARTBEAT / 2)
    table.feel(frame)
    table.now = ends
    return table.table.on_timer


@pytest.mark.parametrize("mode", ["tap", "hold"])
def test_a_guess_goes_to_the_disk_and_its_light_out_before_all_else(
    make_table: Made, mode: Mode
) -> None:
    table, disk = guessing(make_table, mode)
    is_meant = touch(table, mode)
    calls = Calls()
    disk.on_order = calls.end
    calls.begin()
    is_meant()
    calls.end()
    assert disk.busy
    assert 0 < len(calls.made) <= CALLS_TO_THE_ORDER
    assert calls.for_nobody() == []

    tell_stored = disk.stored()
    calls = Calls()
    shown: list[LightFrame] = []
    published = len(table.public)

    def show(frame: LightFrame) -> None:
        calls.end()
        assert len(table.public) == published
        shown.append(frame)

    table.device.on_show = show
    calls.begin()
    tell_stored()
    calls.end()
    assert len(shown) == 1
    assert 0 < len(calls.made) <= CALLS_TO_THE_LIGHT
    assert calls.for_nobody() == []
    assert len(table.public) == published + 1  # the second pass was made before anything else


def test_a_light_goes_out_although_something_else_happens_at_once(table: VirtualTable) -> None:
    table.beat()  # somebody serves the pages
    assert table.ask("phone", **{"for": "red-spymaster"}).ok
    assert table.ask("peek", "red-spymaster").ok
    assert table.table.picture.standing.peeking
    table.table.on_console_left()  # its code is scanned by nobody: the disk ends the link at once
    assert not table.table.picture.standing.peeking
