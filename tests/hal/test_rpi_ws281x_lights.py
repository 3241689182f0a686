"""The bytes of the real library over SPI, and the machines where it is not even imported."""

import random
import select
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE
from pi_with_spi import PiWithSpi, files_of
from test_contract_strip import SpiRig

from pi_table.common.geometry import LED_COUNT, PLACES
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.hal.pi_board import spi_bytes
from pi_table.devices.hal.strip import CHANNEL_MA, IDLE_MA

pytestmark = pytest.mark.paced

PI_4 = ("Raspberry Pi 4 Model B Rev 1.4", 0xC03114)
FRAMES = 200


def random_frames(count: int) -> Iterator[LightFrame]:
    """Frames of any colours, of faint ones and of few, and the ends of what there is."""
    chance = random.Random(2812)
    yield (0xFFFFFF,) * LED_COUNT
    yield (0x000001,) * LED_COUNT
    for number in range(count - 2):
        most = (0xFF, 0x0F, 0x40)[number % 3]
        yield tuple(
            int.from_bytes(bytes(chance.randint(0, most) for _ in range(3)), "big")
            for _ in range(LED_COUNT)
        )


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[SpiRig]:
    rig = SpiRig(tmp_path)
    yield rig
    assert rig.pi.end() == 0


def test_every_led_of_random_frames_gets_its_exact_colour(rig: SpiRig) -> None:
    for number, frame in enumerate(random_frames(FRAMES)):
        rig.lights.show(frame)
        rig.until(lambda number=number: len(rig.seen) > number)  # type: ignore[misc]
        assert rig.seen[number] == tuple(map(pulses_of_colour, frame))
    assert len(rig.seen) == FRAMES
    assert rig.pi.speed == 2_400_000


def test_a_frame_has_room_in_the_buffer_and_ends_by_a_rest(rig: SpiRig) -> None:
    rig.lights.show((0xFFFFFF,) * LED_COUNT)
    rig.until(lambda: bool(rig.seen))
    assert len(rig.pi.newest) == spi_bytes(LED_COUNT)
    assert rig.pi.newest.rest_us > 280  # the newer parts of the kind want as much


def test_a_string_of_another_layout_gets_its_own_lights_in_its_own_order(tmp_path: Path) -> None:
    files_of(tmp_path, *PI_4)
    mine = tmp_path / "mine.txt"
    mine.write_text("\n".join(("order RGB", "-", *PLACES)))
    pi = PiWithSpi(tmp_path, layout=str(mine))
    pi.show((0xFF8000,) * LED_COUNT)
    pi.read()
    while not pi.messages:
        select.select([pi.witness], [], [], PATIENCE)
        pi.read()
    red, green, blue = pulses_of_colour(0xFF8000).to_bytes(3, "big")
    assert pi.newest.lights(28) == [(0, 0, 0), *[(red, green, blue)] * 27]
    assert pi.end() == 0


def test_a_line_that_fails_is_told_once_and_shows_the_newest_when_it_is_back(rig: SpiRig) -> None:
    rig.pi.failing.touch()
    rig.lights.show((0xFF0000,) * LED_COUNT)
    rig.lights.show((0x00FF00,) * LED_COUNT)
    rig.serve()
    assert rig.seen == []
    rig.pi.failing.unlink()
    rig.until(lambda: rig.seen[-1:] == [(0x00FF00,) * LED_COUNT])
    rig.lights.close()
    told = rig.pi.log
    assert told.count("WARNING The lights at /dev/spidev0.0 do not take a frame") == 1
    assert told.endswith("INFO The lights are back.\n")


def test_no_frame_draws_more_than_it_may(tmp_path: Path) -> None:
    rig = SpiRig(tmp_path, most_ma=2000)
    rig.lights.show((0xFFFFFF,) * LED_COUNT)
    rig.until(lambda: bool(rig.seen))
    channels = [channel for pulse in rig.seen[-1] for channel in pulse.to_bytes(3, "big")]
    drawn = IDLE_MA * LED_COUNT + sum(channels) * CHANNEL_MA / 255
    assert 1950 < drawn <= 2000
    assert len({*channels}) == 1
    assert rig.pi.end() == 0


@pytest.mark.parametrize(
    ("model", "revision", "says"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", 0xD04170, "name 'ws2812-pio' or 'controller'"),
        ("Raspberry Pi 2 Model B Rev 1.1", 0xA21041, "name 'controller'"),
        ("Raspberry Pi 4 Model B Rev 9.9", 0xC0311F, "Hardware revision is not supported"),
        ("", 0, "which this machine is not"),
    ],
)
def test_where_the_library_does_not_do_that_is_said_and_nothing_crashes(
    tmp_path: Path, model: str, revision: int, says: str
) -> None:
    files_of(tmp_path, model, revision)
    pi = PiWithSpi(tmp_path)
    assert says in pi.said
    assert pi.said.endswith(".")
    assert "controller" in pi.said
    assert pi.end() == 0
    assert pi.log == ""


@pytest.mark.parametrize("device", ["/dev/spidev0.0", "/dev/gpiomem"])
def test_a_device_that_is_missing_is_named(tmp_path: Path, device: str) -> None:
    files_of(tmp_path, *PI_4)
    pi = PiWithSpi(tmp_path, lacks=device)
    assert f"There is no {device}" in pi.said
    assert pi.end() == 0


def test_a_buffer_in_which_a_frame_has_no_room_is_told(tmp_path: Path) -> None:
    files_of(tmp_path, *PI_4, bufsiz=spi_bytes(LED_COUNT) - 1)
    pi = PiWithSpi(tmp_path)
    assert "append spidev.bufsiz=4096" in pi.said
    assert pi.end() == 0


def test_the_line_is_let_go_when_the_lights_are_closed(rig: SpiRig) -> None:
    rig.lights.show((0xFFFFFF,) * LED_COUNT)
    rig.serve()
    opened = rig.pi.closed
    rig.lights.close()
    rig.until(lambda: rig.pi.closed > opened)
    assert rig.seen[-1] == (0,) * LED_COUNT
