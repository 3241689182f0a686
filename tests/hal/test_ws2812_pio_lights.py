"""The bytes written to the kernel's device, and the sentences about a wrong device."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest
from test_contract_strip import PICTURE, PioRig
from test_rpi_ws281x_lights import FRAMES, random_frames

from pi_table.common.config import load
from pi_table.common.errors import DeviceError, InputError
from pi_table.common.geometry import LED_COUNT
from pi_table.devices.hal import pi_board
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.hal.strip_lights import StripLights
from pi_table.devices.hal.ws2812_pio_lights import open_driver

PRESET = resources.files("pi_table.common") / "layouts/string-100.txt"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[PioRig]:
    with closing(PioRig(tmp_path)) as rig:
        yield rig


def opened(device: Path, most_ma: int = 6500, layout: str = "tiles") -> StripLights:
    loop = asyncio.new_event_loop()
    try:
        lights = {
            "driver": "ws2812-pio",
            "device": str(device),
            "max_milliamps": most_ma,
            "layout": layout,
        }
        return open_driver(load(changes={"lights": lights}), loop)
    finally:
        loop.close()


def is_a(model: str, release: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on this machine says that it is such a board, with this kernel."""
    monkeypatch.setattr(pi_board, "model", lambda root: model)
    told = os.uname_result(("Linux", "table", release, "#1", "aarch64"))
    monkeypatch.setattr(os, "uname", lambda: told)


def test_every_led_of_random_frames_gets_its_exact_colour(rig: PioRig) -> None:
    rig.until(lambda: rig.seen == [(0,) * LED_COUNT])  # by which the device was tried
    rig.seen.clear()
    for number, frame in enumerate(random_frames(FRAMES)):
        rig.lights.show(frame)
        rig.until(lambda number=number: len(rig.seen) > number)  # type: ignore[misc]
        assert rig.seen[number] == tuple(map(pulses_of_colour, frame))
    assert len(rig.seen) == FRAMES


def test_each_frame_begins_at_the_first_light(tmp_path: Path) -> None:
    """A file does what the device does: it goes on where the last write ended, until it is opened
    anew."""
    device = tmp_path / "leds0"
    device.touch()
    lights = opened(device)
    assert device.stat().st_size == PICTURE
    lights.show((0xFFFFFF,) * LED_COUNT)
    lights.show((0x0000FF,) * LED_COUNT)
    while device.read_bytes() != bytes([0, 0, 0xFF, 0]) * LED_COUNT:
        os.sched_yield()
    lights.close()
    assert device.read_bytes() == bytes(PICTURE)


def test_no_frame_draws_more_than_it_may(tmp_path: Path) -> None:
    device = tmp_path / "leds0"
    device.touch()
    lights = opened(device, most_ma=2000)
    lights.show((0xFFFFFF,) * LED_COUNT)
    while not any(device.read_bytes()):
        os.sched_yield()
    assert device.read_bytes() == bytes([77, 77, 77, 0]) * LED_COUNT
    lights.close()


def test_a_string_of_another_layout_gets_its_own_lights_in_its_own_order(tmp_path: Path) -> None:
    device = tmp_path / "leds0"
    device.touch()
    layout = tmp_path / "mine.txt"
    layout.write_text(PRESET.read_text("utf-8").replace("order GRB", "order RGB\n-"))
    lights = opened(device, layout=str(layout))
    assert device.stat().st_size == 4 * 51
    # The kernel's device sends the second byte first. A red frame has to begin with red.
    lights.show((0xFF0000,) * LED_COUNT)
    while not any(device.read_bytes()):
        os.sched_yield()
    red, dark = bytes([0, 0xFF, 0, 0]), bytes(4)
    pads = dark + red + dark + red
    assert device.read_bytes() == dark + red * 25 + pads + dark * 21
    lights.close()


def test_a_layout_with_an_error_is_refused_before_the_device_is_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'tiles'"):
        opened(tmp_path / "leds0", layout="tile")


def test_a_device_for_another_number_of_lights_is_told_that_of_the_string() -> None:
    with pytest.raises(DeviceError, match="write num_leds=50 behind"):
        opened(Path("/dev/full"), layout="string-100")


@pytest.mark.parametrize(
    ("device", "says"),
    [
        ("/dev/full", "write num_leds=104 behind dtoverlay=ws2812-pio"),
        ("/dev", "cannot be written to: Is a directory"),
    ],
)
def test_a_device_that_does_not_take_a_frame_is_told(device: str, says: str) -> None:
    with pytest.raises(DeviceError, match=says):
        opened(Path(device))


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", "Write dtoverlay=ws2812-pio,gpio=10,num_leds=104 into"),
        ("Raspberry Pi 4 Model B Rev 1.4", "name 'rpi-ws281x' or 'controller'"),
    ],
)
def test_a_board_without_the_device_is_told_the_line_for_it_or_another_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, says: str
) -> None:
    is_a(model, "6.12.62+rpt-rpi-2712", monkeypatch)
    with pytest.raises(DeviceError, match=says):
        opened(tmp_path / "leds0")


def test_a_kernel_that_bends_the_colours_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "leds0"
    device.touch()
    is_a("Raspberry Pi 5 Model B Rev 1.0", "6.12.47+rpt-rpi-2712", monkeypatch)
    with pytest.raises(DeviceError, match=r"from 6\.12\.56 on can"):
        opened(device)
    assert device.stat().st_size == 0
    is_a("Raspberry Pi 5 Model B Rev 1.0", "6.12.62+rpt-rpi-2712", monkeypatch)
    opened(device).close()
