"""The table of one evening can be bought, wired and built as its page says, and its pictures are as
their program draws them."""

import csv
import math
import re
import tomllib
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.draw_evening import PICTURES, breakouts, length_of_lead
from hardware.evening_design import (
    BOARD,
    BREAKOUT,
    BREAKOUT_LEFT,
    DEPTH,
    FIELD,
    FOLDER,
    FRONT,
    GUARDS,
    HOLES,
    HOLES_HIGH,
    PI,
    PITCH,
    PLATE,
    RIM,
    SHIFTER,
    SOCKET,
    SOCKETS_LONG,
    SOCKETS_TOP,
    STRIP,
    centre,
    hole,
    lit,
    parts,
    pin_of_pi,
    pins,
    string,
    walls,
    way_of_cable,
    wires,
)
from hardware.harness_of_pi import HEADER
from hardware.header_pictures import NAMES
from hardware.parts import _STANDARD, MAKER, PRICES
from hardware.parts import read as parts_of_boards
from hardware.places import rows, wiring
from hardware.power import cap
from pi_table.common.geometry import LED_COUNT, PLACES
from pi_table.common.light_layout import preset
from pi_table.devices.hal import pi_board
from pi_table.devices.hal.strip import CHANNEL_MA, IDLE_MA, pulses_of
from pi_table.games.cards.sheet import CARDS
from pi_table.maintenance.bring_up.config_txt import ConfigTxt
from pi_table.maintenance.bring_up.evening_steps import EVENING
from pi_table.maintenance.bring_up.string_lights import LightString
from pi_table.maintenance.bring_up.wiring_faults import FRONT_MM

TOUCH_PINS = (2, 3, 26)
"""GPIO numbers of the touch chips' data, clock and interrupt."""
PAGE = Path(__file__).parents[2] / "hardware" / "EVENING.md"
COLUMNS = [
    *("id", "what", "key_figures", "quantity", "price_class"),
    *("source_1", "part_1", "source_2", "part_2", "seen", "note"),
]


@cache
def chapters() -> dict[str, str]:
    """The text of each chapter by its name, without its number."""
    found = {}
    _, *numbered = re.split(r"\n## (?=\d)", PAGE.read_text("utf-8"))
    for number, part in enumerate(numbered, start=1):
        head, _, text = part.partition("\n")
        told, name = head.split(". ")
        assert told == str(number)
        found[name] = text
    return found


# The page


def test_the_page_has_a_chapter_for_each_step_in_their_order() -> None:
    assert [*chapters()] == [step.id for step in EVENING]


def test_each_chapter_has_a_picture_and_says_what_is_to_be_seen_as_the_program_does() -> None:
    for step in EVENING:
        (seen,) = re.findall(r"^\*\*Result\*\*: (.+)$", chapters()[step.id], re.MULTILINE)
        assert seen == step.see
        assert re.search(r"!\[[^\]]+\]\(evening/[\w-]+\.svg\)", chapters()[step.id]), step.id


def test_a_chapter_switches_the_power_off_and_on_if_the_program_does() -> None:
    for step in EVENING[2:]:  # chapter 2 explains the words
        text = chapters()[step.id].lower()
        assert ("power off" in text, "power on" in text) == (step.is_off, step.is_off), step.id


def test_the_page_is_short_and_its_links_lead_somewhere() -> None:
    text = PAGE.read_text("utf-8")
    assert len(text.split()) <= 1500
    links = re.findall(r"\]\(([^)#]+)", text)
    assert [link for link in links if not (PAGE.parent / link).exists()] == []


def test_the_keys_that_the_page_sets_are_the_tables() -> None:
    known = tomllib.loads(files("pi_table").joinpath("default.toml").read_text("utf-8"))
    told = re.findall(r"^ +\| `\[(\w+)\]` \| (.+) \|$", chapters()["machine"], re.MULTILINE)
    assert {section for section, _ in told} <= {*known}
    given = {
        (section, key): value
        for section, lines in told
        for line in re.findall(r"`([^`]+)`", lines)
        for key, value in tomllib.loads(line).items()
    }
    assert given["table", "build"] == "evening"
    assert given["touch", "driver"] == given["lights", "driver"] == "controller"


def test_the_packages_configuration_has_each_line_that_the_page_sets() -> None:
    text = (PAGE.parents[1] / "systemd/package/table.toml").read_text("utf-8")
    _, *sections = re.split(r"^\[(\w+)\]$", text, flags=re.MULTILINE)
    of_section = dict(zip(sections[::2], sections[1::2], strict=True))
    rows = re.findall(r"^ +\| `\[(\w+)\]` \| (.+) \|$", chapters()["machine"], re.MULTILINE)
    assert len(rows) == 5
    for section, lines in rows:
        for line in re.findall(r"`([^`]+)`", lines):
            assert re.search(rf"^(# )?{re.escape(line)}$", of_section[section], re.MULTILINE), line


def test_the_page_has_the_line_of_the_bus_as_the_boards_overlay_takes_it() -> None:
    bus = ConfigTxt(chapters()["machine"], ())
    assert bus.has("dtparam=i2c_arm=on")
    assert bus.has("dtparam=i2c_arm_baudrate=400000")


# The pictures


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_its_program_draws_it(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == PICTURES[name]().svg()


def test_no_picture_is_left_behind() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*PICTURES}
    text = PAGE.read_text("utf-8")
    assert [name for name in PICTURES if f"evening/{name}.svg" not in text] == []


# What is bought


def test_every_part_can_be_bought_and_says_where_its_number_was_seen() -> None:
    with (FOLDER / "parts.csv").open(newline="", encoding="utf-8") as file:
        assert next(csv.reader(file)) == COLUMNS
    for part in parts():
        sources = [(part[f"source_{at}"], part[f"part_{at}"]) for at in (1, 2)]
        assert None not in part.values(), part
        assert part["what"], part
        assert part["key_figures"], part
        assert float(part["quantity"]) > 0
        assert all(bool(source) == bool(number) for source, number in sources), part
        assert bool(part["seen"]) == any(source for source, _ in sources), part
        for source, number in sources:
            assert source != MAKER or _STANDARD.match(number), part


def test_the_page_names_every_part_once_in_its_list() -> None:
    spans = re.findall(r"`([^`\n]+)`", chapters()["parts"])
    assert sorted(span for span in spans if not span.startswith("pi-table")) == sorted(
        part["id"] for part in parts()
    )


def test_a_part_of_both_tables_has_one_price_class() -> None:
    of_boards = {source: part.price_class for part in parts_of_boards() for source in part.sources}
    for part in parts():
        sources = {(part[f"source_{at}"], part[f"part_{at}"]) for at in (1, 2)}
        known = {of_boards[source] for source in sources if source in of_boards}
        assert known <= {part["price_class"]}, part["id"]
        assert part["price_class"] in PRICES


def test_the_page_has_the_sum_of_the_price_classes() -> None:
    bought = [part for part in parts() if part["id"] != "pi"]
    low, high = (
        sum(PRICES[part["price_class"]][end] * float(part["quantity"]) for part in bought)
        for end in (0, 1)
    )
    text = " ".join(PAGE.read_text("utf-8").split())
    assert f"{low:.0f} to {high:.0f} €" in text


def quantity(name: str) -> float:
    (found,) = (float(part["quantity"]) for part in parts() if part["id"] == name)
    return found


def test_the_tape_is_long_enough() -> None:
    plates = len(lit()) * PLATE[0]
    strips = sorted((max(each[2:]) for each in GUARDS.values()), reverse=True)
    in_a_width = math.floor(PLATE[1] / STRIP)
    # Each strip is one piece: a length of tape gives as many of them as fit side by side.
    lengths = sum(strips[::in_a_width])
    assert (plates + lengths) * 1.05 <= 3500  # of "3.5 m"
    assert "3.5 m" in next(part["key_figures"] for part in parts() if part["id"] == "copper-tape")


def test_the_wire_of_the_strings_supply_is_long_enough() -> None:
    socket, breadboard = middle(SOCKET), middle(SHIFTER)
    ends = (centre(string()[0]), centre(string()[-1]), breadboard)
    # The wire goes along the far and the left wall of the box, in two colours.
    needed = 2 * sum(socket[0] - x + abs(y - socket[1]) + DEPTH for x, y in ends)
    assert needed / 1000 < quantity("wire-lights")


def middle(box: tuple[float, float, float, float]) -> tuple[float, float]:
    x, y, width, height = box
    return x + width / 2, y + height / 2


def test_the_cable_reaches_from_the_pi_to_the_first_breakout_while_the_frame_is_open() -> None:
    (cable,) = (part for part in parts() if part["id"] == "cable-pi")
    (long,) = re.findall(r"(\d+) mm, sockets", cable["key_figures"])
    pins_used = [row["pi_pin"] for row in wires() if row["note"].startswith("by the cables")]
    (_, far) = breakouts()["0x5A"]
    ways = [way_of_cable(int(pin), far) for pin in pins_used]
    assert len(ways) == 4
    assert max(ways) < int(long) - SOCKETS_LONG
    (frame,) = (part for part in parts() if part["id"] == "frame")
    assert f"rim {RIM:g} mm wide at most" in frame["key_figures"]
    assert f"{FRONT_MM:g} mm thick at most" in frame["key_figures"]


def test_the_closed_frame_leaves_the_holes_of_the_cables_open() -> None:
    (frame,) = (part for part in parts() if part["id"] == "frame")
    assert f"{DEPTH - HOLES_HIGH:g} mm deep at most behind the front" in frame["key_figures"]
    assert f"lower {HOLES_HIGH:g} mm" in chapters()["lattice"]


def test_nothing_in_the_box_lies_on_another() -> None:
    boxes = {"Pi": PI, "shifter": SHIFTER, "socket": SOCKET}
    inside = (BOARD, BOARD, FRONT[0] - BOARD, FRONT[1] - BOARD)
    for x, y, width, height in boxes.values():
        assert inside[0] < x < x + width < inside[2]
        assert inside[1] < y < y + height < inside[3]
        assert x + width < FIELD[0] - BOARD / 2 or x > FRONT[0] - FIELD[0] + BOARD / 2
    assert SHIFTER[1] + SHIFTER[3] < PI[1]
    # A breakout hangs from the front. It may be above the Pi, but not above its sockets.
    assert BREAKOUT_LEFT + BREAKOUT[0] < pin_of_pi(1)[0] - 5
    assert GUARDS["left"][0] + STRIP < BREAKOUT_LEFT
    assert SOCKETS_TOP < DEPTH - 10


def test_the_pictures_have_the_pi_with_its_first_pin_at_the_far_end() -> None:
    left, far, width, _ = PI
    assert pin_of_pi(1) == pytest.approx((left + width - 4.77, far + 8.37))
    assert pin_of_pi(40) == pytest.approx((left + width - 2.23, far + 56.63))


def test_a_breakouts_row_begins_with_ground() -> None:
    row = [hole(0, number) for number in range(HOLES)]
    assert HOLES == 13
    assert row[0] > 0
    assert row[-1] < BREAKOUT[1]
    assert row[6] == BREAKOUT[1] / 2
    assert {int(row["channel"]) for row in rows("pad", "rim").values()} <= {*range(12)}


def test_each_capacitor_is_between_the_rails_of_5_v_and_ground_and_in_the_list() -> None:
    ends = {row["signal"]: row["to"] for row in wires() if row["to"].startswith("supply")}
    assert pins(ends["5 V"], "C1") + pins(ends["GND"], "C1") == ["+", "-"]
    assert [*pins(ends["5 V"], "C2"), *pins(ends["GND"], "C2")] == ["1", "2"]
    # They and the level shifter get 5 V from the breadboard's rails.
    assert pins(ends["5 V"], "rail") + pins(ends["GND"], "rail") == ["+", "-"]
    assert "the breadboard's rails" in " ".join(chapters()["lights"].split())
    assert "rails" in PICTURES["lights"]().svg()
    assert {"capacitor-1000u", "capacitor-100n"} <= {part["id"] for part in parts()}


def test_header_wires_are_enough() -> None:
    by_cable = "by the cables with plugs"
    loose = [row for row in wires() if row["pi_pin"] and not row["note"].startswith(by_cable)]
    assert len(loose) <= quantity("wire-header")


def test_the_wire_is_long_enough() -> None:
    needed = sum(length_of_lead(name) for name in rows("pad", "rim"))
    assert needed / 1000 * 1.2 < quantity("wire-electrode")


def test_the_picture_of_the_leads_has_the_length_of_each() -> None:
    told = re.findall(r"(\d+) mm\b", PICTURES["leads"]().svg())
    lengths = {name: length_of_lead(name) for name in rows("pad", "rim")}
    assert sorted(map(int, told)) == sorted(lengths.values())
    at_chip = breakouts()
    for name, row in rows("pad", "rim").items():
        left, far = at_chip[row["chip"]]
        end = (left + BREAKOUT[0], hole(far, int(row["channel"]) + 1))
        x, y, width, height = GUARDS.get(name) or (*centre(name), 0.0, 0.0)
        # No lead is shorter than the straight way, from the nearest point, and 20 mm for joints.
        near = (min(max(end[0], x), x + width), min(max(end[1], y), y + height))
        plate = 0.0 if name in GUARDS else math.dist((0, 0), PLATE) / 2
        assert math.dist(near, end) - plate + 20 <= lengths[name] < 700, name


def test_the_boards_give_enough_walls() -> None:
    sheet = 500 // DEPTH
    box = 2 + 2
    assert max(length for _, length, _ in walls().values()) <= FRONT[0]
    needed = box + sum(count for count, _, _ in walls().values())
    assert needed == 17, "the picture of the walls says so"
    assert needed <= sheet * quantity("foam-board")
    assert sheet == 14


# How it is wired


def test_every_pin_of_the_pi_has_the_name_that_its_header_has() -> None:
    used = [row for row in wires() if row["pi_pin"]]
    assert len({row["pi_pin"] for row in used}) == len(used)
    for row in used:
        assert NAMES[int(row["pi_pin"])] == row["pi_name"]
    told = {row["pi_name"] for row in used if row["pi_name"].startswith("GPIO")}
    assert told == {f"GPIO{pin}" for pin in (*TOUCH_PINS, pi_board.DATA_PIN)}
    assert [HEADER[pin] for pin in TOUCH_PINS] == [3, 5, 37]


def test_the_level_shifter_is_wired_as_on_the_carrier() -> None:
    carrier = {
        row["name"]: {*pins(row["pin"], "U1")} for row in wiring() if row["kind"] == "carrier"
    }
    number = {"VCC": "14", "GND": "7"}
    on_carrier = {
        signal: {number.get(pin, pin) for pin in carrier[net]}
        for signal, net in (("5 V", "+5V"), ("GND", "GND"))
    }
    for signal, wanted in on_carrier.items():
        told = {pin for row in wires() if row["signal"] == signal for pin in pins(row["to"], "U2")}
        assert told == wanted
    data = [pins(row["to"], "U2") for row in wires() if row["signal"] == "data"]
    assert [pin for each in data for pin in each] == [
        *carrier["lights"],
        *carrier["lights-5V"],
    ]


def test_no_comma_makes_a_field_too_many_or_too_few() -> None:
    for row in (*parts(), *wires()):
        assert None not in row, row
        assert None not in row.values(), row


def test_the_touch_chips_get_no_more_than_they_bear() -> None:
    (supply,) = (row for row in wires() if row["to"] == "breakouts VIN")
    assert (supply["signal"], supply["pi_pin"]) == ("3.3 V", "1")


# How it lies


def test_the_string_reaches_from_light_to_light() -> None:
    places = [centre(place) for place in string()]
    assert max(math.dist(*pair) for pair in pairwise(places)) <= 100
    assert [*lit()] == [
        PLACES[place] for place in LightString(preset("string-100"), "string-100").places
    ]
    assert len(string()) == 29, "the page says behind which light the string is cut"


def test_everything_fits_on_the_front_and_under_a_card() -> None:
    card = CARDS["63x88"]
    assert f"{card.across:g} × {card.down:g} mm" in chapters()["parts"]
    assert card.across + 10 <= PITCH[0]
    assert card.down + 10 <= PITCH[1]
    assert PLATE[0] < card.across
    assert PLATE[1] < card.down
    for x, y, width, height in GUARDS.values():
        assert 6 <= x <= x + width <= FRONT[0] - 6
        assert 6 <= y <= y + height <= FRONT[1] - 6
    for place in lit():
        x, y = centre(place)
        far, near = y - PLATE[1] / 2, y + PLATE[1] / 2
        assert GUARDS["far"][1] + STRIP < far
        assert near < GUARDS["near"][1]
        assert GUARDS["left"][0] + STRIP < x - PLATE[0] / 2
    assert 2 * BOARD + 5 * PITCH[0] < FRONT[0]


def test_the_whole_string_in_white_draws_less_than_the_cap_and_half_of_its_supply() -> None:
    layout = preset("string-100")
    pulses = pulses_of((0xFFFFFF,) * LED_COUNT, 6500, layout)
    assert pulses == pulses_of((0xFFFFFF,) * LED_COUNT, round(1000 * cap()), layout)
    channels = sum(sum(pulse.to_bytes(3, "big")) for pulse in pulses)
    amperes = (channels / 255 * CHANNEL_MA + IDLE_MA * len(pulses)) / 1000
    assert amperes == pytest.approx(27 * 3 * 0.020 + 50 * 0.001)
    supply = next(row for row in parts() if row["id"] == "supply")
    assert supply["key_figures"].startswith("5 V, 4 A")
    assert amperes < 4.0 / 2
