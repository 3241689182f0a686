"""The layout of the lights in the controller on a Raspberry Pi: the same files mean the same to it
as to the engine, and a string gets the same pulses from both."""

import ctypes
import random
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from pi_table.common.edited_text import text_of
from pi_table.common.errors import InputError
from pi_table.common.geometry import LED_COUNT, PLACES, for_each_led, leds_of
from pi_table.common.light_layout import (
    MAX_LIGHTS,
    ORDERS,
    PARTS_OF_CELL,
    PARTS_OF_PAD,
    PRESETS,
    LightLayout,
    parse_layout,
    preset,
)
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.hal.strip import pulses_of
from pi_table.simulator.emulated import BUILT, FIRMWARE, EmulatedTable
from pi_table.simulator.virtual_controller import VirtualController

PROGRAM: Final = Path(__file__).parent / "programs/laid_lights.c"
LAYOUTS: Final = Path(parse_layout.__code__.co_filename).parent / "layouts"
FILES: Final = 3_000
FRAMES: Final = 1_000


class Firmware:
    """The firmware's parser, and its lights."""

    def __init__(self, built: Path) -> None:
        self._library = ctypes.CDLL(str(built))

    def parse(self, text: bytes) -> str | int:
        """Return the order of the colours, or the number of the line with an error."""
        order, why = ctypes.create_string_buffer(4), ctypes.create_string_buffer(120)
        line: int = self._library.read_text(text, ctypes.c_size_t(len(text)), order, why)
        if line < 0:
            return order.value.decode()
        assert why.value.endswith(b".")
        return line

    def show(self, frame: Sequence[int], most_ma: int) -> tuple[list[int], int]:
        """Return the pulses of each light of the layout parsed last, and their current."""
        found, count = (ctypes.c_uint32 * MAX_LIGHTS)(), ctypes.c_uint16()
        colours = (ctypes.c_uint32 * LED_COUNT)(*frame)
        current: int = self._library.show(
            colours, ctypes.c_uint16(most_ma), found, ctypes.byref(count)
        )
        return [*found][: count.value], current


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Firmware:
    built = tmp_path_factory.mktemp("firmware") / "laid_lights.so"
    folders = (f"-I{each}" for each in (BUILT, FIRMWARE / "core", FIRMWARE / "linux"))
    flags = [
        "-shared",
        "-fPIC",
        "-O1",
        "-std=gnu99",
        "-fsanitize=undefined",
        "-fno-sanitize-recover",
    ]
    core = (FIRMWARE / f"core/{name}.c" for name in ("lights", "crc"))
    linux = (FIRMWARE / f"linux/{name}.c" for name in ("layout", "laid"))
    sources = map(str, (PROGRAM, *core, *linux))
    subprocess.run(["gcc", *flags, *folders, *sources, "-o", str(built)], check=True)
    return Firmware(built)


def lines_of_whole_layout(chance: random.Random) -> list[str]:
    """Return the lines of a layout that shows every LED: 1 to 8 lights a place, in any order."""
    lines = []
    for place in PLACES:
        parts = [*(PARTS_OF_PAD if "-" in place or "hour" in place else PARTS_OF_CELL)]
        corners = parts[: len(leds_of(PLACES.index(place)))]
        own = chance.choice(([""], corners, ["far", "near"] if len(corners) > 2 else [""]))
        own = own + chance.choices(["", *parts], k=chance.randint(0, 8 - len(own)))
        lines += [f"{place} {part}".strip() for part in own]
    lines += ["-"] * chance.randint(0, 5)
    chance.shuffle(lines)
    if chance.random() < 0.7:
        lines.insert(0, f"order {chance.choice(ORDERS)}")
    return lines


def spoiled(lines: list[str], chance: random.Random) -> list[str]:
    """Return lines with one or two things changed that may be errors."""
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(lines))
        lines[at : at + 1] = chance.choice(
            (
                [],
                [lines[at], lines[at]],
                [lines[at]] * 9,
                [lines[at].lower()],
                [lines[at] + " far"],
                [lines[at][:-1]],
                [" \t" + lines[at].replace(" ", "\t ") + "  # à 🙂", "", "#"],
                ["order RGB", lines[at]],
                ["order RGR", lines[at]],
                ["order", lines[at]],
                ["- -", lines[at]],
                ["A1\vfar", lines[at]],
                ["A1\u00a0far", lines[at]],
                ["C6", lines[at]],
                ["-"] * 240,
            )
        )
    return lines


def mangled(text: bytes, chance: random.Random) -> bytes:
    """Return a text with other bytes somewhere in a comment: right letters, or none of UTF-8."""
    at = chance.choice([at for at, byte in enumerate(text) if byte == ord("#")])
    return text[: at + 1] + chance.choice(LETTERS) + text[at + 1 :]


LETTERS: Final = (
    *("à".encode(), "€".encode(), "🙂".encode(), "\ud7ff\ue000\U0010ffff".encode(), b"\x7f"),
    *("à".encode("latin-1"), b"\x80", b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x99"),
    *(b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xed\xa0\x80"),
    *(b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", "\ufffd".encode()),
)
"""Right UTF-8 first, then Latin-1, parts of a character, a longer form than a character needs, half
a pair of UTF-16, characters beyond the last, and the character that stands for a lost one."""


def of_python(text: bytes) -> LightLayout | int:
    """Return the layout, or the number of the line with an error; 0 if it is not one line."""
    try:
        return parse_layout(text_of(text, "file"), "file")
    except InputError as error:
        found = str(error).removeprefix("file, line ").partition(":")[0]
        return int(found) if found.isdecimal() else 0


def test_the_same_files_are_layouts_and_the_same_lines_are_wrong(firmware: Firmware) -> None:
    chance = random.Random(8)
    wrong = whole = 0
    for number in range(FILES):
        lines = lines_of_whole_layout(chance)
        if number % 3:
            lines = spoiled(lines, chance)
        text = chance.choice(("\n", "\r\n", "\r")).join(lines).encode()
        text = chance.choice((b"", b"\xef\xbb\xbf")) + text + chance.choice((b"", b"\n", b" #"))
        if b"#" in text:
            text = mangled(text, chance)
        layout = of_python(text)
        found = firmware.parse(text)
        if isinstance(layout, int):
            wrong += 1
            assert found == layout, text
            continue
        whole += 1
        assert found == layout.order, text
        frame = [chance.randrange(1 << 24) for _ in range(LED_COUNT)]
        assert firmware.show(frame, 6500)[0] == [*pulses_of(tuple(frame), 6500, layout)]
    assert wrong > FILES / 4
    assert whole > FILES / 4


def test_the_pulses_and_the_limit_of_a_string_are_those_of_the_engine(firmware: Firmware) -> None:
    chance = random.Random(104)
    for number in range(FRAMES):
        if number % 10 == 0:
            text = "\n".join(lines_of_whole_layout(chance))
            layout = parse_layout(text, "file")
            assert firmware.parse(text.encode()) == layout.order
        most = (0xFF, 0x0F, 0x60)[number % 3]
        frame = tuple(
            sum(chance.randint(0, most) << shift for shift in (16, 8, 0)) for _ in range(LED_COUNT)
        )
        most_ma = chance.choice((100, 150, 500, 2000, 6500, chance.randint(100, 6500)))
        shown, current = firmware.show(frame, most_ma)
        assert shown == [*pulses_of(frame, most_ma, layout)], (text, most_ma)
        assert current <= max(most_ma, layout.light_count)


def test_the_presets_are_read(firmware: Firmware) -> None:
    for name in PRESETS:
        text = (LAYOUTS / f"{name}.txt").read_bytes()
        assert firmware.parse(text) == "GRB"
        white = (0xFFFFFF,) * LED_COUNT
        assert firmware.show(white, 6500)[0] == [*pulses_of(white, 6500, preset(name))]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The ready-wired string behind a light that does a level shifter's work, with red first."""
    path = tmp_path / "mine.txt"
    lines = (LAYOUTS / "string-100.txt").read_text("utf-8")
    path.write_text(lines.replace("order GRB", "order RGB\n-"))
    return path


@pytest.fixture
def table(mine: Path) -> Iterator[EmulatedTable]:
    with EmulatedTable("pi", layout=mine) as table:
        yield table


def shown_on(table: EmulatedTable, colours: Sequence[int]) -> tuple[int, ...]:
    """Return what each light of the string shows when the engine shows these colours."""
    device = VirtualController(table)
    device.start(lambda _: None)
    device.show(tuple(colours))
    while device.now < 1.0:
        device.advance(1.0)
    return table.string


def test_a_string_of_another_layout_shows_what_the_engine_shows(table: EmulatedTable) -> None:
    colours = for_each_led([0x100804 * (1 + place % 9) for place in range(len(PLACES))])
    expected = [0] * 51
    layout = preset("string-100")
    for place in range(len(PLACES)):
        (light,) = layout.lights_of(place)
        expected[1 + light] = pulses_of_colour(colours[leds_of(place)[0]])
    assert [*shown_on(table, colours)] == expected


def test_a_string_with_another_order_of_colours_than_its_layout_is_seen_by_its_colours(
    table: EmulatedTable, tmp_path: Path
) -> None:
    real = tmp_path / "real.txt"
    real.write_text("\n".join(["order GRB", "-", *PLACES]))
    table.tell(f"string {real}")
    assert set(shown_on(table, (0xFF0000,) * LED_COUNT)) == {0, 0x00FF00}
