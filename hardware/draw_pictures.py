"""Draws the pictures of BUILD.md that show which wire goes where in each step.

Pins, channels and the order of the lights come from wiring.csv, lengths from dimensions.toml.
`python -m hardware.draw_pictures` writes the pictures into pictures/ beside this file.
"""

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from hardware.dimensions import MM
from hardware.drawing import COLOURS, INK, LIT, SOFT, Drawing
from hardware.electrode_design import FILE
from hardware.figures import read, values
from hardware.header_pictures import chips, knobs, machine
from hardware.places import rows

HERE: Final = Path(__file__).parent
FOLDER: Final = HERE / "pictures"
CELLS: Final = [column + row for row in "12345" for column in "ABCDE"]
CHIPS: Final = ("0x5A", "0x5B", "0x5C")
SHADES: Final = {"0x5A": "#dceaf7", "0x5B": "#e3f1dd", "0x5C": "#f9e6d3"}


def overview() -> Drawing:
    """Draw the table's main parts and their connections."""
    picture = Drawing(860, 470, "What is joined to what")
    picture.box(20, 40, 170, 70, "lights' supply\n5 V, 6 A")
    picture.box(20, 180, 170, 90, "Raspberry Pi\nwith its own supply")
    picture.box(330, 120, 210, 170, "", fill="#e8e6df")
    picture.text(435, 142, "carrier", bold=True)
    picture.box(350, 160, 170, 36, "level shifter")
    picture.box(350, 206, 170, 66, "3 touch breakouts\n0x5A 0x5B 0x5C")
    picture.box(650, 40, 190, 90, "27 tiles\n104 lights")
    picture.box(650, 180, 190, 70, "27 electrodes\nunder the overlay")
    picture.box(650, 290, 190, 60, "4 guards\nunder the overlay")
    picture.box(20, 330, 120, 60, "screen")
    picture.box(160, 330, 120, 60, "knob,\n2 buttons")
    picture.box(300, 330, 150, 60, "amplifier,\nloudspeaker")
    picture.line((190, 75), (435, 75), (435, 120), colour=COLOURS["5 V"], arrow=True)
    picture.text(310, 60, "5 V, fused on the carrier", size=13, fill=SOFT)
    picture.line((190, 200), (350, 178), colour=COLOURS["data"], arrow=True)
    picture.line((190, 240), (350, 240), colour=COLOURS["data"], arrow=True)
    picture.text(262, 170, "light data", size=13, fill=SOFT)
    picture.text(262, 256, "bus, 3.3 V", size=13, fill=SOFT)
    picture.line((540, 150), (650, 85), colour=COLOURS["data"], arrow=True)
    picture.text(590, 92, "5 V, data", size=13, fill=SOFT)
    picture.line((540, 215), (650, 112), colour=COLOURS["touch"], arrow=True)
    picture.text(612, 180, "leads", size=13, fill=SOFT)
    picture.line((540, 260), (650, 315), colour=COLOURS["touch"], arrow=True)
    picture.text(570, 315, "leads, plugs", size=13, fill=SOFT)
    picture.line((745, 130), (745, 180), colour=COLOURS["touch"], arrow=True, dashed=True)
    picture.text(800, 156, "springs", size=13, fill=SOFT)
    for x in (80, 150, 180):
        end = {80: 80, 150: 220, 180: 375}[x]
        picture.line((x, 270), (x, 300), (end, 300), (end, 330), arrow=True)
    picture.text(20, 425, "Each wire once: BUILD.md, step by step.", anchor="start", fill=SOFT)
    return picture


WIDE, HIGH = 118.0, 84.0
LEFT, TOP = 60.0, 60.0


def _place(name: str) -> tuple[float, float, float, float]:
    """Return x, y, width and height of a cell or a pad in the picture."""
    width, height = WIDE - 14, HIGH - 14
    if name in CELLS:
        column, row = "ABCDE".index(name[0]), int(name[1]) - 1
        return LEFT + column * WIDE, TOP + row * HIGH, width, height
    column = 1 if name == "end-turn" else 3
    return LEFT + column * WIDE, TOP + 5 * HIGH, width, height


def lights() -> Drawing:
    """Draw the chain of lights from tile to tile, seen from above."""
    picture = Drawing(720, 640, "The chain of lights, seen from above")
    picture.text(350, 24, "far: the spymasters", 14, SOFT)
    pads = sorted(rows("pad").items(), key=lambda pair: int(pair[1]["lights"].split("-")[0]))
    middles = []
    for name, row in pads:
        x, y, width, height = _place(name)
        picture.box(x, y, width, height, fill=LIT)
        picture.text(x + width / 2, y + height / 2 - 14, name, 17, bold=True)
        picture.text(x + width / 2, y + height / 2 + 20, row["lights"].replace("-", "–"), 12, SOFT)
        middles.append((x + width / 2, y + height / 2 + 4))
    half = (WIDE - 14) / 2
    for before, after in itertools.pairwise(middles):
        if before[1] == after[1]:
            step = 1 if after[0] > before[0] else -1
            reach = step * (half - 16)
            way = [(before[0] + reach, before[1]), (after[0] - reach, after[1])]
        else:
            way = [(before[0], before[1] + 26), (after[0], after[1] - 30)]
            if before[0] != after[0]:
                way[1:1] = [(before[0], after[1] - 46), (after[0], after[1] - 46)]
        picture.line(*way, colour=COLOURS["data"], arrow=True)
    picture.text(4, middles[0][1] - 16, "from J5", 12, SOFT, "start")
    picture.line((4, middles[0][1]), (LEFT + 16, middles[0][1]), colour=COLOURS["data"], arrow=True)
    picture.text(350, 594, "near: the operatives", 14, SOFT)
    corners = sorted(rows("cell-led").items(), key=lambda pair: int(pair[1]["lights"]))
    order = ", ".join(f"D{number} {name}" for number, (name, _) in enumerate(corners, 1))
    picture.text(350, 620, f"In every cell: {order}", 14)
    return picture


def electrodes() -> Drawing:
    """Draw the electrodes and guards, seen from above, each with its touch chip and channel."""
    picture = Drawing(720, 645, "Every electrode's chip and channel, seen from above")
    across = 5 * WIDE
    guards = {
        "far": (LEFT - 10, TOP - 42, across + 6, 24),
        "near": (LEFT - 10, TOP + 6 * HIGH, across + 6, 24),
        "left": (LEFT - 54, TOP - 10, 38, 6 * HIGH),
        "right": (LEFT + across + 2, TOP - 10, 38, 6 * HIGH),
    }
    for name, row in rows("pad", "rim").items():
        x, y, width, height = guards.get(name) or _place(name)
        upright = height > width
        label = f"{row['chip']}\n{row['channel']}"
        if name in guards and not upright:
            label = f"{name}: {row['chip']} channel {row['channel']}"
        picture.box(x, y, width, height, fill=SHADES[row["chip"]])
        if name in guards and upright:
            for at, word in enumerate((name, row["chip"], row["channel"])):
                picture.text(x + width / 2, y + height / 2 + (at - 1) * 18, word, 12)
        elif name in guards:
            picture.text(x + width / 2, y + height / 2, label, 13)
        else:
            picture.text(x + width / 2, y + height / 2 - 14, name, 17, bold=True)
            picture.text(
                x + width / 2, y + height / 2 + 12, f"{row['chip']} · {row['channel']}", 14
            )
    picture.text(
        350, 625, "chip · channel; each lead of its own, apart from data and supply", 13, SOFT
    )
    return picture


def guard() -> Drawing:
    """Draw a guard's tail: the wire that stays on the overlay when the guard's plug is pulled."""
    picture = Drawing(760, 330, "The tail of a guard, and its plug")
    tail, spare = (values(read(FILE))[name] * 1000 for name in ("guard_tail", "guard_spare"))
    wire = COLOURS["touch"]
    picture.box(40, 40, 680, 26, "overlay", fill="#eef3f5", radius=0)
    picture.box(90, 66, 400, 10, fill="#c98b4b", radius=0)
    picture.dot(290, 78, 6, "#9aa3ab")
    picture.box(310, 74, 46, 12, fill="#fff4b8", radius=0)
    picture.line((290, 80), (370, 80), (400, 110), (400, 176), colour=wire, width=4)
    picture.box(376, 176, 48, 16, fill="#fff4b8", radius=2)
    picture.box(372, 192, 56, 32, fill="#ffffff", radius=2)
    for x in (388, 412):
        picture.line((x, 192), (x, 212), colour="#9aa3ab", width=4)
    picture.box(376, 232, 48, 34, fill="#ffffff", radius=2)
    picture.line((388, 266), (388, 290), (330, 290), colour=wire, width=4)
    picture.text(60, 104, "foil", 14, INK, "start")
    picture.line((88, 98), (120, 76), colour=SOFT, width=1)
    picture.text(130, 130, "soldered, held down by tape", 14, INK, "start")
    picture.line((240, 120), (288, 84), colour=SOFT, width=1)
    picture.text(440, 130, f"tail, {tail:g} mm", 14, INK, "start")
    picture.text(440, 184, "both pins on the wire, tape round them", 14, INK, "start")
    picture.text(440, 208, "header J3, the tiles' kind", 14, INK, "start")
    picture.text(440, 249, "plug, a contact in place 1", 14, INK, "start")
    picture.text(320, 290, f"lead to the carrier, {spare:g} mm to spare", 14, INK, "end")
    picture.line((350, 228), (450, 228), colour=SOFT, width=1)
    picture.text(342, 228, "here they part", 14, SOFT, "end")
    return picture


def sound() -> Drawing:
    """Draw the amplifier with its wires to the Pi and to the loudspeaker."""
    picture = Drawing(700, 290, "The amplifier and the loudspeaker")
    picture.box(30, 40, 170, 210, "Raspberry Pi")
    picture.box(340, 40, 150, 210, "MAX98357A")
    picture.box(580, 100, 100, 90, "loudspeaker\n4 Ω", size=14)
    for at, (name, row) in enumerate(rows("amplifier").items()):
        y = 70 + at * 30
        picture.line((200, y), (340, y), colour=COLOURS["data"])
        picture.text(270, y - 10, f"{row['pin']} – {name}", 12, SOFT)
    picture.line((270, 205), (340, 205), colour=COLOURS["5 V"])
    picture.text(236, 205, "5 V: J13.1", 12, SOFT)
    picture.line((270, 232), (340, 232), colour=COLOURS["GND"])
    picture.text(234, 232, "GND: J13.4", 12, SOFT)
    for y in (125, 165):
        picture.line((490, y), (580, y))
    picture.text(590, 208, "neither to ground", 12, SOFT)
    return picture


def stack() -> Drawing:
    """Draw a section through a cell, with the heights of its layers."""
    picture = Drawing(760, 420, "A cut through a cell")
    scale, x, width = 9.0, 60.0, 460.0
    depth, over = MM["light_depth"] * scale, MM["overlay_thickness"] * scale
    top = 150.0
    picture.box(x - 30, top, width + 60, over, fill="#eef3f5", radius=0)
    electrode = MM["electrode_thickness"] * scale
    span = width * MM["electrode_across"] / MM["pitch_across"]
    picture.box(x + (width - span) / 2, top + over, span, electrode, fill="#c98b4b", radius=0)
    wall = max(8.0, MM["wall"] * scale)
    for at in (x - wall / 2, x + width - wall / 2):
        picture.box(at, top + over, wall, depth, fill="#ffffff", radius=0)
    floor = top + over + depth
    tile = width * MM["tile_across"] / MM["pitch_across"]
    picture.box(
        x + (width - tile) / 2, floor, tile, MM["tile_thickness"] * scale, fill="#5f8f5f", radius=0
    )
    middle = x + width / 2
    picture.line(
        (middle, floor), (middle, top + over + electrode), colour=COLOURS["touch"], width=5
    )
    led = width * MM["led_across"] / MM["pitch_across"]
    for at in (middle - led / 2, middle + led / 2):
        picture.box(at - 12, floor - 14, 24, 14, fill=LIT, radius=2)
        picture.line((at, floor - 20), (at, top + over + 8), colour="#e0a800", arrow=True)
    picture.box(x + 40, top - 6, width - 80, 6, fill="#fffdf5", radius=0)
    picture.box(middle - 22, 50, 44, top - 62, "", fill="#f2cdb0", radius=20)
    picture.text(middle + 34, 80, "a finger, on the card's middle", 14, INK, "start")
    right = x + width
    labels = (
        (right - 44, top - 3, "word card"),
        (right + 26, top + over / 2, f"overlay, {MM['overlay_thickness']:g} mm"),
        (middle + span / 2 - 4, top + over + 4, f"electrode, {MM['electrode_thickness']:g} mm"),
        (right - 12, top + over + depth / 2, f"air and light, {MM['light_depth']:g} mm"),
        (middle + tile / 2 - 4, floor + 8, f"tile, {MM['tile_thickness']:g} mm"),
    )
    for at, (end, y, words) in enumerate(labels):
        picture.text(right + 50, 120 + at * 44, words, 14, INK, "start")
        picture.line((right + 44, 120 + at * 44), (end, y), colour=SOFT, width=1)
    picture.text(middle - 10, floor - 40, "spring", 13, SOFT, "end")
    picture.text(
        middle,
        floor + 50,
        "white walls touch the overlay: little light passes to a neighbour",
        13,
        SOFT,
    )
    picture.text(middle, floor + 74, "heights to scale, widths not", 12, SOFT)
    return picture


PICTURES: Final[Mapping[str, Callable[[], Drawing]]] = {
    "overview": overview,
    "machine": machine,
    "chips": chips,
    "lights": lights,
    "electrodes": electrodes,
    "guard": guard,
    "knobs": knobs,
    "sound": sound,
    "stack": stack,
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(draw().svg(), "utf-8")


if __name__ == "__main__":
    main()
