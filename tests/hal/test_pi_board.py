"""Which board is which, and that what people are told of it is what the program knows."""

import csv
import importlib.util
import re
from datetime import UTC, datetime
from importlib import metadata
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest
from pi_with_spi import ROOT

from pi_table.common.config import load
from pi_table.common.geometry import LED_COUNT
from pi_table.common.light_layout import preset
from pi_table.devices.hal import own_controller, pi_board
from pi_table.devices.hal.pi_board import (
    BOARDS,
    PIN_USERS,
    board_of,
    model,
    old_kernel,
    refusal,
    small_buffer,
    unknown_revision,
)
from pi_table.devices.hal.registry import LIGHTS

PAGE = (ROOT / "hardware/BOARDS.md").read_text("utf-8")
with (ROOT / "hardware/wiring.csv").open(newline="", encoding="utf-8") as file:
    WIRING = [*csv.DictReader(file)]


def table(head: str) -> list[list[str]]:
    """The rows of the page's table whose first column has this head."""
    rows = re.findall(rf"^\| {re.escape(head)} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.M)
    assert len(rows) == 1
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[0].splitlines()]


def code(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", "Zero 2 W"),
        ("Raspberry Pi 3 Model B", "3"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "3"),
        ("Raspberry Pi 4 Model B Rev 1.4", "4"),
        ("Raspberry Pi 400 Rev 1.0", "4"),
        ("Raspberry Pi Compute Module 4 Rev 1.1", "4"),
        ("Raspberry Pi Compute Module 4S Rev 1.0", "CM4S"),
        ("Raspberry Pi 5 Model B Rev 1.0", "5"),
        ("Raspberry Pi 500 Rev 1.0", "5"),
        ("Raspberry Pi Zero W Rev 1.1", None),
        ("Raspberry Pi 2 Model B Rev 1.1", None),
        ("Raspberry Pi 50 Model B Rev 1.0", None),
        ("Orange Pi 5", None),
        ("", None),
    ],
)
def test_a_board_is_known_by_what_it_calls_itself(
    tmp_path: Path, told: str, name: str | None
) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text(f"{told}\0")
    assert model(tmp_path) == told
    found = board_of(told)
    assert (found and found.name) == name


def test_a_machine_that_calls_itself_nothing_is_no_pi(tmp_path: Path) -> None:
    assert model(tmp_path) == ""


def test_the_page_has_what_the_program_knows() -> None:
    told = [
        (name, tuple(models.split(", ")), dict.fromkeys(code(driver), code(lines)))
        for name, models, *_, driver, lines in table("board")
    ]
    known = [
        (board.name, board.models, {k: v for k, v in board.lights.items() if k != "controller"})
        for board in BOARDS
    ]
    assert told == known
    assert all(board.lights["controller"] == () for board in BOARDS)
    screens = {name: screen for name, _, screen, *_ in table("board")}
    assert "no DSI" in screens.pop("Zero 2 W")
    del screens["CM4S"]
    assert all("DSI" in screen and "HDMI" in screen for screen in screens.values())
    lines = {use: code(line) for use, line in table("for")}
    assert lines == {
        "the hidden screen": pi_board.SCREEN_LINES,
        "the amplifier, if there is one": pi_board.AMPLIFIER_LINES,
        "the touch chips": (pi_board.FAST_BUS_LINE,),
    }
    assert f"num_leds={LED_COUNT}`" in PAGE
    assert (
        f"tiles {preset('tiles').light_count}, `string-100` {preset('string-100').light_count}"
        in (PAGE)
    )
    assert f"A frame is {pi_board.spi_bytes(LED_COUNT):,} bytes" in PAGE
    assert f"({load().lights.max_milliamps} by default)" in PAGE
    assert "The kernel must be 6.12.56 or later" in PAGE
    assert f"must be of {pi_board.BOOT_LOADER_SINCE.date()} or later" in PAGE


def test_the_page_has_the_pins_that_are_taken() -> None:
    told = {
        part: tuple(int(pin.removeprefix("GPIO")) for pin in pins.split())
        for part, pins in table("part")
    }
    known = {f"lights by `{driver}`": pins for driver, pins in pi_board.PINS.items()}
    sections = {"pi": load().console, "panel": load().panel}
    knobs = {
        row["name"]: (getattr(section, row["name"]),)
        for kind, section in sections.items()
        for row in WIRING
        if row["kind"] == kind
    }
    knobs["switch_off"] = (16,)  # its own pin, GPIO3, is taken by the touch chips
    interrupt = own_controller.interrupt_pin(load())
    assert interrupt is not None
    known |= {
        "amplifier": pi_board.AMPLIFIER_PINS,
        "touch chips": (*pi_board.BUS_PINS, interrupt),
    }
    assert told == known | knobs


def test_the_page_has_the_lines_that_do_harm() -> None:
    harm = {code(line): why for line, why in table("never")}
    assert harm == {(line,): why for line, why in pi_board.FORBIDDEN.items()}


def test_every_line_that_a_page_names_is_known() -> None:
    pages = "".join(page.read_text("utf-8") for page in sorted((ROOT / "hardware").glob("*.md")))
    named = {*re.findall(r"(?:dtparam|dtoverlay)=[\w-]+", pages)}
    wanted = {*pi_board.SCREEN_LINES}
    assert {"dtparam=i2c_arm", "dtparam=spi"} <= named
    assert named <= {taker.line for taker in PIN_USERS} | {*pi_board.FORBIDDEN} | wanted


def test_a_table_as_it_is_wired_has_no_line_of_its_own_that_takes_a_pin_of_another_part() -> None:
    parts = {
        "lights": {line for lines in pi_board.OWN_LINES.values() for line in lines},
        "amplifier": {*pi_board.OWN_LINES_OF_AMPLIFIER},
    }
    lines = {taker.line for taker in PIN_USERS}
    assert all(own <= lines for own in parts.values())
    amplifier = [taker for taker in PIN_USERS if taker.line == pi_board.AMPLIFIER_LINES[0]]
    assert [taker.pins_with({}) for taker in amplifier] == [pi_board.AMPLIFIER_PINS]
    (spi,) = (taker for taker in PIN_USERS if taker.line == "dtparam=spi")
    assert spi.pins_with({}) == pi_board.PINS[pi_board.SPI_DRIVER]
    (strip,) = (taker for taker in PIN_USERS if taker.line == "dtoverlay=ws2812-pio")
    assert strip.pins_with({"gpio": "10"}) == pi_board.PINS[pi_board.PIO_DRIVER]


@pytest.mark.parametrize(
    ("line", "parameters", "pins"),
    [
        ("dtoverlay=gpio-shutdown", {}, (3,)),
        ("dtoverlay=gpio-shutdown", {"gpio_pin": "17"}, (17,)),
        ("dtoverlay=gpio-shutdown", {"gpio_pin": "nonsense"}, (3,)),
        ("dtoverlay=spi0-2cs", {"cs1_pin": "5"}, (5, 8, 9, 10, 11)),
        ("dtoverlay=i2c6", {"pins_0_1": "on"}, (0, 1)),
        ("dtoverlay=i2c-rtc", {"ds3231": "on"}, (2, 3)),
        ("dtoverlay=i2c-rtc", {"ds3231": "on", "i2c4": "on"}, ()),
    ],
)
def test_a_parameter_moves_the_pins_that_a_line_takes(
    line: str, parameters: dict[str, str], pins: tuple[int, ...]
) -> None:
    (taker,) = (each for each in PIN_USERS if each.line == line)
    assert taker.pins_with(parameters) == pins


def test_no_two_parts_that_can_be_together_take_the_same_pin() -> None:
    wired = {
        kind: {int(row["pin"].removeprefix("GPIO")) for row in WIRING if row["kind"] == kind}
        for kind in ("pi", "panel", "amplifier", "controller")
    }
    assert wired["amplifier"] <= {*pi_board.AMPLIFIER_PINS}
    touch = wired["controller"] - {pi_board.DATA_PIN}
    assert touch == {*pi_board.BUS_PINS, own_controller.interrupt_pin(load())}
    for lights in pi_board.PINS.values():
        assert pi_board.DATA_PIN in lights
        taken = (wired["pi"], wired["panel"], touch, {*pi_board.AMPLIFIER_PINS}, {*lights})
        for one, other in combinations(taken, 2):
            assert not one & other


def test_each_driver_that_is_told_of_is_one() -> None:
    for board in BOARDS:
        assert board.lights.keys() <= LIGHTS.modules.keys()
    assert len({name for board in BOARDS for name in board.models}) == sum(
        len(board.models) for board in BOARDS
    )


def test_a_driver_is_refused_where_another_does() -> None:
    for board in BOARDS:
        told = f"Raspberry Pi {board.models[0]} Rev 1.0"
        for driver in LIGHTS.modules:
            why = refusal(driver, told)
            if driver in board.lights or driver == "simulated":
                assert why is None
            else:
                assert why is not None
                assert all(repr(other) in why for other in board.lights)
    for unknown in ("Raspberry Pi 9", "", "PC"):
        for driver in pi_board.PINS:
            assert "'controller'" in str(refusal(driver, unknown))


@pytest.mark.parametrize("release", ["6.12.56+rpt-rpi-2712", "6.18.1-v8-16k+", "7.0.0", "6.13.0"])
def test_a_kernel_that_sends_what_it_is_given(release: str) -> None:
    assert old_kernel(release) is None


@pytest.mark.parametrize(
    "release", ["6.12.55+rpt-rpi-2712", "6.6.74+rpt-rpi-2712", "6.1.0-13-arm64"]
)
def test_a_kernel_that_bends_what_it_is_given(release: str) -> None:
    assert release in str(old_kernel(release))


MADE_BEFORE: Final = 0x04
"""The number of the Pi 2 in a revision: the library knows it, the table does not."""


def test_the_library_that_is_installed_knows_the_revisions_that_are_said() -> None:
    """Its table is in its compiled file: rows of kind, revision, and the addresses of two parts."""
    spec = importlib.util.find_spec("_rpi_ws281x")
    assert spec is not None
    assert f"rpi-ws281x {metadata.version('rpi-ws281x')} does" in str(unknown_revision(0x9020E1))
    compiled = Path(str(spec.origin)).read_bytes()
    rows = re.findall(rb"[\2\3]\0\0\0(....)\0\0\0[\x3f\xfe]\0\0\0\xc0", compiled, re.DOTALL)
    found = {int.from_bytes(row, "little") for row in rows}
    assert {each for each in found if each >> 4 & 0xFF != MADE_BEFORE} == pi_board.KNOWN_REVISIONS


KINDS: Final = {
    "3 Model B": 0x08,
    "Compute Module 3": 0x0A,
    "3 Model B Plus": 0x0D,
    "3 Model A Plus": 0x0E,
    "Compute Module 3 Plus": 0x10,
    "4 Model B": 0x11,
    "Zero 2 W": 0x12,
    "400": 0x13,
    "Compute Module 4": 0x14,
    "Compute Module 4S": 0x15,
}
"""The numbers of boards in a revision (Raspberry Pi's documentation, new-style revision codes)."""


def test_the_library_is_named_for_boards_alone_of_which_it_knows_a_revision() -> None:
    known = {revision >> 4 & 0xFF for revision in pi_board.KNOWN_REVISIONS}
    named = {
        model for board in BOARDS if pi_board.SPI_DRIVER in board.lights for model in board.models
    }
    assert named == {model for model, kind in KINDS.items() if kind in known}


@pytest.mark.parametrize(
    ("number", "on_64_bit", "on_32_bit"),
    [
        (0xC03114, True, True),
        (0x902120, True, True),
        (0x9020E0, True, True),
        (0x9020E1, False, False),
        (0xA52082, False, True),
        (0x2A02082, False, True),
        (0xC04170, False, False),
        (None, True, True),
    ],
)
def test_a_revision_that_the_library_refuses_is_told(
    number: int | None, on_64_bit: bool, on_32_bit: bool
) -> None:
    for is_64_bit, is_known in ((True, on_64_bit), (False, on_32_bit)):
        why = unknown_revision(number, is_64_bit)
        assert (why is None) is is_known
        assert why is None or f"revision, {number:x}, and drives no" in why


def test_a_revision_and_the_age_of_the_boot_loader_are_read_as_the_kernel_writes_them(
    tmp_path: Path,
) -> None:
    assert pi_board.revision(tmp_path) is None
    assert pi_board.boot_loader(tmp_path) is None
    for name, number in (
        ("system/linux,revision", 0x9020E1),
        ("chosen/bootloader/build-timestamp", 1727096576),
    ):
        path = tmp_path / "proc/device-tree" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(number.to_bytes(4, "big"))
    assert pi_board.revision(tmp_path) == 0x9020E1
    assert pi_board.boot_loader(tmp_path) == datetime(2024, 9, 23, 13, 2, 56, tzinfo=UTC)


def test_a_buffer_has_room_for_a_frame_or_not() -> None:
    assert small_buffer(4096, 1272) is None
    assert small_buffer(None, 1272) is None
    assert "1271 bytes" in str(small_buffer(1271, 1272))
