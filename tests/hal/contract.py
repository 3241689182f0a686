"""The contract of `TouchGrid` and `Lights`: one suite that every driver must pass.

A driver joins by a class in a `test_contract*.py` whose fixture ``rig`` gives a `Rig`: the device,
fingers for it (the world's side), and eyes on its lights (the witness's). Nothing here knows which
driver it has, and nothing sleeps: `Rig.until` serves the device until something is so.
"""

from collections.abc import Callable
from itertools import groupby, pairwise
from statistics import median
from typing import Protocol

from msgspec.structs import replace

from pi_table.common.geometry import LED_COUNT, PLACE_COUNT
from pi_table.devices.hal.contracts import (
    HEARTBEAT,
    LightFrame,
    Lights,
    Readings,
    TouchFrame,
    TouchGrid,
)

DARK: LightFrame = (0,) * LED_COUNT
MANY = 5000
"""More frames than any buffer holds."""
MANY_AGAIN = 20
PADS = PLACE_COUNT + 4
"""The places, and the strips of the rim."""


class Rig(Protocol):
    """A device on the bench. Fingers and eyes are not the driver's: they are on its other end."""

    touch: TouchGrid
    lights: Lights
    seen: list[LightFrame]
    """Every frame that the device was told to show and the witness saw, the newest last."""

    def sees(self, frame: LightFrame) -> LightFrame:
        """Return the witness's view of the device when it shows this frame."""

    def fails_with(self, place: int) -> set[int]:
        """All the places that cannot be read when this one cannot."""

    def finger(self, *places: int) -> None:
        """Put fingers on these places, one after another."""

    def lift(self, *places: int) -> None:
        """Lift the fingers from these places, one after another."""

    def fail(self, *places: int) -> None:
        """Let these places be unreadable, and those that fail with them, one after another."""

    def disturb(self, *places: int) -> None:
        """Let noise come through the fingers that lie on these places, and on no others."""

    def mend(self) -> None:
        """Let every place be readable again, and quiet."""

    def look(self, yes: bool) -> None:
        """Let the witness look, or not. Until it looks, nothing is read from the device."""

    def until(self, condition: Callable[[], bool]) -> None:
        """Serve the device until the condition holds; fail if it never does."""

    def serve(self) -> None:
        """Serve the device a while."""

    def time(self) -> float:
        """The device's own clock, in seconds: by it, it reads its grid."""


class Grid:
    """The frames that a touch grid reported."""

    def __init__(self, rig: Rig) -> None:
        self.frames: list[TouchFrame] = []
        self.told_at: list[float] = []
        """When each of the frames was told, by the device's own clock."""
        self._rig = rig
        rig.touch.start(self._told)

    def _told(self, frame: TouchFrame) -> None:
        self.frames.append(frame)
        self.told_at.append(self._rig.time())

    def until(self, touched: set[int], deaf: set[int] | None = None) -> None:
        """Wait for the newest frame to tell this."""
        self._rig.until(lambda: self.changes[-1:] == [(touched, deaf or set())])

    @property
    def changes(self) -> list[tuple[set[int], set[int]]]:
        """The frames that differ from the one before: touched, deaf."""
        found: list[tuple[set[int], set[int]]] = []
        for frame in self.frames:
            change = {*frame.touched}, {*frame.deaf}
            if not found or found[-1] != change:
                found.append(change)
        return found


def felt(readings: Readings) -> set[int]:
    """The pads whose load is that of a touch."""
    loads = zip(readings.deltas, readings.thresholds, strict=True)
    return {pad for pad, (load, least) in enumerate(loads) if load is not None and load >= least}


def is_part_of(some: list[set[int]], every: list[set[int]]) -> bool:
    """True if the first list is the second one without some of its items, in the same order."""
    left = iter(every)
    return all(each in left for each in some)


class TouchContract:
    """The contract of every touch grid."""

    may_stand_still = False
    """True if this machine may keep the device from looking at its places. What it did not look at
    for too long may have been lifted, and so is told as lifted and touched again."""

    def test_the_first_frame_comes_without_a_touch(self, rig: Rig) -> None:
        grid = Grid(rig)
        grid.until(set())
        assert grid.changes == [(set(), set())]

    def test_fingers_that_were_there_first_are_in_the_frames(self, rig: Rig) -> None:
        rig.finger(7)
        grid = Grid(rig)
        grid.until({7})

    def test_every_change_is_reported_as_a_whole_frame_in_order(self, rig: Rig) -> None:
        grid = Grid(rig)
        grid.until(set())
        rig.finger(3, 4)
        grid.until({3, 4})
        rig.lift(3)
        rig.finger(24)
        grid.until({4, 24})
        rig.lift(24, 4)
        grid.until(set())
        rig.finger(3)
        grid.until({3})
        # Where a busy machine is late, what was touched is deaf for a moment; it misses nothing.
        read = [touched for touched, deaf in grid.changes if not deaf]
        if self.may_stand_still:
            read = [
                touched
                for before, touched, after in zip(read, read[1:], [*read[2:], None], strict=False)
                if touched or before != after
            ]
            read.insert(0, set())
        told = [touched for touched, _ in groupby(read)]
        every = [set[int](), {3}, {3, 4}, {4}, {4, 24}, {4}, set[int](), {3}]
        if self.may_stand_still:  # then two fingers, or two lifts, of one moment are told at once
            assert is_part_of([set(), {3, 4}, {4, 24}, set(), {3}], told)
            assert is_part_of(told, every)
        else:
            assert told == every

    def test_every_place_is_felt_as_itself(self, rig: Rig) -> None:
        grid = Grid(rig)
        for place in range(PLACE_COUNT):
            rig.finger(place)
            grid.until({place})
            rig.lift(place)
            grid.until(set())

    def test_all_places_can_be_touched_at_once(self, rig: Rig) -> None:
        grid = Grid(rig)
        rig.finger(*range(PLACE_COUNT))
        grid.until({*range(PLACE_COUNT)})

    def test_a_place_that_cannot_be_read_is_never_among_the_touched(self, rig: Rig) -> None:
        grid = Grid(rig)
        rig.finger(5, 24)
        grid.until({5, 24})
        rig.fail(5)
        deaf = rig.fails_with(5)
        grid.until({24}, deaf)
        rig.lift(5)
        rig.finger(5)
        rig.lift(24)
        grid.until(set(), deaf)
        assert all(not frame.touched & frame.deaf for frame in grid.frames)

    def test_a_place_that_can_be_read_again_is_felt_again(self, rig: Rig) -> None:
        grid = Grid(rig)
        rig.fail(5)
        grid.until(set(), rig.fails_with(5))
        rig.mend()
        grid.until(set())
        rig.finger(5)
        grid.until({5})

    def test_noise_is_told_of_its_places_until_they_are_quiet(self, rig: Rig) -> None:
        grid = Grid(rig)
        told: list[Readings] = []
        rig.finger(5, 24)
        grid.until({5, 24})
        assert grid.frames[-1].noisy == frozenset()
        rig.touch.measure(told.append, True)
        rig.disturb(5, 24)
        rig.until(lambda: {*grid.frames[-1].noisy} == {5, 24})
        rig.until(lambda: bool(told) and {*told[-1].noisy} == {5, 24})
        rig.lift(5, 24)
        rig.mend()
        rig.until(lambda: grid.frames[-1] == TouchFrame())
        rig.until(lambda: told[-1].noisy == frozenset())
        rig.finger(5)
        grid.until({5})
        assert grid.frames[-1].noisy == frozenset()
        assert all(not frame.noisy & frame.deaf for frame in grid.frames)

    def test_while_a_place_is_touched_its_frame_comes_again_in_time(self, rig: Rig) -> None:
        grid = Grid(rig)
        rig.finger(5)
        grid.until({5})
        first = len(grid.frames)
        rig.until(lambda: len(grid.frames) > first + MANY_AGAIN)
        again = grid.frames[first:]
        # Where a busy machine is late, what was touched is deaf for a moment.
        told = {replace(frame, late=False) for frame in again if not frame.deaf}
        if self.may_stand_still:
            told -= {TouchFrame()}
        assert told == {TouchFrame(frozenset({5}))}
        # The median: the device's clock may go on while this machine does something else.
        assert not median(frame.late for frame in again)
        assert median(after - before for before, after in pairwise(grid.told_at)) <= HEARTBEAT

    def test_what_was_lifted_is_not_told_again_as_touched(self, rig: Rig) -> None:
        grid = Grid(rig)
        rig.finger(5)
        grid.until({5})
        rig.lift(5)
        grid.until(set())
        lifted = len(grid.frames)
        rig.finger(6)
        grid.until({6})
        assert all(5 not in frame.touched for frame in grid.frames[lifted:])

    def test_what_it_measures_is_told_while_that_is_wanted(self, rig: Rig) -> None:
        Grid(rig).until(set())
        told: list[Readings] = []
        rig.touch.measure(told.append, True)
        rig.until(lambda: bool(told and told[-1].deltas and told[-1].thresholds))
        assert len(told[-1].deltas) == len(told[-1].thresholds) == PADS
        rig.finger(5)
        rig.until(lambda: felt(told[-1]) == {5})
        rig.lift(5)
        rig.until(lambda: felt(told[-1]) == set())
        rig.fail(5)
        deaf = rig.fails_with(5)
        rig.until(lambda: deaf <= {pad for pad in range(PADS) if told[-1].deltas[pad] is None})
        rig.touch.measure(None)
        rig.serve()
        count = len(told)
        rig.finger(next(place for place in range(PLACE_COUNT) if place not in deaf))
        rig.serve()
        assert len(told) == count

    def test_what_pads_read_is_told_to_nobody_who_does_not_ask_for_it(self, rig: Rig) -> None:
        Grid(rig).until(set())
        told: list[Readings] = []
        rig.touch.measure(told.append)
        rig.until(lambda: bool(told))
        rig.finger(5)
        rig.serve()
        assert all(each.deltas == () for each in told)

    def test_after_closing_nothing_is_measured(self, rig: Rig) -> None:
        told: list[Readings] = []
        Grid(rig).until(set())
        rig.touch.measure(told.append, True)
        rig.touch.close()
        count = len(told)
        rig.finger(1)
        rig.serve()
        rig.touch.measure(told.append, True)
        assert len(told) == count

    def test_after_closing_nothing_is_reported(self, rig: Rig) -> None:
        grid = Grid(rig)
        grid.until(set())
        rig.touch.close()
        told = len(grid.frames)
        rig.finger(1)
        rig.serve()
        assert len(grid.frames) == told

    def test_closing_twice_is_closing_once(self, rig: Rig) -> None:
        Grid(rig).until(set())
        rig.touch.close()
        rig.touch.close()

    def test_a_grid_that_was_never_started_can_be_closed(self, rig: Rig) -> None:
        rig.touch.close()
        rig.touch.close()


def pattern(shift: int) -> LightFrame:
    """A colour of its own for every LED; another pattern for each shift from 0 to 50000."""
    return tuple((led + 1) * 0x090503 + shift * 0x11 & 0xFFFFFF for led in range(LED_COUNT))


class LightsContract:
    """The contract of the lights of every table."""

    def test_each_led_has_a_colour_of_its_own(self, rig: Rig) -> None:
        rig.lights.show(pattern(0))
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(0))])

    def test_of_many_frames_the_newest_is_what_stays(self, rig: Rig) -> None:
        for shift in range(50):
            rig.lights.show(pattern(shift))
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(49))])
        rig.serve()
        assert rig.seen[-1] == rig.sees(pattern(49))

    def test_frames_come_in_the_order_in_which_they_were_shown(self, rig: Rig) -> None:
        shown = [pattern(shift) for shift in range(50)]
        for frame in shown:
            rig.lights.show(frame)
        rig.until(lambda: rig.seen[-1:] == [rig.sees(shown[-1])])
        seen = [rig.sees(frame) for frame in shown]
        numbers = [seen.index(frame) for frame in rig.seen if frame != DARK]
        assert numbers == sorted(numbers)

    def test_showing_waits_for_nobody_and_the_newest_is_not_lost(self, rig: Rig) -> None:
        rig.lights.show(pattern(0))
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(0))])
        rig.look(False)
        for shift in range(1, MANY):
            rig.lights.show(pattern(shift))
        rig.look(True)
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(MANY - 1))])

    def test_after_such_a_stall_all_goes_on(self, rig: Rig) -> None:
        self.test_showing_waits_for_nobody_and_the_newest_is_not_lost(rig)
        rig.lights.show(pattern(MANY))
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(MANY))])

    def test_closing_goes_dark(self, rig: Rig) -> None:
        rig.lights.show(pattern(0))
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(0))])
        rig.lights.close()
        rig.until(lambda: rig.seen[-1:] == [DARK])

    def test_what_is_shown_after_closing_is_not(self, rig: Rig) -> None:
        rig.lights.show(pattern(0))
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(0))])
        rig.lights.close()
        rig.lights.show(pattern(1))
        rig.until(lambda: rig.seen[-1:] == [DARK])
        rig.serve()
        assert rig.seen[-1] == DARK
        assert rig.sees(pattern(1)) not in rig.seen

    def test_closing_twice_is_closing_once(self, rig: Rig) -> None:
        rig.lights.show(pattern(0))
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(0))])
        rig.lights.close()
        rig.lights.close()
        rig.until(lambda: rig.seen[-1:] == [DARK])


class TableContract(TouchContract, LightsContract):
    """The contract of a device that is both the touch grid and the lights."""

    def test_it_feels_and_shows_at_once(self, rig: Rig) -> None:
        grid = Grid(rig)
        for place in range(PLACE_COUNT):
            rig.finger(place)
            rig.lights.show(pattern(place))
            grid.until({place})
            rig.until(lambda place=place: rig.seen[-1:] == [rig.sees(pattern(place))])  # type: ignore[misc]
            rig.lift(place)

    def test_it_feels_while_nobody_looks(self, rig: Rig) -> None:
        grid = Grid(rig)
        rig.look(False)
        for shift in range(MANY):
            rig.lights.show(pattern(shift))
        rig.finger(9)
        grid.until({9})
