"""Messages of a controller to the Pi's end of the link, in virtual time."""

import pytest
from linked import ASK, RED, TICK, Wire, touches
from peer import Peer

from pi_table.devices.wire.codec import frame
from pi_table.devices.wire.link import Link, Standing
from pi_table.devices.wire.touches import NOTHING_READ, Touches


def test_before_the_hello_nothing_that_is_felt_counts() -> None:
    wire = Wire()
    wire.link.on_open()
    wire.to_peer = False
    wire.peer.touch(3)
    for state in (wire.peer.state(0.0), wire.peer.state(0.1)):
        assert wire.link.receive(frame(state), 0.1) == []
    assert wire.link.standing is Standing.GREETING


def test_a_hello_and_states_from_before_the_greeting_do_not_count() -> None:
    wire = Wire()
    wire.peer.touch(3)
    old = [sent for now in (0.0, 0.1, 0.2) for sent in wire.peer.to_send(now)]
    wire.link.on_open()
    for sent in old:
        assert wire.link.receive(sent, 0.3) == []
    greeting = wire.link.to_send(0.3)
    for sent in old:
        assert wire.link.receive(sent, 0.3) == []
    wire.peer.receive(greeting)
    wire.run(0.01)
    assert wire.taken() == [touches(3)]


def test_even_what_has_our_number_by_chance_is_not_from_after_a_greeting_that_was_not_said() -> (
    None
):
    link, peer = Link(), Peer()
    link.on_open()
    peer.taken = 1
    for sent in peer.to_send(0.0):
        assert link.receive(sent, 0.0) == []
    assert link.standing is Standing.MET


def test_what_is_touched_when_the_link_comes_up_is_told() -> None:
    wire = Wire()
    wire.peer.touch(7, 8)
    wire.link.on_open()
    wire.run(0.01)
    assert wire.taken() == [touches(7, 8)]
    assert wire.link.hello is not None
    assert wire.link.hello.lights == 104


def test_a_state_that_comes_twice_or_late_is_not_heard_again(wire: Wire) -> None:
    wire.peer.touch(3)
    touched = wire.peer.state(wire.now)
    wire.peer.lift(3)
    lifted = wire.peer.state(wire.now)
    assert wire.link.receive(frame(touched), wire.now) == [touches(3)]
    assert wire.link.receive(frame(touched), wire.now) == []
    assert wire.link.receive(frame(lifted), wire.now) == [touches()]
    assert wire.link.receive(frame(touched) + frame(lifted), wire.now) == []


def test_the_sequence_numbers_wrap() -> None:
    wire = Wire()
    wire.peer._sequence = 65530
    wire.link.on_open()
    wire.run(2.0)
    wire.touch(3)
    assert wire.taken() == [touches(), touches(3)]
    assert wire.link.state is not None
    assert wire.link.state.sequence < 100


# What is heard, step by step

HEARD = {
    "every change, in order": ("touch 3; 10 ms; touch 4; 10 ms; lift 3; 10 ms", "3 | 3 4 | 4"),
    "all that a state tells": ("touch 1 2; heavy 2; fail 5; 10 ms", "1 2, heavy 2, deaf 5"),
    "water": ("touch 3; flags 1; 10 ms", "3, blocked"),
    "a hand on the rim": ("touch 3; flags 2; 10 ms", "3, blocked"),
    "water and a hand on the rim": ("touch 3; flags 3; 10 ms", "3, blocked"),
    # A finger that was lifted and came down between two states: the counters tell of it.
    "a lift that no state told": ("touch 3; 10 ms; lift 3; touch 3; 10 ms", "3 | nothing | 3"),
    "a lift of one of two": ("touch 3 4; 10 ms; lift 3; touch 3; 10 ms", "3 4 | 4 | 3 4"),
    # There was always one of them; only who was lifted is known, not that all were.
    "lifts of two, one after the other": (
        "touch 3 4; 10 ms; lift 3; touch 3; lift 4; 10 ms",
        "3 4 | 4 | 3",
    ),
    "what was there when its place could be read again is not seen to come down": (
        "touch 3; fail 8; heavy 3; flags 1; 10 ms; lift 3; touch 3; mend; touch 8; 10 ms",
        "3, heavy 3, deaf 8, blocked | nothing, deaf 8, blocked | 3 8, blocked",
    ),
    "noise, with the touches that it makes doubtful": (
        "noisy 3 30; touch 3; 10 ms; noisy; 10 ms; noisy 3 8; 10 ms; cut from; 200 ms",
        "3, noisy 3 | 3 | 3, noisy 3 8 | nothing, deaf 3, noisy 8",
    ),
    "a lift that was missed, with the noise before it": (
        "noisy 8 30; touch 3; 10 ms; noisy 9; lift 3; touch 3; 10 ms",
        "3, noisy 8 | nothing, noisy 8 | 3, noisy 9",
    ),
    "what came and went unseen": ("touch 3; lift 3; 200 ms", "nothing"),
    # A state that does not come
    "water, and a state that does not come": (
        "touch 3; flags 1; 10 ms; cut from; 200 ms",
        "3, blocked | nothing, deaf 3, blocked",
    ),
    "a hand on the rim, and a state that does not come": (
        "touch 3; flags 2; 10 ms; cut from; 200 ms",
        "3, blocked | nothing, deaf 3, blocked",
    ),
    "nothing touched, and a state that does not come": (
        "cut from; 300 ms; join from; 150 ms",
        "nothing",
    ),
    "all that is touched after a gap, at once": (
        "cut from; 1000 ms; touch 3; lift 3; touch 4; join from; 400 ms",
        "nothing read | 4",
    ),
}


@pytest.mark.parametrize(("script", "heard"), HEARD.values(), ids=HEARD)
def test_what_is_heard(wire: Wire, script: str, heard: str) -> None:
    assert wire.play(script) == heard


# Lost and found


def test_after_half_a_second_without_a_state_the_link_is_lost(wire: Wire) -> None:
    wire.touch(3)
    heard_at = wire.now
    wire.from_peer = False
    while wire.link.is_up:
        wire.run(TICK)
    assert wire.now - heard_at == pytest.approx(0.5, abs=0.02)
    assert wire.taken() == [touches(3), Touches(deaf=frozenset({3})), NOTHING_READ]
    assert wire.link.hello is None
    assert wire.link.state is None


def test_what_was_touched_is_unread_when_a_state_fails_to_come(wire: Wire) -> None:
    """A finger that is lifted while the cable is out must not have held its place to the end."""
    wire.touch(3)
    heard_at = wire.now
    wire.from_peer = False
    assert wire.taken() == [touches(3)]
    while not (told := wire.taken()):
        wire.run(TICK)
    assert told == [Touches(deaf=frozenset({3}))]
    assert wire.now - heard_at == pytest.approx(0.15, abs=0.02)
    wire.from_peer = True
    wire.run(0.15)
    assert wire.taken()[0] == touches(3)


def test_a_link_in_one_direction_is_none(wire: Wire) -> None:
    wire.to_peer = False
    wire.peer.touch(3)
    wire.run(0.8)
    assert wire.taken() == [touches(3), NOTHING_READ]
    assert wire.link.standing is Standing.GREETING


def test_a_lost_controller_is_greeted_until_it_answers(wire: Wire) -> None:
    wire.from_peer = False
    wire.run(5.0)
    greetings = [at for at, kind in wire.said if kind == ASK and at > 1.0]
    assert len(greetings) == pytest.approx(16, abs=2)
    wire.from_peer = True
    wire.run(0.3)
    assert wire.link.standing is Standing.UP


def test_a_gap_that_outlasts_the_sequence_numbers_is_no_hindrance(wire: Wire) -> None:
    wire.from_peer = False
    wire.run(1.0)
    wire.peer._sequence = (wire.peer._sequence + 40000) % 65536
    wire.from_peer = True
    wire.run(0.3)
    assert wire.link.standing is Standing.UP


def test_a_controller_that_started_again_is_another(wire: Wire) -> None:
    wire.link.show(RED)
    wire.peer.touch(3)
    wire.run(0.02)
    wire.taken()
    wire.peer = Peer(boot=2)
    wire.peer.touch(4)
    wire.run(0.05)
    assert wire.taken() == [NOTHING_READ, touches(4)]
    assert wire.link.hello is not None
    assert wire.link.hello.boot == 2
    assert wire.peer.lights == RED  # it is told everything anew


def test_it_is_another_even_if_its_hello_was_lost(wire: Wire) -> None:
    wire.peer = Peer(boot=2)
    wire.peer.to_send(wire.now)
    wire.peer.touch(4)
    wire.run(0.05)
    assert wire.taken() == [NOTHING_READ, touches(4)]


def test_states_of_an_earlier_start_do_not_count(wire: Wire) -> None:
    old = Peer(boot=9)
    old.touch(20)
    wire.link.receive(frame(wire.peer.hello()), wire.now)
    events = wire.link.receive(frame(old.state(0.0)), wire.now)
    assert events == [NOTHING_READ]
    wire.run(0.3)
    assert wire.taken() == [touches()]


def test_a_hello_that_comes_twice_changes_nothing(wire: Wire) -> None:
    assert wire.link.receive(frame(wire.peer.hello()), wire.now) == []
    assert wire.link.standing is Standing.UP


def test_a_wire_that_is_taken_away_leaves_nothing(wire: Wire) -> None:
    wire.touch(3)
    assert wire.link.on_close() == [NOTHING_READ]
    assert wire.link.on_close() == []
    assert wire.link.wakes is None
    assert wire.link.to_send(wire.now) == b""
    wire.taken()
    wire.link.on_open()
    wire.run(0.05)
    assert wire.taken() == [touches(3)]


def test_half_a_frame_from_before_does_not_meet_what_comes_after(wire: Wire) -> None:
    wire.link.receive(frame(wire.peer.state(wire.now))[:20], wire.now)
    wire.link.on_close()
    wire.link.on_open()
    wire.run(0.02)
    assert wire.link.standing is Standing.UP
    assert wire.link.dropped == 0


# Another version


@pytest.mark.parametrize("version", [0, 1, 2, 3, 255])
def test_another_protocol_is_refused_and_its_version_is_known(version: int) -> None:
    wire = Wire(Peer(protocol=version))
    wire.peer.touch(3)
    wire.link.on_open()
    wire.show(RED, 1.0)
    assert wire.link.standing is Standing.OTHER_PROTOCOL
    assert wire.link.other_protocol == version
    assert wire.events == []
    assert {*wire.kinds()} == {ASK}
    assert len(wire.said) == 4


def test_a_controller_that_was_given_our_firmware_is_welcome() -> None:
    wire = Wire(Peer(protocol=1))
    wire.link.on_open()
    wire.run(1.0)
    wire.peer = Peer(boot=2)
    wire.run(0.3)
    assert wire.link.standing is Standing.UP
    assert wire.link.other_protocol is None


def test_another_protocol_in_the_middle_ends_the_link(wire: Wire) -> None:
    wire.peer = Peer(boot=2, protocol=5)
    wire.run(0.05)
    assert wire.taken() == [NOTHING_READ]
    assert wire.link.standing is Standing.OTHER_PROTOCOL


# What goes wrong


def gone_wrong(link: Link) -> dict[str, int]:
    return {name: count for name, count in link.counts.items() if count}


def test_what_goes_wrong_is_counted_on_through_losses_and_starts(wire: Wire) -> None:
    wire.run(0.5)
    assert gone_wrong(wire.link) == {}
    wire.link.receive(b"\x05noise\0", wire.now)
    wire.from_peer = False
    wire.run(0.6)
    wire.from_peer = True
    wire.run(0.5)
    assert wire.link.is_up
    assert gone_wrong(wire.link) == {"frames_damaged": 1, "link_lost": 1}
    wire.peer = Peer(boot=2)
    wire.run(0.1)
    wire.link.on_close()
    wire.link.on_open()
    wire.link.receive(b"\x05noise\0", wire.now)
    assert gone_wrong(wire.link) == {
        "frames_damaged": 2,
        "link_lost": 1,
        "controller_starts": 1,
        "unplugged": 1,
    }


def test_one_state_that_does_not_come_is_missing(wire: Wire) -> None:
    wire.run(0.2)
    wire.from_peer = False
    wire.run(0.1)
    wire.from_peer = True
    wire.run(0.3)
    assert gone_wrong(wire.link) == {"frames_missing": 1}
