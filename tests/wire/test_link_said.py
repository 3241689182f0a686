"""Messages of the Pi's end of the link to a controller, in virtual time."""

import pytest
from linked import ASK, BLUE, GREEN, HERE, LIGHTS, RED, RESTART, TICK, Wire
from peer import DEFAULTS, Colours, Peer, check_of

from pi_table.common.geometry import CELLS
from pi_table.devices.wire.codec import Deframer, frame
from pi_table.devices.wire.commands import Ask, Restart, Store, Tell, lights, write
from pi_table.devices.wire.link import Event, Link, Standing
from pi_table.devices.wire.messages import Raw, SettingsReply
from pi_table.devices.wire.settings import Settings
from pi_table.devices.wire.touches import NOTHING_READ, Touches


def test_lights_are_shown_and_nothing_is_said_twice_without_need(wire: Wire) -> None:
    wire.show(RED, 0.1)
    assert wire.peer.lights == RED
    assert [kind for _, kind in wire.said] == [ASK, LIGHTS]


def test_before_the_link_is_up_no_light_is_said() -> None:
    wire = Wire()
    wire.from_peer = False
    wire.link.on_open()
    wire.show(RED, 1.0)
    assert {*wire.kinds()} == {ASK}
    wire.from_peer = True
    wire.run(0.3)
    assert wire.peer.lights == RED


def test_what_was_not_heard_is_said_again_with_the_same_number(wire: Wire) -> None:
    wire.to_peer = False
    wire.show(RED, 0.12)
    assert [kind for _, kind in wire.said] == [ASK, LIGHTS, LIGHTS, LIGHTS]
    wire.to_peer = True
    wire.run(0.1)
    assert [(kind, number) for kind, number, _ in wire.peer.applied] == [(ASK, 1), (LIGHTS, 5)]


def test_nothing_but_lights_overtakes_what_is_under_way(wire: Wire) -> None:
    wire.from_peer = False
    wire.link.request(Ask(Tell.RAW))
    wire.run(0.01)
    wire.link.show(RED)
    wire.link.request(Restart())
    wire.run(0.12)
    assert wire.kinds() == [ASK, ASK]
    wire.from_peer = True
    wire.run(0.12)
    assert wire.kinds() == [ASK, ASK, LIGHTS, RESTART]


def test_lights_overtake_lights_once_and_then_wait_for_the_answer(wire: Wire) -> None:
    wire.from_peer = False
    for colours in (RED, BLUE, RED, GREEN):
        wire.show(colours, 0.005)
    assert [lights for _, _, lights in wire.peer.applied] == [None, RED, BLUE]
    wire.from_peer = True
    wire.run(0.1)
    assert [lights for _, _, lights in wire.peer.applied] == [None, RED, BLUE, GREEN]


def test_of_lights_that_are_not_answered_in_time_the_newest_are_said(wire: Wire) -> None:
    wire.from_peer = False
    for colours in (RED, BLUE, GREEN):
        wire.show(colours, 0.005)
    wire.run(0.06)
    assert [lights for _, _, lights in wire.peer.applied] == [None, RED, BLUE, GREEN]


def test_after_an_answer_lights_can_overtake_again(wire: Wire) -> None:
    for colours in (RED, BLUE, GREEN, RED, BLUE, GREEN):
        wire.from_peer = colours is GREEN
        wire.show(colours, 0.15 if colours is GREEN else 0.01)
    shown = [lights for _, _, lights in wire.peer.applied[1:]]
    assert shown == [RED, BLUE, GREEN, RED, BLUE, GREEN]


def test_lights_that_were_overtaken_are_said_no_more(wire: Wire) -> None:
    wire.to_peer = False
    wire.show(RED, 0.01)
    wire.link.show(BLUE)
    wire.show(GREEN, 0.1)
    wire.to_peer = True
    wire.run(0.1)
    assert [(number, lights) for _, number, lights in wire.peer.applied] == [(1, None), (9, GREEN)]


def test_newer_lights_do_not_put_off_that_a_link_in_one_direction_is_none(wire: Wire) -> None:
    wire.to_peer = False
    wire.show(RED, 0.4)
    wire.show(BLUE, 0.09)
    assert wire.link.standing is Standing.UP
    wire.run(0.02)
    assert wire.link.standing is Standing.GREETING


def test_a_number_that_was_told_before_the_command_was_said_does_not_count(wire: Wire) -> None:
    wire.show(RED, 0.05)
    wire.to_peer = False
    wire.link.show(BLUE)
    wire.run(0.3)  # states come meanwhile, with the number of the command before
    wire.to_peer = True
    wire.run(0.1)
    assert wire.peer.lights == BLUE


def test_after_a_fifth_of_a_second_of_silence_it_says_that_it_is_here(wire: Wire) -> None:
    begun = wire.now
    wire.run(1.1)
    heres = [at for at, kind in wire.said if kind == HERE]
    assert len(heres) == 5
    assert heres[0] - begun == pytest.approx(0.2, abs=0.02)


def test_lights_do_not_wait_for_the_word_that_somebody_is_here(wire: Wire) -> None:
    wire.from_peer = False
    wire.run(0.22)
    assert wire.said[-1][1] == HERE
    wire.show(RED, 0.002)
    assert wire.peer.lights == RED


def test_numbers_go_from_1_to_255_and_round(wire: Wire) -> None:
    wire.show(RED, 0.02)
    for shift in range(600):
        wire.show((shift, *RED[1:]), 0.003)
    numbers = [number for _, number, _ in wire.peer.applied]
    assert numbers == [1, *(1 + at % 255 for at in range(4, 605))]
    assert wire.peer.lights == (599, *RED[1:])


def test_a_controller_that_shows_its_own_lights_is_told_ours_again(wire: Wire) -> None:
    wire.show(RED, 0.05)
    wire.peer.flags, wire.peer.lights = 4, None
    wire.run(0.01)
    wire.peer.flags = 0
    wire.run(0.05)
    assert wire.peer.lights == RED


def test_lights_under_way_are_not_begun_again_while_the_controller_still_shows_its_own(
    wire: Wire,
) -> None:
    wire.peer.flags = 4
    wire.run(0.01)
    wire.to_peer = False
    wire.show(RED, 0.3)
    wire.to_peer = True
    wire.run(0.06)
    assert [(kind, number) for kind, number, _ in wire.peer.applied] == [(ASK, 1), (LIGHTS, 5)]


def test_a_controller_that_has_applied_something_else_is_told_ours_again(wire: Wire) -> None:
    wire.show(RED, 0.05)
    wire.show(BLUE, 0.05)
    wire.peer.receive(b"".join(frame(write(part, 99)) for part in lights(RED, [3])))
    assert wire.peer.lights != BLUE
    wire.run(0.15)
    assert wire.peer.lights == BLUE


# Lights, of which only what is otherwise is said


def lit(lights: Colours, **cells: int) -> Colours:
    """These lights, but for the first LED of each of these cells."""
    changed = [*lights]
    for name, colour in cells.items():
        changed[4 * CELLS.index(name)] = colour
    return tuple(changed)


def told(wire: Wire, seconds: float = 0.05) -> list[int]:
    """Return the sizes (bytes) of the messages sent in so many seconds, in order."""
    said: list[int] = []
    listening = wire.peer.receive

    def heard(data: bytes) -> None:
        said.extend(map(len, Deframer().feed(data)))
        listening(data)

    wire.peer.receive = heard  # type: ignore[method-assign]
    wire.run(seconds)
    wire.peer.receive = listening  # type: ignore[method-assign]
    return said


def test_of_a_cell_that_changes_its_four_leds_are_said(wire: Wire) -> None:
    wire.link.show(RED)
    assert told(wire) == [90, 90, 90, 66]
    wire.link.show(lit(RED, B3=0x123456))
    assert told(wire) == [18]
    assert wire.peer.lights == lit(RED, B3=0x123456)
    wire.link.show((*lit(RED, B3=0x123456)[:-1], 0))
    assert told(wire) == [12]  # the two of a pad


def test_lights_that_are_shown_already_are_not_said(wire: Wire) -> None:
    wire.link.show(RED)
    told(wire)
    wire.link.show(lit(RED, A1=1))
    wire.link.show(RED)
    assert told(wire) == []


def test_what_was_not_answered_yet_is_said_again_with_what_is_newer(wire: Wire) -> None:
    wire.show(RED, 0.05)
    wire.to_peer = False
    wire.show(lit(RED, A1=1), 0.002)
    wire.to_peer = True
    wire.link.show(lit(RED, A1=1, E5=2))
    assert told(wire, 0.002) == [30]
    assert wire.peer.lights == lit(RED, A1=1, E5=2)


def test_lights_that_go_back_to_what_they_were_are_said_if_anything_else_is_on_the_way(
    wire: Wire,
) -> None:
    wire.show(RED, 0.05)
    wire.from_peer = False
    wire.show(lit(RED, A1=1), 0.002)
    wire.link.show(RED)
    assert told(wire, 0.002) == [18]
    assert wire.peer.lights == RED


def test_a_part_that_is_lost_is_said_again_with_the_others_and_nothing_is_shown_before(
    wire: Wire,
) -> None:
    wire.show(RED, 0.05)
    listening = wire.peer.receive
    for lost in range(4):
        before = wire.peer.lights
        parts = [*range(4)]

        def some(data: bytes, lost: int = lost, parts: list[int] = parts) -> None:
            frames = data.split(b"\0")[:-1]
            kept = [each for at, each in enumerate(frames) if not parts or at != lost]
            parts.clear()
            listening(b"".join(each + b"\0" for each in kept))

        wire.peer.receive = some  # type: ignore[method-assign]
        newer = BLUE if lost % 2 == 0 else GREEN
        wire.show(newer, 0.04)
        assert wire.peer.lights == before
        wire.run(0.06)
        assert wire.peer.lights == newer
        wire.peer.receive = listening  # type: ignore[method-assign]


def test_a_controller_of_which_the_check_is_another_is_told_everything(wire: Wire) -> None:
    wire.show(RED, 0.05)
    wire.peer._ordered[50] ^= 0x100
    wire.peer._check = check_of(wire.peer._ordered)
    assert told(wire, 0.15) == [90, 90, 90, 66]
    wire.link.show(lit(RED, A1=1))
    assert told(wire) == [18]
    assert wire.peer.lights == lit(RED, A1=1)


def test_the_last_words_are_dark_whatever_is_under_way(wire: Wire) -> None:
    wire.to_peer = False
    wire.show(RED, 0.01)
    wire.peer.receive(wire.link.last_words())
    assert wire.peer.lights == (0,) * 104
    wire.link.on_close()
    assert wire.link.last_words() == b""


# Requests


def test_raw_counts_are_told_when_they_are_asked_for(wire: Wire) -> None:
    wire.link.request(Ask(Tell.RAW))
    wire.run(0.02)
    raw = Raw(2, (700,) * 31, (720,) * 31)
    assert [event for event in wire.taken() if isinstance(event, Raw)] == [raw]


def test_settings_are_stored_and_what_is_in_use_is_told(wire: Wire) -> None:
    settings = Settings((9,) * 31, (5,) * 31, (70,) * 31, 900)
    wire.link.request(Ask(Tell.SETTINGS))
    wire.link.request(Store(settings))
    wire.run(0.05)
    found = [event for event in wire.taken() if isinstance(event, SettingsReply)]
    assert found == [SettingsReply(2, False, DEFAULTS), SettingsReply(3, False, settings)]


def test_a_request_whose_answer_is_lost_is_said_again_and_answered_once(wire: Wire) -> None:
    wire.from_peer = False
    wire.link.request(Ask(Tell.RAW))
    wire.run(0.12)
    wire.from_peer = True
    wire.run(0.1)
    assert len([event for event in wire.taken() if isinstance(event, Raw)]) == 1
    assert wire.kinds() == [ASK, ASK]


def test_an_answer_may_come_after_its_number(wire: Wire) -> None:
    """The counts of all pads take a while."""
    wire.link.request(Ask(Tell.RAW))
    wire.peer.slow = True
    wire.run(0.03)
    assert wire.link.state is not None
    assert wire.link.state.applied == 2
    wire.peer.slow = False
    wire.run(0.03)
    assert [event for event in wire.taken() if isinstance(event, Raw)]


def test_the_answer_before_is_not_the_answer_to_the_next_request(wire: Wire) -> None:
    wire.link.request(Ask(Tell.RAW))
    wire.run(0.03)
    wire.peer.slow = True
    wire.link.request(Ask(Tell.RAW))
    wire.run(0.03)
    wire.peer.slow = False
    wire.run(0.03)
    answers = [event for event in wire.taken() if isinstance(event, Raw)]
    assert [answer.number for answer in answers] == [2, 3]


def test_an_answer_to_nothing_is_nothing(wire: Wire) -> None:
    for message in (wire.peer.raw(), wire.peer.told_settings()):
        assert wire.link.receive(frame(message), wire.now) == []


def test_an_answer_to_another_question_is_nothing(wire: Wire) -> None:
    old = wire.peer.raw()
    wire.peer.slow = True
    wire.link.request(Ask(Tell.RAW))
    wire.run(0.03)
    for message in (old, wire.peer.told_settings()):
        assert wire.link.receive(frame(message), wire.now) == []
    wire.peer.slow = False
    wire.run(0.1)
    answers = [event for event in wire.taken() if not isinstance(event, Touches)]
    assert answers == [Raw(2, (700,) * 31, (720,) * 31)]


def test_the_chips_can_be_started_anew(wire: Wire) -> None:
    wire.link.request(Restart())
    wire.run(0.02)
    assert wire.kinds() == [ASK, RESTART]


def test_lights_go_before_requests(wire: Wire) -> None:
    wire.link.request(Ask(Tell.RAW))
    wire.show(RED, 0.05)
    assert wire.kinds() == [ASK, LIGHTS, ASK]


def test_what_was_requested_is_forgotten_with_the_link(wire: Wire) -> None:
    wire.from_peer = False
    wire.link.request(Store(DEFAULTS))
    wire.link.request(Restart())
    wire.run(1.0)
    wire.from_peer = True
    wire.run(1.0)
    assert RESTART not in wire.kinds()
    assert not any(isinstance(event, SettingsReply) for event in wire.taken())


# Time


def conversation(by_wakes: bool) -> list[tuple[float, int]]:
    """Return the times and kinds of the messages in three seconds. The controller hears and answers
    during the first."""
    link, peer = Link(), Peer()
    link.on_open()
    now, said = 0.0, []
    while now < 3.0:
        link.tick(now)
        data = link.to_send(now)
        if data:
            said.append((now, data[1]))
        if now < 1.0:
            peer.receive(data)
            for sent in peer.to_send(now):
                link.receive(sent, now)
        assert link.wakes is not None
        assert link.wakes > now
        now = min(link.wakes, now + 0.1) if by_wakes else now + TICK
    return said


def test_it_wakes_when_the_link_is_lost() -> None:
    wire = Wire()
    wire.link.on_open()
    wire.touch(3)
    heard_at = wire.link._heard_at
    wire.now += 0.013  # so that nothing is to be said when it is lost
    wire.link.show(RED)
    told: list[tuple[float, Event]] = []
    while wire.link.is_up:
        wire.link.to_send(wire.now)
        assert wire.link.wakes is not None
        wire.now = wire.link.wakes
        told += [(wire.now - heard_at, event) for event in wire.link.tick(wire.now)]
    assert [at for at, _ in told] == pytest.approx([0.15, 0.5])
    assert [event for _, event in told] == [Touches(deaf=frozenset({3})), NOTHING_READ]


def test_to_be_told_the_time_when_it_wakes_is_enough() -> None:
    every_tick = conversation(by_wakes=False)
    assert {kind for _, kind in every_tick} == {ASK, HERE}
    said = conversation(by_wakes=True)
    assert [kind for _, kind in said] == [kind for _, kind in every_tick]
    assert [at for at, _ in said] == pytest.approx([at for at, _ in every_tick], abs=0.03)
