"""Measuring at a controller: what is asked for, how often, and what is told of it."""

import pytest
from linked import ASK, TICK, Wire
from msgspec.structs import replace
from peer import Peer

from pi_table.devices.hal.contracts import Readings
from pi_table.devices.hal.measuring import EVERY, Measuring
from pi_table.devices.wire.settings import PAD_COUNT


class Measured(Wire):
    """A controller that is measured, in virtual time."""

    def __init__(self) -> None:
        super().__init__(Peer())
        self.measuring = Measuring(self.link)
        self.told: list[Readings] = []
        self.link.on_open()
        self.go(0.5)
        assert self.link.is_up

    def go(self, seconds: float) -> "Measured":
        for _ in range(round(seconds / TICK)):
            self.measuring.go_on(self.now)
            self.run(TICK)
            for event in self.taken():
                if hasattr(event, "number"):
                    self.measuring.on_answer(event, self.now)  # type: ignore[arg-type]
        return self

    def begin(self, pads: bool) -> None:
        self.measuring.begin(self.told.append, pads, self.now)

    @property
    def asks(self) -> int:
        """Return the number of requests."""
        return self.kinds().count(ASK)


@pytest.fixture
def wire() -> Measured:
    return Measured()


def test_nobody_who_wants_to_know_nothing_asks(wire: Measured) -> None:
    before = wire.asks
    wire.go(1.0)
    assert (wire.asks, wire.told) == (before, [])
    assert wire.measuring.wakes == float("inf")


def test_noise_is_told_of_pads_too_that_are_no_places(wire: Measured) -> None:
    wire.begin(pads=True)
    wire.peer.noisy = frozenset({3, 30})
    wire.go(0.5)
    assert wire.told[-1].noisy == {3, 30}
    wire.peer.noisy = frozenset()
    wire.go(0.5)
    assert wire.told[-1].noisy == frozenset()


def test_what_states_tell_anyway_is_told_without_asking(wire: Measured) -> None:
    before = wire.asks
    wire.begin(pads=False)
    wire.peer.flags = 8
    wire.go(1.0)
    assert wire.asks == before
    assert 10 <= len(wire.told) <= 12
    assert wire.told[-1] == replace(
        Readings(), current_ma=wire.told[-1].current_ma, capped=True, counts=wire.told[-1].counts
    )
    assert wire.told[-1].counts.lights_capped == 1


def test_what_pads_read_is_asked_for_ten_times_a_second_at_most(wire: Measured) -> None:
    before = wire.asks
    wire.begin(pads=True)
    wire.go(2.0)
    read = [each for each in wire.told if each.deltas]
    assert 0.8 * 2.0 / EVERY <= len(read) <= 2.0 / EVERY
    assert wire.asks - before <= len(read) + 2  # and once for the thresholds
    assert read[-1].thresholds == wire.peer.settings.touch
    assert len(read[-1].deltas) == PAD_COUNT


def test_when_it_is_wanted_no_longer_nothing_is_asked_for_any_more(wire: Measured) -> None:
    wire.begin(pads=True)
    wire.go(0.5)
    wire.measuring.begin(None, False, wire.now)
    wire.go(0.1)
    told, asks = len(wire.told), wire.asks
    wire.go(1.0)
    assert (len(wire.told), wire.asks) == (told, asks)


def test_while_the_link_is_lost_nothing_is_known_and_then_all_of_it_again(wire: Measured) -> None:
    wire.begin(pads=True)
    wire.go(0.5)
    wire.from_peer = False
    wire.go(2.0)
    assert wire.told[-1].deltas == wire.told[-1].thresholds == ()
    assert wire.told[-1].counts.link_lost == 1
    wire.from_peer = True
    wire.peer.settings = replace(wire.peer.settings, touch=(9,) * PAD_COUNT)
    wire.go(1.5)
    assert wire.told[-1].deltas != ()
    assert wire.told[-1].thresholds == (9,) * PAD_COUNT
