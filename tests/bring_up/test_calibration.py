"""A whole calibration: the real firmware in virtual time, and somebody who does what it says."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from puppet import FINGER, Puppet, VirtualLine

from pi_table.common.geometry import leds_of
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.hal.simulated import of_places
from pi_table.devices.wire.settings import PAD_COUNT, PADS, Settings
from pi_table.maintenance.bring_up.calibrate import Outcome, calibrate
from pi_table.maintenance.bring_up.calibration_report import Report
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.guide import ASKED, Guide, lights, propose_settings
from pi_table.maintenance.bring_up.pad_quality import Judgement, Quality
from pi_table.maintenance.bring_up.raw_touch import Pace
from pi_table.maintenance.bring_up.terminal import UNCLEAR
from pi_table.simulator.emulated import EmulatedTable

QUICK = Pace(rest=0.1, settle=0.1, hold=0.2, after=0.1, patience=1.5)
DULL = Settings((120,) * PAD_COUNT, (60,) * PAD_COUNT, (255,) * PAD_COUNT, 700)
"""With these nothing is ever felt."""
B3, C3, D3 = (PADS.index(name) for name in ("B3", "C3", "D3"))


def lead(
    table: EmulatedTable, puppet: Puppet, *pads: int, report: Report | None = None
) -> dict[int, Judgement]:
    conversation = Conversation(VirtualLine(table), "the port")
    return Guide(conversation, puppet, report or Report(None), QUICK).lead(pads)


def test_every_pad_is_asked_for_measured_and_stored(
    host_table: EmulatedTable, tmp_path: Path
) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    conversation.store(DULL)
    stronger = {name: [{name: 10 + pad}] for pad, name in enumerate(PADS)}
    puppet = Puppet(host_table, stronger, "gy")
    log, picture = io.StringIO(), tmp_path / "heat.png"
    assert calibrate(conversation, puppet, Report(log), picture) is Outcome.GOOD
    stored = conversation.settings()
    for pad in range(PAD_COUNT):
        assert abs(stored.touch[pad] - (10 + pad) / 2) <= 1.1
        assert stored.release[pad] == stored.touch[pad] // 2
        assert abs(stored.heavy[pad] - 4 * (10 + pad)) <= 4
    assert stored.most_ma == DULL.most_ma
    assert "Stored, read back, and in use now." in puppet.said
    assert puppet.asked == [
        "Lay a card on each cell, take everything else off the table, hands too, and press Enter:",
        "Store these in the controller? [n]o, [y]es:",
    ]
    assert picture.read_bytes().startswith(b"\x89PNG")
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["what"] for line in lines] == ["begun", "rest", *["touch"] * PAD_COUNT, "ended"]
    assert [line["pad"] for line in lines[2:-1]] == [*PADS]
    assert lines[-1]["stored"]["near"] == {"touch": 20, "release": 10, "heavy": 160}


def test_it_works_on_the_chips_own_binary_too(table: EmulatedTable) -> None:
    found = lead(table, Puppet(table), B3, PADS.index("hourglass"), PADS.index("left"))
    assert [judgement.quality for judgement in found.values()] == [Quality.FINE] * 3
    assert all(abs(judgement.delta - FINGER) < 1.5 for judgement in found.values())


def test_the_light_is_under_the_place_that_is_asked_for(host_table: EmulatedTable) -> None:
    lead(host_table, Puppet(host_table), B3, PADS.index("right"))
    shown = [each.pulses for each in host_table.new_frames()]
    for pad in (B3, PADS.index("right")):
        assert tuple(map(pulses_of_colour, lights(pad, ASKED))) in shown
    assert [led for led, on in enumerate(lights(B3, ASKED)) if on] == [*leds_of(B3)]
    edges = {
        name: {PADS[place] for place, on in enumerate(of_places(lights(PADS.index(name), 1))) if on}
        for name in ("far", "left", "right", "near")
    }
    assert edges == {
        "far": {"A1", "B1", "C1", "D1", "E1"},
        "left": {"A1", "A2", "A3", "A4", "A5"},
        "right": {"E1", "E2", "E3", "E4", "E5"},
        "near": {"A5", "B5", "C5", "D5", "E5"},
    }


@pytest.mark.parametrize(
    ("finger", "quality", "says"),
    [
        ({}, Quality.NOTHING, "B3 shows nothing"),
        ({"B3": 3}, Quality.NOTHING, "B3 shows nothing"),
        ({"B3": 6}, Quality.WEAK, "B3 is weak"),
        ({"D3": 16}, Quality.MIXED_UP, "B3 and D3 are mixed up"),
        ({"B3": 9, "D3": 16}, Quality.MIXED_UP, "D3 reacted more"),
    ],
)
def test_a_place_that_is_not_good_enough_is_named_and_can_be_skipped(
    host_table: EmulatedTable, finger: dict[str, float], quality: Quality, says: str
) -> None:
    puppet = Puppet(host_table, {"B3": [finger]}, "s")
    host_table.tell("noise 0.5")
    found = lead(host_table, puppet, B3, C3)
    assert found[B3].quality is quality
    assert found[C3].quality is Quality.FINE
    assert says in puppet.said[1]  # behind the noise at rest
    before = Settings((7,) * PAD_COUNT, (4,) * PAD_COUNT, (60,) * PAD_COUNT, 2000)
    after = propose_settings(before, found)
    assert (after.touch[B3], after.touch[C3]) == (7, 8)


def test_it_can_be_tried_again(host_table: EmulatedTable) -> None:
    puppet = Puppet(host_table, {"B3": [{}, {"D3": 16}, {"B3": 16}]}, "aa")
    found = lead(host_table, puppet, B3)
    assert found[B3].quality is Quality.FINE
    assert len(puppet.asked) == 2


def test_the_rest_can_be_left_out(host_table: EmulatedTable) -> None:
    puppet = Puppet(host_table, {"C3": [{}]}, "e")
    found = lead(host_table, puppet, B3, C3, D3)
    assert {*found} == {B3, C3}
    assert not any("D3" in text for text in puppet.done)


def test_the_pads_of_a_chip_that_does_not_answer_are_named(host_table: EmulatedTable) -> None:
    host_table.tell("chip 1 nack -")
    puppet = Puppet(host_table, answers="s")
    found = lead(host_table, puppet, PADS.index("B2"), B3)
    assert [judgement.quality for judgement in found.values()] == [
        Quality.FINE,
        Quality.UNREADABLE,
    ]
    assert "hold a finger on B3" not in " ".join(puppet.done)


def test_a_chip_whose_wire_was_mended_is_measured_at_the_next_attempt(
    host_table: EmulatedTable,
) -> None:
    class Mending(Puppet):
        def choose(self, question: str, answers: str, unasked: str) -> str:
            host_table.tell("chip 1 nack 0")
            return super().choose(question, answers, unasked)

    host_table.tell("chip 1 nack -")
    found = lead(host_table, Mending(host_table, answers="a"), B3)
    assert found[B3].quality is Quality.FINE


def test_a_chip_that_fails_for_a_moment_disturbs_nothing(host_table: EmulatedTable) -> None:
    class Jolted(Puppet):
        jolted = False

        def show_task(self, text: str) -> None:
            super().show_task(text)
            if "hold a finger" in text and not self.jolted:
                host_table.tell("chip 1 brown-out")
                self.jolted = True

    found = lead(host_table, Jolted(host_table), B3, C3)
    assert [judgement.quality for judgement in found.values()] == [Quality.FINE] * 2


def test_what_is_not_wanted_is_not_stored(host_table: EmulatedTable, tmp_path: Path) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    before = conversation.settings()
    puppet = Puppet(host_table, {"B1": [{"C1": 16}]}, "gen")
    assert calibrate(conversation, puppet, Report(None), None) is Outcome.INCOMPLETE
    assert conversation.settings() == before
    assert "Nothing was stored: the settings have not changed." in puppet.said


def test_enter_does_not_answer_whether_to_store(host_table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    conversation.store(DULL)
    puppet = Puppet(host_table, answers=f"g{UNCLEAR}{UNCLEAR}n")
    assert calibrate(conversation, puppet, Report(None), None) is Outcome.NOT_STORED
    assert conversation.settings() == DULL
    assert puppet.asked[1:] == ["Store these in the controller? [n]o, [y]es:"] * 3


def test_thresholds_that_need_no_change_are_good() -> None:
    with EmulatedTable("host") as table:  # without noise a touch measures the same each time
        conversation = Conversation(VirtualLine(table), "the port")
        for answers in ("gy", "g"):
            puppet = Puppet(table, answers=answers)
            assert calibrate(conversation, puppet, Report(None), None) is Outcome.GOOD
    assert "No threshold would change: nothing was stored." in puppet.said


def test_a_picture_that_cannot_be_written_costs_nothing_else(
    host_table: EmulatedTable, tmp_path: Path
) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    puppet = Puppet(host_table, {"B1": [{"C1": 16}]}, "gey")
    calibrate(conversation, puppet, Report(None), tmp_path / "missing" / "heat.png")
    assert any("cannot be written: No such file" in text for text in puppet.said)
    assert "Stored, read back, and in use now." in puppet.said


def test_where_nothing_was_found_nothing_is_asked(host_table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    puppet = Puppet(host_table, {"A1": [{"B1": 16}]}, "ge")
    assert calibrate(conversation, puppet, Report(None), None) is Outcome.INCOMPLETE
    assert len(puppet.asked) == 2


def test_breaking_it_off_leaves_the_settings(host_table: EmulatedTable) -> None:
    class Impatient(Puppet):
        def show_task(self, text: str) -> None:
            super().show_task(text)
            if text.startswith("3/31: keep"):
                raise KeyboardInterrupt

    conversation = Conversation(VirtualLine(host_table), "the port")
    before = conversation.settings()
    with pytest.raises(KeyboardInterrupt):
        calibrate(conversation, Impatient(host_table, answers="g"), Report(None), None)
    assert conversation.settings() == before


def test_the_recorded_shape_is_one_that_a_table_without_hardware_can_play(
    host_table: EmulatedTable,
) -> None:
    log = io.StringIO()
    puppet = Puppet(host_table, {"B3": [{"B3": 20, "C3": 7}]})
    lead(host_table, puppet, B3, report=Report(log))
    line: dict[str, Any] = json.loads(log.getvalue().splitlines()[-1])
    assert (line["pad"], line["quality"]) == ("B3", "fine")
    assert (line["proposed"]["touch"], line["proposed"]["release"]) == (10, 5)
    assert abs(line["proposed"]["heavy"] - 80) <= 4  # a count more or less, by noise
    assert {*line["others"]} == {"C3"}
    times = [at for at, _ in line["shape"]]
    assert times == sorted(times)
    assert times[0] < 0 < times[-1]
    held = [counts for at, counts in line["shape"] if 100 <= at <= 300]
    assert all(abs(counts - 20) < 3 for counts in held)
    again = " ".join(f"{at - times[0]}:{max(counts, 0):.1f}" for at, counts in line["shape"][::3])
    assert host_table.tell(f"shape 1 D4 {again}") == ""
