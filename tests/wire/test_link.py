"""The Pi's end of the link, against a controller of the tests' own, in virtual time."""

import pytest
from peer import DEFAULTS, Colours, Peer

from pi_table.wire.codec import frame
from pi_table.wire.commands import Ask, Restart, Store, Tell
from pi_table.wire.link import Event, Link, Standing
from pi_table.wire.messages import Raw, SettingsTold
from pi_table.wire.settings import Settings
from pi_table.wire.touches import NOTHING_READ, Touches

TICK = 0.001
RED: Colours = (0xFF0000,) * 27
BLUE: Colours = (0x0000FF,) * 27
GREEN: Colours = (0x00FF00,) * 27
ASK, LIGHTS, STORE, HERE, RESTART = 0x12, 0x11, 0x13, 0x14, 0x15


def touches(*places: int) -> Touches:
    return Touches(frozenset(places))


class Wire:
    """A link, a controller, and a wire between them that takes a millisecond; ``to`` and ``from``
    the controller it can be cut."""

    def __init__(self, peer: Peer | None = None) -> None:
        self.link = Link()
        self.peer = peer or Peer()
        self.now = 0.0
        self.events: list[Event] = []
        self.to_peer = self.from_peer = True
        self.said: list[tuple[float, int]] = []
        """When what type of command was said."""

    def run(self, seconds: float) -> "Wire":
        """Let time pass."""
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            self.events += self.link.tick(self.now)
            data = self.link.to_send(self.now)
            if data:
                self.said.append((self.now, data[1]))
                if self.to_peer:
                    self.peer.receive(data)
            for sent in self.peer.to_send(self.now):
                if self.from_peer:
                    self.events += self.link.receive(sent, self.now)
        return self

    def taken(self) -> list[Event]:
        """What was heard since the last time, without what is said twice in a row."""
        events, self.events = self.events, []
        return [event for at, event in enumerate(events) if at == 0 or event != events[at - 1]]

    def kinds(self) -> list[int]:
        """The types of the commands that the controller has applied."""
        return [kind for kind, _, _ in self.peer.applied]


@pytest.fixture
def wire() -> Wire:
    """A link that is up."""
    wire = Wire()
    wire.link.opened()
    wire.run(0.01)
    assert wire.link.standing is Standing.UP
    assert wire.taken() == [touches()]
    return wire


def test_before_the_hello_nothing_that_is_felt_counts() -> None:
    wire = Wire()
    wire.link.opened()
    wire.to_peer = False
    wire.peer.touch(3)
    for state in (wire.peer.state(0.0), wire.peer.state(0.1)):
        assert wire.link.receive(frame(state), 0.1) == []
    assert wire.link.standing is Standing.GREETING


def test_a_hello_and_states_from_before_the_greeting_do_not_count() -> None:
    wire = Wire()
    wire.peer.touch(3)
    old = [sent for now in (0.0, 0.1, 0.2) for sent in wire.peer.to_send(now)]
    wire.link.opened()
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
    link.opened()
    peer.taken = 1
    for sent in peer.to_send(0.0):
        assert link.receive(sent, 0.0) == []
    assert link.standing is Standing.GREETING


def test_what_is_touched_when_the_link_comes_up_is_told() -> None:
    wire = Wire()
    wire.peer.touch(7, 8)
    wire.link.opened()
    wire.run(0.01)
    assert wire.taken() == [touches(7, 8)]
    assert wire.link.hello is not None
    assert wire.link.hello.lights == 104


def test_every_change_is_told_in_order(wire: Wire) -> None:
    for change in (lambda: wire.peer.touch(3), lambda: wire.peer.touch(4)):
        change()
        wire.run(0.01)
    wire.peer.lift(3)
    wire.run(0.01)
    assert wire.taken() == [touches(3), touches(3, 4), touches(4)]


def test_all_that_a_state_tells_of_the_places_is_told(wire: Wire) -> None:
    wire.peer.touch(1, 2)
    wire.peer.heavy = frozenset({2})
    wire.peer.fail(5)
    wire.run(0.01)
    assert wire.taken() == [Touches(frozenset({1, 2}), frozenset({2}), frozenset({5}))]
    for flag in (1, 2, 3):
        wire.peer.flags = flag
        wire.run(0.01)
        assert wire.taken()[-1].blocked  # type: ignore[union-attr]


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
    wire.link.opened()
    wire.run(2.0)
    wire.peer.touch(3)
    wire.run(0.01)
    assert wire.taken() == [touches(), touches(3)]
    assert wire.link.state is not None
    assert wire.link.state.sequence < 100


# A finger that was lifted and came down between two states


def test_a_lift_that_no_state_told_is_told_by_the_counter(wire: Wire) -> None:
    wire.peer.touch(3)
    wire.run(0.01)
    wire.peer.lift(3)
    wire.peer.touch(3)
    wire.run(0.01)
    assert wire.taken() == [touches(3), touches(), touches(3)]


def test_only_the_lifted_one_is_lifted(wire: Wire) -> None:
    wire.peer.touch(3, 4)
    wire.run(0.01)
    wire.peer.lift(3)
    wire.peer.touch(3)
    wire.run(0.01)
    assert wire.taken() == [touches(3, 4), touches(4), touches(3, 4)]


def test_of_two_that_were_lifted_one_after_the_other_nothing_is_made_up(wire: Wire) -> None:
    """There was always one of them; only who was lifted is known, not that all were."""
    wire.peer.touch(3, 4)
    wire.run(0.01)
    wire.peer.lift(3)
    wire.peer.touch(3)
    wire.peer.lift(4)
    wire.run(0.01)
    assert wire.taken() == [touches(3, 4), touches(4), touches(3)]


def test_what_was_there_when_its_place_could_be_read_again_is_not_seen_to_come_down(
    wire: Wire,
) -> None:
    wire.peer.touch(3)
    wire.peer.fail(8)
    wire.peer.heavy, wire.peer.flags = frozenset({3}), 1
    wire.run(0.01)
    wire.peer.lift(3)
    wire.peer.touch(3)
    wire.peer.mend()
    wire.peer.touch(8)
    wire.run(0.01)
    deaf, blocked = frozenset({8}), True
    assert wire.taken() == [
        Touches(frozenset({3}), frozenset({3}), deaf, blocked),
        Touches(deaf=deaf, blocked=blocked),
        Touches(frozenset({3, 8}), blocked=blocked),
    ]


def test_what_came_and_went_unseen_stays_untold(wire: Wire) -> None:
    wire.peer.touch(3)
    wire.peer.lift(3)
    wire.run(0.2)
    assert wire.taken() == [touches()]


# Lost and found


def test_after_half_a_second_without_a_state_the_link_is_lost(wire: Wire) -> None:
    wire.peer.touch(3)
    wire.run(0.01)
    heard_at = wire.now
    wire.from_peer = False
    while wire.link.standing is Standing.UP:
        wire.run(TICK)
    assert wire.now - heard_at == pytest.approx(0.5, abs=0.02)
    assert wire.taken() == [touches(3), Touches(deaf=frozenset({3})), NOTHING_READ]
    assert wire.link.hello is None
    assert wire.link.state is None


def test_what_was_touched_is_unread_when_a_state_fails_to_come(wire: Wire) -> None:
    """A finger that is lifted while the cable is out must not have held its place to the end."""
    wire.peer.touch(3)
    wire.run(0.01)
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


def test_where_nothing_is_touched_a_state_may_fail_to_come(wire: Wire) -> None:
    wire.from_peer = False
    wire.run(0.3)
    wire.from_peer = True
    wire.run(0.15)
    assert {*wire.taken()} == {touches()}


def test_after_a_gap_all_that_is_touched_is_told_at_once(wire: Wire) -> None:
    wire.from_peer = False
    wire.run(1.0)
    wire.peer.touch(3)
    wire.peer.lift(3)
    wire.peer.touch(4)
    wire.from_peer = True
    wire.run(0.4)
    assert wire.taken() == [NOTHING_READ, touches(4)]


def test_states_that_lay_about_while_nobody_read_do_not_count(wire: Wire) -> None:
    """A program that stood still finds old states and reads them all at once."""
    heap = b""
    wire.to_peer = wire.from_peer = False
    for step in range(200):
        (wire.peer.touch if step % 2 else wire.peer.lift)(step % 25)
        wire.now += 0.1
        heap += b"".join(wire.peer.to_send(wire.now))
    wire.peer.lift(*range(25))
    wire.peer.touch(6)
    assert wire.link.receive(heap, wire.now) == [NOTHING_READ]
    wire.to_peer = wire.from_peer = True
    wire.run(0.01)
    assert wire.taken() == [touches(6)]


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
    wire.peer.touch(3)
    wire.run(0.01)
    assert wire.link.closed() == [NOTHING_READ]
    assert wire.link.closed() == []
    assert wire.link.wakes is None
    assert wire.link.to_send(wire.now) == b""
    wire.taken()
    wire.link.opened()
    wire.run(0.05)
    assert wire.taken() == [touches(3)]


def test_half_a_frame_from_before_does_not_meet_what_comes_after(wire: Wire) -> None:
    wire.link.receive(frame(wire.peer.state(wire.now))[:20], wire.now)
    wire.link.closed()
    wire.link.opened()
    wire.run(0.02)
    assert wire.link.standing is Standing.UP
    assert wire.link.dropped == 0


# Another version


@pytest.mark.parametrize("version", [0, 2, 255])
def test_another_protocol_is_refused_and_its_version_is_known(version: int) -> None:
    wire = Wire(Peer(protocol=version))
    wire.peer.touch(3)
    wire.link.opened()
    wire.link.show(RED)
    wire.run(1.0)
    assert wire.link.standing is Standing.OTHER_PROTOCOL
    assert wire.link.other_protocol == version
    assert wire.events == []
    assert {*wire.kinds()} == {ASK}
    assert len(wire.said) == 4


def test_a_controller_that_was_given_our_firmware_is_welcome() -> None:
    wire = Wire(Peer(protocol=2))
    wire.link.opened()
    wire.run(1.0)
    wire.peer = Peer(boot=2)
    wire.run(0.3)
    assert wire.link.standing is Standing.UP
    assert wire.link.other_protocol is None


def test_another_protocol_in_the_middle_ends_the_link(wire: Wire) -> None:
    wire.peer = Peer(boot=2, protocol=3)
    wire.run(0.05)
    assert wire.taken() == [NOTHING_READ]
    assert wire.link.standing is Standing.OTHER_PROTOCOL


# What is said


def test_lights_are_shown_and_nothing_is_said_twice_without_need(wire: Wire) -> None:
    wire.link.show(RED)
    wire.run(0.1)
    assert wire.peer.lights == RED
    assert [kind for _, kind in wire.said] == [ASK, LIGHTS]


def test_before_the_link_is_up_no_light_is_said() -> None:
    wire = Wire()
    wire.from_peer = False
    wire.link.opened()
    wire.link.show(RED)
    wire.run(1.0)
    assert {*wire.kinds()} == {ASK}
    wire.from_peer = True
    wire.run(0.3)
    assert wire.peer.lights == RED


def test_what_was_not_heard_is_said_again_with_the_same_number(wire: Wire) -> None:
    wire.to_peer = False
    wire.link.show(RED)
    wire.run(0.12)
    assert [kind for _, kind in wire.said] == [ASK, LIGHTS, LIGHTS, LIGHTS]
    wire.to_peer = True
    wire.run(0.1)
    assert [(kind, number) for kind, number, _ in wire.peer.applied] == [(ASK, 1), (LIGHTS, 2)]


def test_one_command_is_under_way_at_a_time_and_then_the_newest(wire: Wire) -> None:
    wire.to_peer = False
    wire.link.show(RED)
    wire.run(0.01)
    wire.link.show(BLUE)
    wire.link.show(GREEN)
    wire.run(0.1)
    wire.to_peer = True
    wire.run(0.1)
    assert [lights for _, _, lights in wire.peer.applied] == [None, RED, GREEN]


def test_a_number_that_was_told_before_the_command_was_said_does_not_count(wire: Wire) -> None:
    wire.link.show(RED)
    wire.run(0.05)
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
    wire.link.show(RED)
    wire.run(0.002)
    assert wire.peer.lights == RED


def test_numbers_go_from_1_to_255_and_round(wire: Wire) -> None:
    for shift in range(600):
        wire.link.show((shift,) * 27)
        wire.run(0.003)
    numbers = [number for _, number, _ in wire.peer.applied]
    assert numbers == [1 + at % 255 for at in range(601)]
    assert wire.peer.lights == (599,) * 27


def test_a_controller_that_shows_its_own_lights_is_told_ours_again(wire: Wire) -> None:
    wire.link.show(RED)
    wire.run(0.05)
    wire.peer.flags, wire.peer.lights = 4, None
    wire.run(0.01)
    wire.peer.flags = 0
    wire.run(0.05)
    assert wire.peer.lights == RED


def test_a_controller_that_has_applied_something_else_is_told_ours_again(wire: Wire) -> None:
    wire.link.show(RED)
    wire.run(0.05)
    wire.link.show(BLUE)
    wire.run(0.05)
    wire.peer.taken, wire.peer.lights = 2, RED  # an old frame came once more
    wire.run(0.05)
    assert wire.peer.lights == BLUE


def test_the_last_words_are_dark_whatever_is_under_way(wire: Wire) -> None:
    wire.to_peer = False
    wire.link.show(RED)
    wire.run(0.01)
    wire.peer.receive(wire.link.last_words())
    assert wire.peer.lights == (0,) * 27
    wire.link.closed()
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
    found = [event for event in wire.taken() if isinstance(event, SettingsTold)]
    assert found == [SettingsTold(2, False, DEFAULTS), SettingsTold(3, False, settings)]


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
    wire.link.show(RED)
    wire.run(0.05)
    assert wire.kinds() == [ASK, LIGHTS, ASK]


def test_what_was_requested_is_forgotten_with_the_link(wire: Wire) -> None:
    wire.from_peer = False
    wire.link.request(Store(DEFAULTS))
    wire.link.request(Restart())
    wire.run(1.0)
    wire.from_peer = True
    wire.run(1.0)
    assert RESTART not in wire.kinds()
    assert not any(isinstance(event, SettingsTold) for event in wire.taken())


# Time


def conversation(by_wakes: bool) -> list[tuple[float, int]]:
    """What is said when, in three seconds of which the controller hears and answers the first."""
    link, peer = Link(), Peer()
    link.opened()
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


def test_to_be_told_the_time_when_it_wakes_is_enough() -> None:
    every_tick = conversation(by_wakes=False)
    assert {kind for _, kind in every_tick} == {ASK, HERE}
    said = conversation(by_wakes=True)
    assert [kind for _, kind in said] == [kind for _, kind in every_tick]
    assert [at for at, _ in said] == pytest.approx([at for at, _ in every_tick], abs=0.03)
