"""The untouched pads in the dark, in white and in moving light: real firmware in virtual time."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest
from puppet import Puppet, VirtualLine
from said import LOOK, OK, assert_says

from pi_table.common.config import Config, load
from pi_table.common.geometry import SIDE, leds_of
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.wire.settings import PAD_COUNT, PADS
from pi_table.maintenance.bring_up.calibration_report import Report
from pi_table.maintenance.bring_up.controller_findings import table as table_findings
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.findings import Finding
from pi_table.maintenance.bring_up.guide import Guide
from pi_table.maintenance.bring_up.pad_quality import Judgement, Quality
from pi_table.maintenance.bring_up.raw_touch import Pace
from pi_table.maintenance.bring_up.rest import Lamps, measure, open_lamps
from pi_table.maintenance.bring_up.rest_pictures import FRAME_SECONDS, Picture, frame_of
from pi_table.simulator.emulated import EmulatedTable

QUICK = Pace(rest=0.1, settle=0.1, hold=0.2, after=0.1, patience=1.5)
C3, D3 = PADS.index("C3"), PADS.index("D3")
ESTIMATE = "crosstalk all 0.2 2"
"""What a review reckons for a table: 1 to 2 mV of its ground at each edge, some 0.02 pF to the
data."""
BAD_GROUND, BAD_DATA = "crosstalk C3 30", "crosstalk C3 0.2 200"


def doctor(table: EmulatedTable, lamps: Lamps | None = None) -> Finding:
    conversation = Conversation(VirtualLine(table), "the port")
    found = table_findings(conversation, False, lamps=lamps)
    return {finding.what: finding for finding in found}["electrodes"]


def lead(
    table: EmulatedTable, puppet: Puppet, *pads: int, report: Report | None = None
) -> dict[int, Judgement]:
    conversation = Conversation(VirtualLine(table), "the port")
    return Guide(conversation, puppet, report or Report(None), QUICK).lead(pads)


# The pictures


def test_the_moving_picture_changes_every_row_and_never_flashes_too_fast() -> None:
    frames = [frame_of(Picture.MOVING, (number + 0.5) * FRAME_SECONDS) for number in range(250)]
    assert all(one != other for one, other in pairwise(frames))
    for row in range(SIDE + 1):
        lit = [frame[leds_of(row * SIDE)[0]] > 0 for frame in frames]
        flashes = sum(now and not before for before, now in pairwise(lit))
        assert 19 <= flashes <= 30  # in ten seconds


def test_the_lights_show_each_picture_while_it_is_measured(table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(table), "the port")
    conversation.pause(1.0)
    begun, shown = conversation.now(), dict[Picture, float]()
    table.new_frames()

    def tell(picture: Picture) -> None:
        shown[picture] = conversation.now()

    rest = measure(conversation, Lamps(conversation.show), tell)
    seconds = conversation.now() - begun
    assert seconds < 9.5
    assert [*rest.quiets] == [*shown] == [Picture.DARK, Picture.WHITE, Picture.MOVING]
    frames = [(one.at_us / 1e6, one.pulses) for one in table.new_frames()]
    white = [pulses for at, pulses in frames if shown[Picture.WHITE] < at < shown[Picture.MOVING]]
    assert min(map(sum_of, white)) == max(map(sum_of, white)) > 0
    assert 1900 < current_of(white[-1]) <= 2000  # the limit lets no more through
    moving = [pulses for at, pulses in frames if shown[Picture.MOVING] < at]
    changes = sum(one != other for one, other in pairwise(moving))
    assert changes >= 20 * 2.5
    assert sum_of(frames[-1][1]) == 0
    dark = [pulses for at, pulses in frames if begun < at < shown[Picture.WHITE]]
    assert all(sum_of(pulses) == 0 for pulses in dark[1:])


def test_a_still_picture_is_sent_once(host_table: EmulatedTable) -> None:
    """A strip sends each frame that it is given, and its data line is quiet between two."""
    frames: list[LightFrame] = []
    measure(Conversation(VirtualLine(host_table), "the port"), Lamps(frames.append))
    still = {frame_of(picture, 0.0) for picture in (Picture.DARK, Picture.WHITE)}
    assert [frames.count(frame) for frame in still].count(1) == 1, "white"
    assert frames.count(frame_of(Picture.DARK, 0.0)) == 2, "at the beginning and at the end"
    assert len(frames) > 40


class HurriedLine(VirtualLine):
    """A line whose clock goes on at each look, as a real one does."""

    looks = 0

    def now(self) -> float:
        self.looks += 1
        return super().now() + self.looks * 0.0005


def test_a_pause_ends_in_silence_however_the_clock_goes_on(host_table: EmulatedTable) -> None:
    conversation = Conversation(HurriedLine(host_table), "the port")
    for milliseconds in range(40):
        conversation.pause(milliseconds / 1000)


def sum_of(pulses: tuple[int, ...]) -> int:
    return sum((pulse >> 16) + (pulse >> 8 & 0xFF) + (pulse & 0xFF) for pulse in pulses)


def current_of(pulses: tuple[int, ...]) -> float:
    return len(pulses) + sum_of(pulses) * 20 / 255


# A table whose lights disturb a pad


def test_a_pad_that_only_white_light_disturbs_is_found(host_table: EmulatedTable) -> None:
    host_table.tell(BAD_GROUND)
    found = doctor(host_table)
    assert_says(found, LOOK, "Quiet in the dark, too noisy in white light: C3.")
    assert "ground wires" in found.do
    noises = found.figures["pads"]["C3"]["noises"]  # type: ignore[index]
    assert noises["dark"] < 3 < noises["white"]
    assert found.figures["pads"]["C3"]["noise"] == max(noises.values())  # type: ignore[index]
    assert found.figures["disturbed"] == {"white": ["C3"]}
    puppet = Puppet(host_table, answers="s")
    judged = lead(host_table, puppet, C3, D3)
    assert (judged[C3].quality, judged[C3].disturbed_by) == (Quality.WEAK, Picture.WHITE)
    assert judged[D3].quality is Quality.FINE
    assert "C3 is fine in the dark, but the lights disturb it" in puppet.said[1]
    assert "in white light, SNR" in puppet.said[1]
    assert "hatch the pad's copper (hardware/ELECTRODES.md)" in puppet.said[1]


@pytest.mark.parametrize("table", ["host", "emulated", "pi"], indirect=True)
def test_a_pad_that_only_moving_light_disturbs_is_found(table: EmulatedTable) -> None:
    table.tell(BAD_DATA)
    found = doctor(table)
    assert_says(found, LOOK, "Quiet in the dark, too noisy in moving light: C3.")
    assert "the lights' data" in found.do
    log, puppet = io.StringIO(), Puppet(table, answers="s")
    judged = lead(table, puppet, C3, report=Report(log))
    assert (judged[C3].quality, judged[C3].disturbed_by) == (Quality.WEAK, Picture.MOVING)
    assert "in moving light, SNR" in puppet.said[1]
    rest, touch = map(json.loads, log.getvalue().splitlines())
    noise = {name: pads["C3"][1] for name, pads in rest["pictures"].items()}
    assert [*noise] == ["dark", "white", "moving"]
    assert max(noise["dark"], noise["white"]) < 3 < noise["moving"]
    assert rest["pads"]["C3"][1] == touch["noise"] == noise["moving"]
    assert (touch["quality"], touch["disturbed_by"]) == ("weak", "moving")


@pytest.mark.parametrize("table", ["host", "emulated", "pi"], indirect=True)
def test_a_table_as_it_is_reckoned_is_fine(table: EmulatedTable) -> None:
    table.tell(ESTIMATE)
    found = doctor(table)
    assert_says(found, OK, "31 pads, noise at most")
    assert found.rows[-1].startswith("Noise at rest, at most: ")
    assert "counts in the dark, " in found.rows[-1]
    assert "in white light, " in found.rows[-1]
    puppet = Puppet(table)
    assert lead(table, puppet, C3)[C3].quality is Quality.FINE
    assert puppet.said[0].startswith("Noise at rest, at most: ")


def test_noise_that_is_there_in_the_dark_too_is_not_blamed_on_the_lights(
    host_table: EmulatedTable,
) -> None:
    host_table.tell("noise 1.4")
    host_table.tell(BAD_GROUND)
    found = doctor(host_table)
    assert_says(found, LOOK, "Too much noise to tell a finger from it: A1,")
    assert found.figures["disturbed"] == {}


# Lights that cannot be shown


@contextmanager
def lamps_of(config: Config, table: EmulatedTable) -> Iterator[Lamps]:
    with open_lamps(config, Conversation(VirtualLine(table), "the port")) as lamps:
        yield lamps


@pytest.mark.parametrize(
    ("lights", "why"),
    [
        ({"driver": "simulated"}, "The lights are simulated, so nothing else was measured."),
        (
            {"driver": "ws2812-pio", "device": "/nowhere/leds0"},
            "Nothing else was measured, as the lights do not work: ",
        ),
    ],
)
def test_lights_that_cannot_be_shown_are_told(
    host_table: EmulatedTable, lights: dict[str, str], why: str
) -> None:
    config = load(changes={"lights": lights})
    with lamps_of(config, host_table) as lamps:
        found = doctor(host_table, lamps)
    assert_says(found, OK, f"{PAD_COUNT} pads, noise at most")
    assert found.figures["pictures"] == ["dark"]
    assert "counts in the dark. " in found.rows[-1]
    assert why in found.rows[-1]
    log = io.StringIO()
    with lamps_of(config, host_table) as lamps:
        conversation = Conversation(VirtualLine(host_table), "the port")
        guide = Guide(conversation, Puppet(host_table), Report(log), QUICK, lamps)
        assert guide.lead([C3])[C3].quality is Quality.FINE
    rest = json.loads(log.getvalue().splitlines()[0])
    assert [*rest["pictures"]] == ["dark"]
    assert why in rest["why"]
