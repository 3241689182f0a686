"""The wire is cut at every byte of a session, either way, while hands go on at the table; and is
whole again."""

from typing import NamedTuple, get_args

import pytest
from peer import OWN_PULSES

from pi_table.devices.wire.link import Link, Standing
from pi_table.devices.wire.touches import NOTHING_READ, Touches
from pi_table.simulator.emulated import Build, EmulatedTable

SECOND = 1_000_000
RED, BLUE = (0x2A0000,) * 104, (0x00002A,) * 104
RED_PULSES, BLUE_PULSES = (0x060000,) * 104, (0x000006,) * 104
"""Pulses of the LEDs for those."""
NOTHING = frozenset[int]()
B3, C3, A1, E5 = (frozenset({place}) for place in (11, 12, 0, 24))


class Ended(NamedTuple):
    """A session that was cut, or was not."""

    before: list[frozenset[int] | None]
    """The touched places, in order, until the wire was cut; None: nothing can be read."""
    after: list[frozenset[int] | None]
    shown: list[tuple[int, ...]]
    was_cut: bool


class Session:
    """A table and a link, and a wire that carries so many bytes in all from the controller, or to
    it, and is cut then. ``None``: it is not cut."""

    def __init__(self, build: Build, from_it: int | None = None, to_it: int | None = None) -> None:
        self.table = EmulatedTable(build)
        self.link = Link()
        self.left = {"from_it": from_it, "to_it": to_it}
        self.told: list[frozenset[int] | None] = []
        self.shown: list[tuple[int, ...]] = []

    @property
    def cut(self) -> bool:
        return 0 in self.left.values()

    def run(self, seconds: float) -> None:
        """Let time pass, until the wire is cut."""
        end = self.table.now_us + round(seconds * SECOND)
        while self.table.now_us < end and not self.cut:
            now = self.table.now_us / SECOND
            self._hear(self.link.tick(now))
            self.table.write(self._carried("to_it", self.link.to_send(now)))
            self.table.run(min(self.table.now_us + 2000, end), stop_early=True)
            heard = self._carried("from_it", self.table.read())
            self._hear(self.link.receive(heard, self.table.now_us / SECOND))
            self._see()

    def away(self, seconds: float) -> None:
        """The same without a wire."""
        self._hear(self.link.on_close())
        self.table.tell("unplug")
        self.table.run(self.table.now_us + round(seconds * SECOND))
        self.table.read()
        self._see()

    def back(self) -> None:
        self.left = {"from_it": None, "to_it": None}
        self.table.tell("plug")
        self.link.on_open()

    def hand(self, place: str, down: bool) -> None:
        self.table.tell(f"shape 0 {place} 5:{20 if down else 0}")

    def _carried(self, way: str, data: bytes) -> bytes:
        left = self.left[way]
        if left is not None:
            data = data[:left]
            self.left[way] = left - len(data)
        return data

    def _hear(self, events: object) -> None:
        assert isinstance(events, list)
        for event in events:
            assert isinstance(event, Touches)
            touched = None if event == NOTHING_READ else event.touched
            if self.told[-1:] != [touched]:
                self.told.append(touched)

    def _see(self) -> None:
        self.shown += [shown.pulses for shown in self.table.new_frames()]


def play(build: Build, from_it: int | None = None, to_it: int | None = None) -> Ended:
    """B3 is touched and answered with light, then C3; while the wire is cut, E5 is touched and
    lifted, and A1 touched."""
    session = Session(build, from_it, to_it)
    session.table.run(SECOND // 2)
    session.table.read()
    session.link.on_open()
    session.run(0.06)
    for place, colours in (("B3", RED), ("C3", BLUE)):
        session.hand(place, True)
        session.run(0.06)
        session.link.show(colours)
        session.run(0.02)
        session.hand(place, False)
        session.run(0.06)
    before, was_cut = [*session.told], session.cut
    session.told.clear()
    for place in ("B3", "C3"):
        session.hand(place, False)
    session.away(0.1)
    for down in (True, False):
        session.hand("E5", down)
        session.away(0.1)
    session.hand("A1", True)
    session.away(0.4)
    before += session.told
    session.told.clear()
    session.back()
    session.run(0.6)
    assert session.link.standing is Standing.UP
    session.table.close()
    return Ended(before, [*session.told], session.shown, was_cut)


def check(ended: Ended) -> None:
    """Check a session: a beginning of the real course, then all deaf, then the present state."""
    course = [NOTHING, B3, NOTHING, C3, NOTHING]
    if ended.before:  # else it was cut before the link was up
        assert ended.before == [*course[: len(ended.before) - 1], None]
    assert ended.after == [A1]
    assert ended.shown[-1] == BLUE_PULSES
    ours = [pulses for pulses in ended.shown if pulses != OWN_PULSES]
    assert {*ours} <= {RED_PULSES, BLUE_PULSES}
    assert ours == sorted(ours, key=lambda pulses: pulses == BLUE_PULSES)


def test_a_session_that_is_not_cut_is_whole() -> None:
    ended = play("host")
    check(ended)
    assert ended.before == [NOTHING, B3, NOTHING, C3, NOTHING, None]


def cut_everywhere(build: Build, way: str, every: int) -> int:
    """Cut at each so-manieth byte; how many there were."""
    byte = 1
    while True:
        ended = play(build, **{way: byte})
        check(ended)
        if not ended.was_cut:
            return byte
        byte += every


@pytest.mark.parametrize("way", ["from_it", "to_it"])
@pytest.mark.parametrize(("build", "every"), [("host", 47), ("emulated", 397), ("pi", 97)])
def test_it_may_be_cut_at_any_byte(build: Build, way: str, every: int) -> None:
    assert cut_everywhere(build, way, every) > 150


@pytest.mark.torture
@pytest.mark.parametrize("way", ["from_it", "to_it"])
@pytest.mark.parametrize("build", get_args(Build))
def test_it_may_be_cut_at_every_byte(
    build: Build, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    count = cut_everywhere(build, way, 1)
    with capsys.disabled():
        print(f"\n{build}, {way.replace('_', ' ')}: cut at each of {count} bytes")
