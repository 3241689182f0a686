"""The program that has the link stands still: what lay at the port counts, but is not new."""

import pytest
from linked import HERE, LIGHTS, RED, Wire, touches
from peer import EVERY_TOUCHED, Peer

from pi_table.devices.wire.link import (
    DOUBT_SECONDS,
    LATE_SECONDS,
    STALL_SECONDS,
    Event,
    Link,
    Standing,
)
from pi_table.devices.wire.touches import NOTHING_READ, Touches

PLACE = 3
HELD, NOTHING, DEAF = touches(PLACE), touches(), Touches(deaf=frozenset({PLACE}))
STATE_BYTES = 54


class Stalled(Wire):
    """A wire with a port at the Pi's end, which keeps what is said while nobody looks."""

    def __init__(self) -> None:
        super().__init__()
        self.port = b""
        self.room: int | None = None
        """Bytes that the port keeps; None: all."""
        self.link.on_open()
        self.run(0.05)
        self.peer.touch(PLACE)
        self.run(0.05)
        assert self.taken() == [NOTHING, HELD]

    def stand_still(self, seconds: float) -> None:
        """Let time pass in which nobody looks at the port."""
        for _ in range(round(seconds * 1000)):
            self.now += 0.001
            for sent in self.peer.to_send(self.now):
                if self.from_peer:
                    self.port = (self.port + sent)[: self.room]

    def look(self) -> None:
        """Look at the port, and say what is to be said. Nobody answers yet."""
        lies, self.port = self.port, b""
        self.events += self.link.receive(lies, self.now) if lies else self.link.tick(self.now)
        if data := self.link.to_send(self.now):
            self.said.append((self.now, data[1]))
            if self.to_peer:
                self.peer.receive(data)

    def until_known(self) -> float:
        """Let time pass until what is heard is not late; how long that took."""
        begun = self.now
        while self.link.is_late:
            self.run(0.001)
        return self.now - begun


@pytest.fixture
def stalled() -> Stalled:
    return Stalled()


LONG = [0.3, 0.49, 0.6, 1.0, 3.0]


# What lies there counts


@pytest.mark.parametrize("seconds", [0.1, 0.16, *LONG])
def test_a_finger_that_stays_is_never_doubted(stalled: Stalled, seconds: float) -> None:
    stalled.stand_still(seconds)
    stalled.look()
    assert stalled.taken() == [HELD]
    assert stalled.link.is_late
    assert stalled.until_known() <= EVERY_TOUCHED + 0.001
    stalled.run(1.0)
    assert stalled.taken() == [HELD]


@pytest.mark.parametrize("seconds", LONG)
def test_a_finger_that_was_lifted_at_the_end_was_lifted(stalled: Stalled, seconds: float) -> None:
    stalled.stand_still(seconds)
    stalled.peer.lift(PLACE)
    stalled.stand_still(0.001)
    stalled.look()
    assert stalled.taken() == [HELD, NOTHING]


@pytest.mark.parametrize("between", [0.0, 0.01, 0.1])
@pytest.mark.parametrize("seconds", LONG)
def test_a_finger_that_was_lifted_and_came_again_was_lifted(
    stalled: Stalled, seconds: float, between: float
) -> None:
    stalled.stand_still(seconds / 2)
    stalled.peer.lift(PLACE)
    stalled.stand_still(between)
    stalled.peer.touch(PLACE)
    stalled.stand_still(seconds / 2)
    stalled.look()
    assert stalled.taken() == [HELD, NOTHING, HELD]


def test_a_stall_is_no_silence_of_the_controller(stalled: Stalled) -> None:
    """Nothing lies there yet, though it was said: the whole machine stood still."""
    stalled.now += 3.0
    stalled.look()
    assert stalled.link.standing is Standing.BEHIND
    stalled.run(0.1)
    assert stalled.taken() == [HELD]
    assert stalled.link.standing is Standing.UP


# What does not lie there


def test_a_state_or_two_may_be_missing(stalled: Stalled) -> None:
    """As many as may be lost while the program runs."""
    stalled.stand_still(0.5)
    stalled.from_peer = False
    stalled.stand_still(0.1)
    stalled.from_peer = True
    stalled.stand_still(0.5)
    stalled.look()
    stalled.run(0.1)
    assert stalled.taken() == [HELD]


@pytest.mark.parametrize("before", [0.0, 1.0])
@pytest.mark.parametrize("after", [0.05, 1.0])
def test_where_more_are_missing_what_was_touched_is_unread(
    stalled: Stalled, before: float, after: float
) -> None:
    """The counters are no proof: after eight lifts they are where they were."""
    stalled.stand_still(before)
    stalled.from_peer = False
    for _ in range(8):
        stalled.stand_still(0.02)
        stalled.peer.lift(PLACE)
        stalled.peer.touch(PLACE)
    stalled.stand_still(0.02)
    stalled.from_peer = True
    stalled.stand_still(after)
    stalled.look()
    stalled.run(0.1)
    assert stalled.taken() == [*([HELD] if before else []), DEAF, HELD]
    assert stalled.link.standing is Standing.UP


def test_where_half_a_second_is_missing_the_link_is_lost(stalled: Stalled) -> None:
    stalled.stand_still(1.0)
    stalled.from_peer = False
    stalled.stand_still(0.5)
    stalled.from_peer = True
    stalled.stand_still(1.0)
    stalled.look()
    assert stalled.taken() == [HELD, NOTHING_READ]
    assert stalled.link.standing is Standing.GREETING
    stalled.run(0.1)
    assert stalled.taken() == [HELD]


def test_where_nothing_was_touched_nothing_is_unread(stalled: Stalled) -> None:
    stalled.peer.lift(PLACE)
    stalled.run(0.05)
    stalled.from_peer = False
    stalled.stand_still(0.3)
    stalled.from_peer = True
    stalled.peer.touch(PLACE)
    stalled.stand_still(0.3)
    stalled.look()
    assert stalled.taken() == [NOTHING, HELD]


# What lies there may be old


def test_a_full_port_says_nothing_of_a_finger_that_was_lifted_since(stalled: Stalled) -> None:
    stalled.room = 10 * STATE_BYTES + 20
    stalled.stand_still(0.3)
    stalled.peer.lift(PLACE)
    stalled.stand_still(0.1)
    stalled.look()
    assert stalled.taken() == [HELD]
    assert stalled.link.is_late
    stalled.room = None
    stalled.until_known()
    assert stalled.taken() == [DEAF, NOTHING]


def test_what_the_line_has_kept_is_old_though_the_port_was_found_empty(stalled: Stalled) -> None:
    stalled.stand_still(1.0)
    kept, stalled.port = stalled.port[-5 * STATE_BYTES :], stalled.port[: -5 * STATE_BYTES]
    stalled.look()
    for _ in range(5):
        stalled.now += 0.001
        stalled.port, kept = kept[:STATE_BYTES], kept[STATE_BYTES:]
        stalled.look()
        assert stalled.link.is_late
    stalled.run(0.05)
    assert not stalled.link.is_late
    assert {*stalled.taken()} == {HELD}


def test_something_new_is_said_at_once(stalled: Stalled) -> None:
    before = len(stalled.said)
    stalled.stand_still(1.0)
    stalled.look()
    assert stalled.said[before:] == [(stalled.now, HERE)]


@pytest.mark.parametrize(("comes", "said"), [(True, HERE), (False, LIGHTS)])
def test_after_lights_that_were_under_way_something_is_said_under_another_number(
    stalled: Stalled, comes: bool, said: int
) -> None:
    """Their number may have been answered while nobody looked: then they are shown, but it does not
    prove that what is heard is new."""
    stalled.link.show(RED)
    under_way = stalled.link.to_send(stalled.now)
    stalled.peer.receive(under_way if comes else b"")
    number, before = stalled.link._outbox.number, len(stalled.said)
    stalled.stand_still(1.0)
    stalled.look()
    assert [kind for _, kind in stalled.said[before:]] == [said]
    assert stalled.link._outbox.number != number
    assert stalled.link.is_late
    assert stalled.until_known() <= EVERY_TOUCHED
    assert stalled.peer.lights == RED


def test_what_answers_something_said_before_is_late_still(stalled: Stalled) -> None:
    """It stands still once more when it has only just asked."""
    stalled.stand_still(1.0)
    stalled.look()
    stalled.stand_still(1.0)
    stalled.look()
    assert stalled.link.is_late
    assert stalled.until_known() <= EVERY_TOUCHED


def test_what_is_said_and_not_heard_is_said_again(stalled: Stalled) -> None:
    stalled.stand_still(1.0)
    stalled.to_peer = False
    stalled.look()
    stalled.run(0.3)
    assert stalled.link.is_late
    assert {*stalled.taken()} == {HELD}
    stalled.to_peer = True
    assert stalled.until_known() <= 0.1


def test_a_controller_that_never_hears_it_is_lost(stalled: Stalled) -> None:
    stalled.stand_still(3.0)
    stalled.to_peer = False
    stalled.look()
    begun = stalled.now
    while stalled.link.is_up:
        assert stalled.link.is_late
        stalled.run(0.001)
    assert stalled.now - begun == pytest.approx(0.5, abs=0.01)
    assert stalled.taken() == [HELD, NOTHING_READ]


def test_a_wire_that_was_cut_meanwhile_is_noticed_in_its_time(stalled: Stalled) -> None:
    stalled.stand_still(0.5)
    stalled.from_peer = False
    stalled.stand_still(2.0)
    stalled.look()
    begun = stalled.now
    told: list[tuple[float, Event]] = []
    while stalled.link.is_up:
        assert stalled.link.is_late or told
        stalled.run(0.001)
        told += [(stalled.now - begun, event) for event in stalled.taken() if event != HELD]
    assert [event for _, event in told] == [DEAF, NOTHING_READ]
    assert [at for at, _ in told] == pytest.approx([0.15, 0.5], abs=0.01)


def test_a_greeting_from_before_proves_nothing() -> None:
    link, peer = Link(), Peer()
    link.on_open()
    peer.touch(PLACE)
    link.tick(0.0)
    peer.receive(link.to_send(0.0))
    lies = b"".join(sent for step in range(50) for sent in peer.to_send(step * EVERY_TOUCHED))
    assert link.receive(lies, 1.0) == []
    assert link.standing is Standing.MET
    peer.receive(link.to_send(1.0))
    assert link.receive(b"".join(peer.to_send(1.001)), 1.001) == [HELD]


# What is no stall


@pytest.mark.parametrize("lost", [0, 1])
def test_who_looks_in_time_is_not_late(stalled: Stalled, lost: int) -> None:
    for _ in range(50):
        stalled.stand_still((1 + lost) * EVERY_TOUCHED)
        stalled.port = stalled.port[-STATE_BYTES:]
        stalled.look()
        assert not stalled.link.is_late


def test_who_looks_a_little_late_asks_nothing_and_knows_with_the_next_state(
    stalled: Stalled,
) -> None:
    before = len(stalled.said)
    stalled.stand_still(LATE_SECONDS + 0.02)
    stalled.look()
    assert stalled.link.is_late
    stalled.stand_still(EVERY_TOUCHED)
    stalled.look()
    assert not stalled.link.is_late
    assert len(stalled.said) == before
    assert stalled.taken() == [HELD]


def test_a_finger_that_has_only_just_come_is_not_late(stalled: Stalled) -> None:
    """While nothing is touched, states come every tenth of a second only."""
    stalled.peer.lift(PLACE)
    stalled.run(0.1)
    stalled.stand_still(0.09)
    stalled.peer.touch(PLACE)
    stalled.stand_still(0.001)
    stalled.look()
    assert not stalled.link.is_late


def test_who_looks_whenever_the_link_wakes_never_stands_still(stalled: Stalled) -> None:
    """Not even where nobody is at the other end: there is one greeting, said again and again."""
    numbers = []
    for _ in range(100):
        wakes = stalled.link.wakes
        assert wakes is not None
        stalled.now = wakes + (STALL_SECONDS - DOUBT_SECONDS) * 0.99
        stalled.look()
        assert stalled.link.standing is not Standing.BEHIND
        numbers.append(stalled.link._outbox.number)
    assert stalled.link.standing is Standing.GREETING
    assert len({*numbers[20:]}) == 1
