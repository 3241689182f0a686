"""The binary for the ATmega328P, run in the emulator with its touch chips and its lights."""

import random
from collections.abc import Iterator

import pytest
from chip_under_test import ALL_CHIPS, FINGER, MS, Chip, Said, at_rest, switched_on

from pi_table.common.geometry import END_TURN, HOURGLASS, LED_COUNT, leds_of, place_named
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.wire.commands import Ask, Restart, Store, Tell, check_of
from pi_table.devices.wire.messages import Hello, Origin, Raw, SettingsReply, Start, State
from pi_table.devices.wire.settings import PAD_COUNT, Settings
from pi_table.simulator.emulated import Shown

C3 = place_named("C3")
RAM_BYTES = 2048
FULL = Settings((7,) * PAD_COUNT, (4,) * PAD_COUNT, (60,) * PAD_COUNT, most_ma=6500)
"""The lights may draw all that they can, so that they show what they are told."""
COLOURS = tuple(0x010203 * led + 0x280000 for led in range(LED_COUNT))


@pytest.fixture
def chip() -> Iterator[Chip]:
    with at_rest() as chip:
        yield chip


def states(said: list[Said]) -> list[tuple[int, State]]:
    return [(at_us, message) for at_us, message in said if isinstance(message, State)]


def touched_at(said: list[Said], place: int | None) -> int:
    """When the place was first told as touched."""
    return next(at_us for at_us, state in states(said) if place in state.touched)


def pulses_of(frame: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(pulses_of_colour, frame))


def shown_by(chip: Chip, frame: tuple[int, ...]) -> Shown:
    (shown,) = (each for each in chip.table.new_frames() if each.pulses == pulses_of(frame))
    return shown


# What it is there for


def test_switched_on_it_says_hello_with_all_its_chips_within_a_tenth_of_a_second() -> None:
    with switched_on() as chip:
        first = chip.run(150)[0]
    assert first.at_us < 100 * MS
    assert first.message == Hello(
        firmware=(0, 8, 0),
        boot=1,
        start=Start.POWER,
        chips=ALL_CHIPS,
        lights=104,
        settings=Origin.NEW,
    )


def test_it_counts_a_millisecond_as_one(chip: Chip) -> None:
    first, *_, last = states(chip.run(10_000))
    told_ms = last[1].uptime_ms - first[1].uptime_ms
    assert told_ms == pytest.approx((last[0] - first[0]) / MS, abs=2)


def test_a_finger_is_suspected_in_17_ms_told_in_33_and_its_lifting_in_40(chip: Chip) -> None:
    for phase in range(20):
        chip.run(100 + 0.73 * phase)
        begun_us = chip.now_us
        chip.table.tell(f"shape 0 C3 1:{FINGER}")
        said = chip.run(200)
        suspected_at = next(at for at, state in states(said) if state.perhaps == {C3})
        assert suspected_at - begun_us <= 17 * MS
        assert touched_at(said, C3) - begun_us <= 33 * MS
        begun_us = chip.now_us
        chip.table.tell("clear 0")
        lifted_at = next(at for at, state in states(chip.run(200)) if not state.touched)
        assert lifted_at - begun_us <= 40 * MS


@pytest.mark.parametrize("place", ["A1", "E1", "A3", "E4", "B5", "end-turn", "hourglass"])
def test_a_finger_is_felt_where_it_is_and_nowhere_else(chip: Chip, place: str) -> None:
    chip.table.tell(f"shape 0 {place} 1:{FINGER}")
    assert chip.state().touched == {place_named(place)}


def test_what_the_pi_orders_is_on_the_pin_within_21_ms_led_by_led(chip: Chip) -> None:
    chip.say(Store(FULL))
    chip.run(500)
    begun_us = chip.now_us
    number = chip.light(COLOURS)
    assert any(state.applied == number for _, state in states(chip.run(50)))
    shown = shown_by(chip, COLOURS)
    assert shown.whole
    assert shown.at_us - begun_us <= 21 * MS


def test_a_cell_that_changes_is_on_the_pin_within_8_ms_and_all_others_stay(chip: Chip) -> None:
    chip.say(Store(FULL))
    chip.run(500)
    chip.light(COLOURS)
    chip.run(50)
    for place in (0, 12, 26):
        changed = [*COLOURS]
        for led in leds_of(place):
            changed[led] = 0xFFFFFF
        begun_us = chip.now_us
        chip.light(tuple(changed), [place])
        chip.run(20)
        assert shown_by(chip, tuple(changed)).at_us - begun_us <= 8 * MS
        chip.light(COLOURS, [place])
        chip.run(20)


def test_of_50_frames_a_second_over_the_whole_table_each_is_shown(chip: Chip) -> None:
    chance = random.Random(3)
    frames = [tuple(chance.choices(range(64), k=LED_COUNT)) for _ in range(50)]
    for frame in frames:
        chip.light(frame)
        chip.run(20)
    chip.run(5)  # of which the last one takes its part
    shown = [each.pulses for each in chip.table.new_frames()]
    assert shown[-50:] == [pulses_of(frame) for frame in frames]
    state = chip.state()
    assert state.lost == state.dropped == 0
    assert state.check == check_of(frames[-1])


def test_it_is_as_quick_while_it_writes_its_memory(chip: Chip) -> None:
    chip.light(COLOURS)
    chip.run(50)
    chip.say(Store(FULL))
    for phase in range(12):  # of the third of a second that it takes
        chip.run(10 + 1.1 * phase)
        frame = (*COLOURS[:100], *[20 * phase + 20] * 4)
        begun_us = chip.now_us
        chip.light(frame, [END_TURN, HOURGLASS])
        chip.run(12)
        assert shown_by(chip, frame).at_us - begun_us <= 10 * MS


def test_the_lights_go_on_with_a_touch_chip_that_does_not_answer() -> None:
    with switched_on() as chip:
        chip.table.tell("chip 1 nack -")
        assert chip.started(300).chips == {0, 2}
        chip.light(COLOURS)
        assert chip.state().chips == {0, 2}
        assert chip.table.stats["frames"] > 0


# Its limits, measured


def test_under_full_traffic_every_bit_of_light_is_in_time_and_no_byte_is_lost(chip: Chip) -> None:
    chance = random.Random(7)
    chip.say(Store(FULL))
    chip.run(500)
    for round_ in range(300):
        if round_ % 5 == 0:
            number = chip.say(Ask(chance.choice(list(Tell))))
        else:
            number = chip.light(tuple(chance.choices((0, 0xFFFFFF), k=LED_COUNT)))
        chip.table.tell(f"shape {round_ % 16} C3 5:{FINGER} 50:0")
        state = chip.applied(number)
    stats = chip.table.stats
    assert state.lost == state.dropped == stats["overruns"] == 0
    assert stats["frames"] >= 240
    assert stats["bit_worst_ns"] <= 150
    assert stats["off_worst_us"] <= 60
    assert stats["gap_worst_us"] < 50  # what the oldest strips take for a latch
    assert stats["ram"] <= RAM_BYTES - 256
    assert stats["starts"] == 1


def test_a_line_that_is_never_free_overruns_no_receive_buffer_and_what_follows_is_obeyed(
    chip: Chip,
) -> None:
    for round_ in range(100):  # more than it can show: it forgets, and counts what it forgets
        chip.light((round_,) * LED_COUNT, range(7))
        chip.run(3.8)
    chip.run(100)
    chip.light(COLOURS)  # perhaps the end of a frame that lost its own
    chip.applied(chip.light(COLOURS))
    stats = chip.table.stats
    assert stats["overruns"] == 0
    assert stats["bit_worst_ns"] <= 150
    assert stats["off_worst_us"] <= 60
    assert stats["starts"] == 1


def test_all_white_draws_no_more_than_is_set(chip: Chip) -> None:
    for most_ma in (500, 6500):
        chip.say(Store(Settings(FULL.touch, FULL.release, FULL.heavy, most_ma)))
        chip.run(600)
        chip.light((0xFFFFFF,) * LED_COUNT)
        assert chip.state().starving == (most_ma == 500)
        assert chip.table.stats["current_worst_ma"] <= most_ma


# What goes wrong


def test_when_it_hangs_the_watchdog_starts_it_anew_within_600_ms(chip: Chip) -> None:
    boot = chip.state().boot
    begun_us = chip.now_us
    chip.cut_short("hang")
    hello_us, hello = chip.run(1000)[0]
    assert isinstance(hello, Hello)
    assert hello.start is Start.WATCHDOG
    assert hello.boot != boot
    assert 450 * MS <= hello_us - begun_us <= 650 * MS
    assert chip.table.stats["watchdog"] == 1
    assert chip.table.stats["starts"] == 2


def test_it_does_not_bark_at_a_controller_that_works(chip: Chip) -> None:
    chip.run(20_000)
    assert chip.table.stats["starts"] == 1


@pytest.mark.parametrize(
    ("line", "start"), [("reset", Start.RESET_LINE), ("power-cut", Start.POWER)]
)
def test_it_says_why_it_started(chip: Chip, line: str, start: Start) -> None:
    boot = chip.state().boot
    chip.cut_short(line)
    hello = chip.started()
    assert hello.start is start
    assert hello.boot != boot
    assert hello.chips == ALL_CHIPS


def test_reset_in_the_midst_of_a_frame_of_light_it_shows_whole_ones_again(chip: Chip) -> None:
    for phase in range(12):
        chip.light(COLOURS)
        chip.run(5 + 0.017 * phase)
        chip.cut_short("reset")
        chip.started()
        list(chip.table.new_frames())  # among them what was cut short
        chip.light(COLOURS[::-1])
        chip.run(50)
        shown = list(chip.table.new_frames())
        assert shown
        assert all(each.whole for each in shown)
    assert chip.table.stats["bit_worst_ns"] <= 150


@pytest.mark.parametrize("begin_ms", [0, 3.1, 7.7, 11.9])
def test_a_chip_that_holds_the_data_line_is_freed_by_nine_clocks(
    chip: Chip, begin_ms: float
) -> None:
    chip.run(begin_ms)
    chip.table.tell("chip 1 hold 60000")
    assert chip.state(2000).chips == ALL_CHIPS
    chip.table.tell(f"shape 0 C3 1:{FINGER}")
    assert chip.state().touched == {C3}


def test_a_chip_that_answers_again_is_taken_up_again(chip: Chip) -> None:
    chip.table.tell("chip 2 nack -")
    assert chip.state(1000).chips == {0, 1}
    chip.table.tell("chip 2 nack 0")
    assert chip.state(3000).chips == ALL_CHIPS


def test_what_came_while_the_line_was_cut_is_lost_on_both_sides(chip: Chip) -> None:
    chip.cut_short("unplug")
    number = chip.light(COLOURS)
    assert chip.run(1000) == []
    chip.cut_short("plug")
    state = chip.state(250)
    assert state.applied != number
    assert state.uptime_ms > 1000


def test_half_a_command_before_the_line_was_cut_is_no_command(chip: Chip) -> None:
    chip.light(COLOURS)
    chip.run(2)
    chip.cut_short("unplug")
    chip.cut_short("plug")
    number = chip.say(Restart())
    states_then = states(chip.run(500))
    assert {state.applied for _, state in states_then} <= {0, number}
    assert not [shown for shown in chip.table.new_frames() if shown.pulses == pulses_of(COLOURS)]


# What it keeps


def test_settings_outlive_the_power() -> None:
    other = Settings((9,) * PAD_COUNT, (5,) * PAD_COUNT, (70,) * PAD_COUNT, most_ma=1234)
    with at_rest() as chip:
        chip.say(Store(other))
        chip.run(1000)
        memory = chip.table.memory
    with switched_on(memory) as chip:
        assert chip.started().settings is Origin.STORED
        chip.say(Ask(Tell.SETTINGS))
        (told,) = (m for _, m in chip.run(100) if isinstance(m, SettingsReply))
        assert told.settings == other


@pytest.mark.parametrize("cut_ms", [*range(10, 400, 30), 351.3, 357.9])
def test_power_cut_while_settings_are_stored_leaves_the_old_ones_or_the_new(cut_ms: float) -> None:
    oldest, old, new = (
        Settings((touch,) * PAD_COUNT, (touch - 2,) * PAD_COUNT, (90 + touch,) * PAD_COUNT, 1000)
        for touch in (9, 11, 13)
    )
    with at_rest() as chip:
        for settings in (oldest, old):
            chip.say(Store(settings))
            chip.run(600)
        chip.say(Store(new))
        chip.run(cut_ms)
        chip.cut_short("power-cut")
        assert chip.started().settings is Origin.STORED
        chip.say(Ask(Tell.SETTINGS))
        (told,) = (m for _, m in chip.run(100) if isinstance(m, SettingsReply))
        assert told.settings in (old, new)


def test_it_tells_the_raw_counts_of_every_pad(chip: Chip) -> None:
    chip.table.tell(f"shape 0 C3 1:{FINGER}")
    chip.run(100)
    chip.say(Ask(Tell.RAW))
    (raw,) = (m for _, m in chip.run(100) if isinstance(m, Raw))
    for pad, (count, baseline) in enumerate(zip(raw.filtered, raw.baseline, strict=True)):
        assert count is not None
        assert baseline - count == pytest.approx(FINGER if pad == C3 else 0, abs=4)
