"""A conversation with the controller: the real firmware, in virtual time, and others' answers."""

from collections.abc import Callable

import pytest
from puppet import VirtualLine

from pi_table import __version__
from pi_table.common.errors import DeviceError
from pi_table.common.geometry import LED_COUNT
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.wire.codec import Deframer, frame
from pi_table.devices.wire.messages import PROTOCOL, Origin, Start
from pi_table.devices.wire.settings import PAD_COUNT, PADS, Settings
from pi_table.maintenance.bring_up.conversation import (
    ANSWER_SECONDS,
    GREETING_SECONDS,
    Conversation,
)
from pi_table.simulator.emulated import EmulatedTable

B3 = PADS.index("B3")
OTHERS = Settings((9,) * PAD_COUNT, (5,) * PAD_COUNT, (80,) * PAD_COUNT, 1500)


def test_the_controller_says_who_it_is(table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(table), "the port")
    assert ".".join(map(str, conversation.hello.firmware)) == __version__
    assert conversation.hello.chips == {0, 1, 2}
    assert conversation.hello.start is Start.POWER
    assert conversation.hello.settings is Origin.NEW
    assert conversation.state().boot == conversation.hello.boot


def test_counts_fall_under_a_finger(table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(table), "the port")
    conversation.pause(0.5)
    before = conversation.raw().filtered[B3]
    table.tell("shape 0 B3 20:30")
    conversation.pause(0.2)
    after = conversation.raw().filtered[B3]
    assert before is not None
    assert after is not None
    assert 27 <= before - after <= 33


def test_a_chip_that_is_back_in_a_moment_is_not_missing(table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(table), "the port")
    conversation.pause(0.5)
    table.tell("chip 0 nack 4")
    while 0 in conversation.state().chips:
        pass
    assert conversation.state_after_restarts().chips == {0, 1, 2}
    table.tell("chip 0 nack -")
    conversation.pause(0.5)
    assert conversation.state_after_restarts().chips == {1, 2}


def test_what_is_stored_is_in_use_and_kept(table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(table), "the port")
    conversation.store(OTHERS)
    assert conversation.settings() == OTHERS
    conversation.pause(1.0)  # the EEPROM takes its time
    table.tell("power-cut")
    again = Conversation(VirtualLine(table), "the port")
    assert again.hello.settings is Origin.STORED
    assert again.settings() == OTHERS


def test_the_lights_show_what_they_are_told(
    conversation: Conversation, host_table: EmulatedTable
) -> None:
    frame = tuple(0x0A141E * (led % 7) for led in range(LED_COUNT))
    conversation.show(frame)
    conversation.pause(0.2)
    assert [*host_table.new_frames()][-1].pulses == tuple(map(pulses_of_colour, frame))
    assert not conversation.state().dark


def test_chips_that_are_started_anew_forget_what_lay_there(
    conversation: Conversation, host_table: EmulatedTable
) -> None:
    host_table.tell("shape 0 B3 20:30")
    conversation.pause(0.5)
    assert B3 in conversation.state().touched
    conversation.restart()
    conversation.pause(1.0)
    assert B3 not in conversation.state().touched


def test_a_link_that_is_lost_for_a_while_is_waited_for(
    conversation: Conversation, host_table: EmulatedTable
) -> None:
    host_table.tell("reset")
    boot = conversation.hello.boot
    assert conversation.raw().filtered[B3] is not None
    assert conversation.hello.boot != boot
    assert conversation.hello.start is Start.RESET_LINE


def test_a_controller_that_stays_away_is_told(
    conversation: Conversation, host_table: EmulatedTable
) -> None:
    host_table.tell("unplug")
    begun = conversation.now()
    with pytest.raises(DeviceError, match="The controller at the port has stopped answering"):
        conversation.raw()
    assert ANSWER_SECONDS <= conversation.now() - begun < ANSWER_SECONDS + 1


class Bending(VirtualLine):
    """A line on which each message to the controller is changed."""

    def __init__(self, table: EmulatedTable, change: Callable[[bytes], bytes]) -> None:
        super().__init__(table)
        self._change = change

    def send(self, data: bytes) -> None:
        for message in Deframer().feed(data):
            super().send(frame(self._change(message)))


def test_settings_that_the_controller_refuses_leave_the_old_ones(host_table: EmulatedTable) -> None:
    def touch_of_200(message: bytes) -> bytes:
        return message[:2] + b"\xc8" + message[3:] if message[0] == 0x13 else message

    conversation = Conversation(Bending(host_table, touch_of_200), "the port")
    before = conversation.settings()
    with pytest.raises(DeviceError, match="refused the settings and keeps those that it has"):
        conversation.store(OTHERS)
    assert conversation.settings() == before


class Babble:
    """A line on which something says the same for ever."""

    def __init__(self, says: bytes) -> None:
        self._says = says
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def send(self, data: bytes) -> None:
        """It does not listen."""

    def receive(self, seconds: float) -> bytes:
        self._now += max(seconds, 0.01)
        return self._says


@pytest.mark.parametrize(
    ("says", "told"),
    [
        (b"", "does not answer"),
        (b"$GPGGA,123519,4807.038,N\r\n", "does not answer"),
        (b"\0", "does not answer"),
        (frame(bytes((0x01, PROTOCOL + 1)) + bytes(20)), "a newer firmware: it speaks version 5"),
        (frame(bytes((0x01, 0)) + bytes(11)), "an older firmware: it speaks version 0"),
    ],
)
def test_what_is_no_controller_of_ours_is_told(says: bytes, told: str) -> None:
    line = Babble(says)
    with pytest.raises(DeviceError, match=told) as refused:
        Conversation(line, "the port")
    assert "pi-table flash" in str(refused.value)
    assert "the port" in str(refused.value)
    assert line.now() < GREETING_SECONDS + 1
