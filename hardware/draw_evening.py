"""Draws the pictures of EVENING.md.

Wires come from evening/wires.csv, channels from wiring.csv, lengths from evening_design.py.
`python -m hardware.draw_evening` writes the pictures into evening/ beside this file.
"""

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from hardware.drawing import COLOURS, INK, LIT, SOFT, Drawing
from hardware.evening_design import (
    BOARD,
    BREAKOUT,
    BREAKOUT_LEFT,
    DEPTH,
    EMPTY,
    FIELD,
    FOLDER,
    FRONT,
    GUARDS,
    HOLES,
    NOTCH,
    PI,
    PI_USB_C,
    PITCH,
    PLATE,
    SHIFTER,
    SOCKET,
    STRIP,
    centre,
    hole,
    lit,
    pin_of_pi,
    string,
    walls,
)
from hardware.evening_wiring import bus, lights, wiring
from hardware.header_pictures import header_of_evening
from hardware.places import rows

FOIL: Final = "#c98b4b"
FOAM: Final = "#fbfaf5"
WOOD: Final = "#d9bf98"
SHADES: Final = {"0x5A": "#dceaf7", "0x5B": "#e3f1dd", "0x5C": "#f9e6d3"}
LEAD_SPARE: Final = 50.0
"""Spare length of a lead in millimetres, for its two joints."""
LEADS: Final = {"0x5A": "#2f74b5", "0x5B": "#4c8a3f", "0x5C": "#c26a1b"}
"""Colour of each chip's leads: its shade, but dark enough for a thin line."""


KEY_COLOURS: Final = {"r": "#e0584a", "b": "#4a8fd6", "n": "#d8cfa8", "x": "#101216"}


class Plan:
    """A plan of the table in a picture, seen from above, or mirrored, as seen from behind."""

    def __init__(
        self, picture: Drawing, left: float, top: float, scale: float, behind: bool = False
    ) -> None:
        self.picture = picture
        self._left, self._top, self._scale, self._behind = left, top, scale, behind

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the picture for a place of the table, in millimetres."""
        if self._behind:
            x = FRONT[0] - x
        return self._left + x * self._scale, self._top + y * self._scale

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        text: str = "",
        fill: str = FOAM,
        size: float = 13,
        radius: float = 0,
    ) -> None:
        left, top = self.at(x + width if self._behind else x, y)
        self.picture.box(
            left,
            top,
            width * self._scale,
            height * self._scale,
            text,
            fill=fill,
            radius=radius,
            size=size,
        )

    def text(self, x: float, y: float, words: str, size: float = 13, fill: str = INK) -> None:
        self.picture.text(*self.at(x, y), words, size, fill)

    def line(self, *points: tuple[float, float], colour: str = INK, width: float = 2) -> None:
        self.picture.line(*(self.at(*point) for point in points), colour=colour, width=width)

    def lattice(self) -> None:
        """Draw the walls of the cells."""
        (across, length, _), (down, height, _) = walls()["across"], walls()["down"]
        half = BOARD / 2
        for row in range(across):
            self.box(FIELD[0] - half, FIELD[1] - half + row * PITCH[1], length, BOARD)
        for column in range(down):
            self.box(FIELD[0] - half + column * PITCH[0], FIELD[1] - half, BOARD, height)

    def sides(self) -> None:
        """Name the far and the near side."""
        self.text(FRONT[0] / 2, -16, "far: the spymasters", 13, SOFT)
        self.text(FRONT[0] / 2, FRONT[1] + 16, "near: the operatives", 13, SOFT)


def layers() -> Drawing:
    """Draw the layers of the table, one above the other."""
    picture = Drawing(960, 560, "The layers of the table, from above")
    layers = (
        ("word cards, 88 × 63 mm", "#fffdf5"),
        ("picture frame with its clear front, 50 × 70 cm", WOOD),
        ("frosted film, then 27 plates and 4 strips of copper", FOIL),
        ("baking paper", "#f4f1ea"),
        ("lattice of foam board: 27 cells, 35 mm high", FOAM),
        ("string of lights, one in each cell", LIT),
        ("the frame's back panel, and four walls of foam board", WOOD),
    )
    for at, (words, fill) in enumerate(layers):
        y = 60 + at * 68
        corners = [(90.0, y + 60), (400.0, y + 60), (470.0, y), (160.0, y)]
        if at == 4:
            picture.polygon((90, y + 60), (400, y + 60), (400, y + 78), (90, y + 78), fill=fill)
            picture.polygon((400, y + 60), (470, y), (470, y + 18), (400, y + 78), fill=fill)
        picture.polygon(*corners, fill="#ffffff" if at in (0, 2, 5) else fill)
        if at == 1:
            picture.polygon(
                (118, y + 52), (388, y + 52), (442, y + 8), (172, y + 8), fill="#eef3f5"
            )
        if at in (0, 2, 4, 5):
            _cells(picture, y, at, fill)
        picture.line((478, y + 30), (510, y + 30), colour=SOFT, width=1)
        picture.text(518, y + 30, words, 14, INK, "start")
    picture.text(315, 34, "far: the spymasters", 13, SOFT)
    picture.text(245, 552, "near: the operatives", 13, SOFT)
    return picture


def _cells(picture: Drawing, y: float, layer: int, fill: str) -> None:
    """Draw what a layer has in each cell, in the slanting view of `layers`."""

    def point(x: float, down: float) -> tuple[float, float]:
        return 160 + x * 310 - down * 70, y + down * 60

    def corner(x: float, down: float) -> tuple[float, float]:
        return point(0.16 + x * 0.68, 0.05 + down * 0.9)

    if layer == 2:
        for left, right, far, near in (
            (0.0, 1.0, -0.05, -0.02),
            (0.0, 1.0, 1.02, 1.05),
            (-0.2, -0.16, 0.0, 1.0),
            (1.16, 1.2, 0.0, 1.0),
        ):
            strip = (corner(left, near), corner(right, near), corner(right, far), corner(left, far))
            picture.polygon(*strip, fill=fill, line=SOFT)
    for row in range(6):
        for column in range(5):
            if row == 5 and column not in (1, 3) and layer != 4:
                continue
            left, right = column / 5, (column + 1) / 5
            far, near = row / 6, (row + 1) / 6
            if layer == 5:
                picture.dot(*corner((left + right) / 2, (far + near) / 2), 3, "#e0a800")
                continue
            if layer == 0 and row == 5:
                continue
            gap = 0.0 if layer == 4 else 0.018
            picture.polygon(
                corner(left + gap, near - gap),
                corner(right - gap, near - gap),
                corner(right - gap, far + gap),
                corner(left + gap, far + gap),
                fill=fill,
                line=SOFT,
            )


def pi() -> Drawing:
    """Draw the Raspberry Pi alone."""
    picture = Drawing(680, 200, "The Raspberry Pi alone: power and Wi-Fi")
    picture.box(240, 50, 200, 100, "Raspberry Pi\nits own supply")
    picture.box(20, 75, 130, 50, "supply, USB-C")
    picture.line((150, 100), (240, 100), colour=COLOURS["5 V"], arrow=True)
    picture.box(520, 75, 140, 50, "network:\nWi-Fi", size=14)
    picture.line((440, 100), (520, 100), dashed=True)
    picture.box(300, 150, 80, 22, "card", size=13)
    picture.text(340, 188, "no wire at the pins yet", 13, SOFT)
    return picture


def service() -> Drawing:
    """Draw the controller as a program of the Raspberry Pi, between chips, lights and engine."""
    picture = Drawing(760, 210, "The controller is a program of the Raspberry Pi")
    picture.box(170, 30, 570, 130, "", fill="#f7f5ee")
    picture.text(455, 48, "Raspberry Pi", 14, SOFT)
    picture.box(200, 70, 190, 60, "pi-table-controller")
    picture.box(540, 70, 170, 60, "pi-table-engine")
    picture.line((390, 100), (540, 100), colour=COLOURS["data"], width=3)
    picture.text(465, 84, "/run/pi-table-", 12, SOFT)
    picture.text(465, 116, "controller/port", 12, SOFT)
    picture.text(20, 80, "pins 3, 5, 37:", 13, SOFT, "start")
    picture.text(20, 98, "touch chips", 13, SOFT, "start")
    picture.text(20, 124, "pin 19: lights", 13, SOFT, "start")
    picture.line((130, 100), (200, 100), dashed=True)
    picture.text(
        380, 188, "It starts without chips and lights, and says what is missing.", 13, SOFT
    )
    return picture


def wall_cuts() -> Drawing:
    """Draw how the foam board is cut into walls, and where the slots and openings are."""
    picture = Drawing(860, 480, "The walls: cut these from foam board")
    kinds = walls()
    scale = 1.25
    for at, (name, (count, length, step)) in enumerate(kinds.items()):
        y = 60.0 + at * 150
        slots = round((length - BOARD) / step) + 1
        x = 60.0
        picture.text(
            x, y - 22, f"{count} walls {name}: {length:g} × {DEPTH:g} mm", 15, INK, "start"
        )
        picture.box(x, y, length * scale, DEPTH * scale, fill=FOAM, radius=0)
        from_top = name == "across"
        for slot in range(slots):
            if slot and (slot == slots - 1 or not from_top):
                middle = x + (BOARD / 2 + (slot - 0.5) * step) * scale
                picture.box(
                    middle - NOTCH[0] * scale / 2,
                    y + (DEPTH - NOTCH[1]) * scale,
                    NOTCH[0] * scale,
                    NOTCH[1] * scale,
                    fill=LIT,
                    radius=0,
                )
            left = x + slot * step * scale
            top = y if from_top else y + DEPTH * scale / 2
            picture.box(left, top, BOARD * scale, DEPTH * scale / 2, fill="#c9ced4", radius=0)
        picture.line(
            (x, y + DEPTH * scale + 14),
            (x + step * scale, y + DEPTH * scale + 14),
            colour=SOFT,
            width=1,
        )
        picture.text(x + step * scale / 2, y + DEPTH * scale + 26, f"{step:g}", 13, SOFT)
        side = "upper" if from_top else "lower"
        picture.text(
            x + step * scale + 16,
            y + DEPTH * scale + 26,
            f"slots: {BOARD:g} mm wide, in the {side} half; the first at the end",
            13,
            SOFT,
            "start",
        )
    y = 360.0
    picture.text(
        60, y - 22, "4 walls of the box, without slots: 2 of 700 mm, 2 of 490 mm", 15, INK, "start"
    )
    picture.text(
        60,
        y + 4,
        f"Yellow: openings for the string, {NOTCH[0]:g} × {NOTCH[1]:g} mm, at the foot, in the "
        "middle of a cell.",
        14,
        INK,
        "start",
    )
    picture.text(
        60,
        y + 30,
        "Across: none in the first and last wall; turn every second of the other five round.",
        14,
        INK,
        "start",
    )
    picture.text(
        60,
        y + 56,
        "Down: six in the four inner walls, in the left one the first and the last, none in the "
        "right one.",
        14,
        INK,
        "start",
    )
    picture.text(
        60,
        y + 86,
        "17 strips of 35 × 700 mm are needed; a board of 500 × 700 mm gives 14.",
        14,
        INK,
        "start",
    )
    return picture


def lattice() -> Drawing:
    """Draw the lattice in its box, and what lies beside it, seen from above."""
    picture = Drawing(800, 620, "The lattice in its box, seen from above")
    plan = Plan(picture, 50, 50, 1.0)
    plan.box(0, 0, *FRONT, fill=WOOD)
    plan.box(0, 0, FRONT[0], BOARD)
    plan.box(0, FRONT[1] - BOARD, FRONT[0], BOARD)
    plan.box(0, BOARD, BOARD, FRONT[1] - 2 * BOARD)
    plan.box(FRONT[0] - BOARD, BOARD, BOARD, FRONT[1] - 2 * BOARD)
    plan.box(*FIELD, 5 * PITCH[0], 6 * PITCH[1], fill="#fffef9")
    plan.lattice()
    for place in lit():
        plan.text(*centre(place), place, 15)
    for place in EMPTY:
        plan.text(*centre(place), "empty", 12, SOFT)
    plan.box(*PI, "Pi", "#dfe9df", radius=3)
    pin, supply = pin_of_pi(1), PI[1] + PI_USB_C
    picture.dot(*plan.at(*pin), 2.5, COLOURS["3.3 V"])
    plan.text(pin[0] - 20, pin[1], "pin 1", 11)
    plan.box(PI[0] - 2, supply - 4.5, 8, 9, fill="#9aa1a8")
    plan.line((-44, supply), (PI[0] - 2, supply), colour=COLOURS["5 V"], width=3)
    plan.text(-24, supply - 12, "USB-C", 12)
    plan.box(*SHIFTER, "breadboard:\nlevel shifter", "#ffffff", size=11, radius=3)
    plan.box(*SOCKET, "supply's\nsocket", "#ffffff", size=12, radius=3)
    plan.line((SOCKET[0] + SOCKET[2], 70), (FRONT[0] + 44, 70), colour=COLOURS["5 V"], width=3)
    plan.text(FRONT[0] + 30, 46, "5 V, 4 A", 12)
    plan.sides()
    edge = [f"{length - BOARD / 2:g}" for length in FIELD]
    picture.text(
        400,
        604,
        f"box {FRONT[0]:g} × {FRONT[1]:g} mm; from its outside to the lattice {edge[0]} mm left "
        f"and right, {edge[1]} mm far and near",
        13,
        SOFT,
    )
    return picture


def string_in_cells(measured: bool = False) -> Drawing:
    """Draw the way of the string through the cells, seen from above. If ``measured``, also draw
    where the voltage is measured."""
    title = "White, and the voltage at its end" if measured else "The string, there and back"
    picture = Drawing(800, 640, title)
    plan = Plan(picture, 50, 50, 1.0)
    plan.box(0, 0, *FRONT, fill="#f3f1ea")
    plan.lattice()
    order = string()
    places = [centre(place) for place in order]
    first_y, (last_x, last_y) = places[0][1], places[-1]
    plan.line((45, first_y), *places, colour=COLOURS["data"], width=3)
    plan.text(48, first_y - 14, "first light: DIN", 12, COLOURS["data"])
    if measured:
        _multimeter(picture, plan.at(last_x, last_y))
    else:
        plan.line((last_x, last_y), (45, last_y), colour=COLOURS["5 V"], width=3)
        plan.text(48, last_y - 14, "5 V, GND again", 12, COLOURS["5 V"])
        picture.text(
            400, 606, "26 and 28 stay dark: they only bridge the way. Cut behind 29.", 14, INK
        )
    for number, (place, (x, y)) in enumerate(zip(order, places, strict=True), 1):
        dark = place in EMPTY
        shade = "#8b8f94" if dark else "#ffffff" if measured else LIT
        picture.dot(*plan.at(x, y), 11, shade)
        plan.text(x, y, str(number), 12, "#ffffff" if dark else INK)
        if not dark and not measured:
            plan.text(x - 24 if len(place) == 2 else x, y - 23, place, 12, SOFT)
    plan.sides()
    return picture


def _multimeter(picture: Drawing, at: tuple[float, float]) -> None:
    """Draw a multimeter with its two tips at a light."""
    x, y = at
    for step, signal in ((-7, "5 V"), (7, "GND")):
        picture.line((x + step, y + 4), (x + step, 588), colour=COLOURS[signal], width=3)
    picture.box(x - 75, 588, 150, 40, "4.5 V or more", fill="#fff4b8")


def white() -> Drawing:
    """Draw where the voltage is measured while all lights are white."""
    return string_in_cells(measured=True)


def plates() -> Drawing:
    """Draw the foil on the inside of the front, seen from behind."""
    picture = Drawing(800, 672, "The foil on the inside of the front, seen from behind")
    plan = Plan(picture, 50, 60, 1.0, behind=True)
    _front(plan)
    for place in lit():
        x, y = centre(place)
        plan.text(x, y, place, 14)
    picture.text(400, 20, "from behind: A is on the right", 15, INK, bold=True)
    x, y = centre("A1")
    first = (x - PLATE[0] / 2, y - PLATE[1] / 2)
    picture.text(
        400,
        606,
        f"plates {PLATE[0]:g} × {PLATE[1]:g} mm: A1 and E1 are {first[0]:g} mm from the side's "
        f"edge and {first[1]:g} mm from the far edge",
        13,
    )
    picture.text(
        400,
        628,
        f"between plates {PITCH[0] - PLATE[0]:g} mm across, {PITCH[1] - PLATE[1]:g} mm down",
        13,
    )
    far, left = GUARDS["far"], GUARDS["left"]
    picture.text(
        400,
        650,
        f"strips {STRIP:g} mm wide: far and near {far[2]:g} mm long, {far[1]:g} mm from the edge; "
        f"left and right {left[3]:g} mm, {left[0]:g} mm from the edge",
        13,
    )
    return picture


def _front(plan: Plan) -> None:
    """Draw the front with its plates and strips."""
    plan.box(0, 0, *FRONT, fill="#eef3f5")
    for name, (x, y, width, height) in GUARDS.items():
        plan.box(x, y, width, height, name if width > height else "", FOIL, size=12)
    for place in lit():
        x, y = centre(place)
        plan.box(x - PLATE[0] / 2, y - PLATE[1] / 2, *PLATE, fill=FOIL)
    for name in ("left", "right"):
        x, y, width, height = GUARDS[name]
        plan.text(x + width / 2 + (22 if name == "left" else -22), FIELD[1] - 12, name, 12)
    plan.sides()


def breakouts() -> dict[str, tuple[float, float]]:
    """Return the left edge and the far edge of each breakout on the front: beside its two rows."""
    return {
        chip: (BREAKOUT_LEFT, FIELD[1] + (2 * at + 1) * PITCH[1] - BREAKOUT[1] / 2)
        for at, chip in enumerate(SHADES)
    }


def way_of_lead(name: str) -> tuple[tuple[float, float], ...]:
    """Return the corners of the way from a plate or a strip to its hole of a breakout."""
    row = rows("pad", "rim")[name]
    left, far = breakouts()[row["chip"]]
    end = (left + BREAKOUT[0], hole(far, int(row["channel"]) + 1))
    if name in GUARDS:
        return _guard_way(name, end)
    x, y = centre(name)
    # A lead leaves its plate on the side of the lane between the two rows of its chip.
    lane = far + BREAKOUT[1] / 2
    side = 1 if lane > y else -1
    edge = y + side * PLATE[1] / 2
    column = round((x - FIELD[0] - PITCH[0] / 2) / PITCH[0])
    way = lane - side * (4 + 1.4 * (4 - column))
    return (x - 20, edge), (x - 20, way), (FIELD[0] - 14, way), end


def length_of_lead(name: str) -> int:
    """Return the length in millimetres of the wire that a maker cuts: its way and its spare,
    rounded up to 10 mm."""
    way = sum(math.dist(*pair) for pair in pairwise(way_of_lead(name)))
    return math.ceil((way + LEAD_SPARE) / 10) * 10


def _end_of_guard(name: str) -> str:
    """Return the chip, the channel and the wire's length of a strip."""
    row = rows("rim")[name]
    return f"{row['chip']} · {row['channel']} · {length_of_lead(name)} mm"


def leads() -> Drawing:
    """Draw every lead from its plate to its breakout, seen from behind."""
    picture = Drawing(800, 730, "Every wire from a plate to its breakout, seen from behind")
    plan = Plan(picture, 50, 60, 1.0, behind=True)
    _front(plan)
    wired = rows("pad", "rim")
    for name, row in wired.items():
        plan.line(*way_of_lead(name), colour=LEADS[row["chip"]], width=1.4)
    for name in lit():
        x, y = centre(name)
        plan.text(x, y - 15, name, 13)
        plan.text(x, y, wired[name]["channel"], 12)
        plan.text(x, y + 15, f"{length_of_lead(name)} mm", 12)
    for chip, (left, far) in breakouts().items():
        plan.box(left, far, *BREAKOUT, fill=SHADES[chip], radius=2)
        for number in range(HOLES):
            picture.dot(*plan.at(left + BREAKOUT[0] - 2, hole(far, number)), 1, INK)
        plan.text(left + BREAKOUT[0] / 2 + 8, far - 10, chip, 12)
    _row_of_holes(picture, 180, 660)
    for name in GUARDS:
        x, y, width, height = GUARDS[name]
        if width > height:
            plan.text(x + width - 80, y + height / 2, _end_of_guard(name), 12)
    picture.text(400, 20, "from behind: A is on the right", 15, INK, bold=True)
    picture.text(
        400,
        606,
        "in a plate: its channel, and its wire's length; "
        f"left is {_end_of_guard('left')}, right {_end_of_guard('right')}",
        13,
    )
    picture.text(
        400,
        630,
        "a chip's wires may lie together: it measures one and grounds the others; those of two "
        "chips never",
        13,
        SOFT,
    )
    return picture


def _row_of_holes(picture: Drawing, left: float, top: float) -> None:
    """Draw the long row of a breakout larger, with the name of each hole."""
    step = 36.0
    picture.text(left - 24, top + 12, "a breakout's row: far", 13, SOFT, "end")
    picture.box(left - 14, top, (HOLES - 1) * step + 28, 40, fill="#ffffff", radius=4)
    for number in range(HOLES):
        x = left + number * step
        picture.dot(x, top + 12, 4, FOIL if number else COLOURS["GND"])
        picture.text(x, top + 28, f"{number - 1}" if number else "GND", 12)
    picture.text(left + (HOLES - 1) * step + 24, top + 12, "near", 13, SOFT, "start")
    picture.text(left, top + 54, "stays empty", 12, SOFT)


def _guard_way(name: str, end: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Return the way of a guard's lead to its breakout."""
    x, y, width, height = GUARDS[name]
    if name == "left":
        # Round the breakout's near end, to the row on its other side.
        near = end[1] + 14
        return ((x + width, near), (end[0] + 6, near), (end[0] + 6, end[1]), end)
    if name == "right":
        lane = FIELD[1] + 3 * PITCH[1] - 3
        return ((x, lane), (FIELD[0] - 14, lane), end)
    middle = y + height / 2
    return ((x, middle), (FIELD[0] - 20, middle), (FIELD[0] - 20, end[1]), end)


def stack() -> Drawing:
    """Draw a section through a cell."""
    picture = Drawing(830, 430, "A cut through a cell")
    x, width, top = 70.0, 400.0, 150.0
    middle, depth = x + width / 2, 150.0
    picture.box(middle - 22, 40, 44, top - 52, "", "#f2cdb0", radius=20)
    picture.box(x + 24, top - 8, width - 48, 6, fill="#fffdf5", radius=0)
    picture.box(x - 30, top, width + 60, 14, fill="#eef3f5", radius=0)
    picture.box(x - 30, top + 14, width + 60, 4, fill="#cfd8dc", radius=0)
    span = width * PLATE[0] / PITCH[0]
    picture.box(middle - span / 2, top + 18, span, 6, fill=FOIL, radius=0)
    picture.box(x - 30, top + 24, width + 60, 6, fill="#f4f1ea", radius=0)
    for at in (x - 10, x + width - 10):
        picture.box(at, top + 30, 20, depth, fill=FOAM, radius=0)
    floor = top + 30 + depth
    picture.box(x - 30, floor, width + 60, 14, fill=WOOD, radius=0)
    picture.box(middle - 16, floor - 26, 32, 26, fill=LIT, radius=4)
    for side in (-1, 1):
        picture.line(
            (middle, floor - 28), (middle + side * 174, top + 32), colour="#e0a800", arrow=True
        )
        picture.line(
            (middle, floor - 28),
            (middle + side * 188, floor - 70),
            (middle + side * 164, top + 32),
            colour="#e0a800",
            arrow=True,
        )
    labels = (
        ("finger", middle + 22, 60),
        ("word card", x + width - 30, top - 5),
        ("clear front, 1 to 2 mm", x + width + 28, top + 7),
        ("frosted film", x + width + 28, top + 16),
        ("baking paper", x + width + 28, top + 27),
        ("copper plate, hidden by the card", middle + span / 2 - 4, top + 21),
        (f"foam board, {DEPTH:g} mm high", x + width + 6, top + 100),
        ("light of the string", middle + 18, floor - 14),
        ("back panel", x + width + 28, floor + 7),
    )
    for at, (words, end_x, end_y) in enumerate(labels):
        y = 60 + at * 38
        picture.text(570, y, words, 14, INK, "start")
        picture.line((562, y), (end_x, end_y), colour=SOFT, width=1)
    picture.text(middle, 412, "heights not to scale", 12, SOFT)
    return picture


def game() -> Drawing:
    """Draw the table in play: cards, a finger, the spymasters' phones."""
    picture = Drawing(800, 620, "The first game: cards on the front, the key on two phones")
    plan = Plan(picture, 90, 110, 0.88)
    plan.box(-22, -22, FRONT[0] + 44, FRONT[1] + 44, fill=WOOD, radius=6)
    plan.box(0, 0, *FRONT, fill="#f4f6f6")
    glows = {"B2": "#f2a49b", "D4": "#9dc3ea", "A5": "#e8ddb8"}
    for place in lit():
        x, y = centre(place)
        if place in ("end-turn", "hourglass"):
            plan.box(x - 38, y - 26, 76, 52, place, "#ffffff", size=12, radius=4)
            continue
        if place in glows:
            plan.box(x - 49, y - 36, 98, 72, fill=glows[place], radius=3)
        if place == "C3":
            plan.box(x - 49, y - 36, 98, 72, fill=LIT, radius=3)
        plan.box(x - 44, y - 31, 88, 63, "WORD", "#fffdf5", size=13, radius=4)
    x, y = plan.at(*centre("C3"))
    picture.box(x - 13, y + 4, 26, 84, "", "#f2cdb0", radius=13)
    for at, team in ((0.32, "red"), (0.68, "blue")):
        left = 90 + at * FRONT[0] * 0.88 - 50
        picture.box(left, 8, 100, 56, "", "#2b2f36", radius=8)
        for number in range(25):
            colour = KEY_COLOURS["rbnrbbrnrbnbrrnbrnbrbnrxr"[number]]
            cell_x, cell_y = left + 22 + number % 5 * 12, 14 + number // 5 * 9
            picture.box(cell_x, cell_y, 10, 7, fill=colour, line="none", radius=1)
        picture.text(left + 50, 76, f"the {team} spymaster's phone", 13, INK)
    picture.text(400, 596, "the operatives: hold a finger on a card until its light is full", 14)
    return picture


PICTURES: Final[Mapping[str, Callable[[], Drawing]]] = {
    "layers": layers,
    "pi": pi,
    "service": service,
    "header": header_of_evening,
    "bus": bus,
    "walls": wall_cuts,
    "lattice": lattice,
    "string": string_in_cells,
    "lights": lights,
    "white": white,
    "plates": plates,
    "leads": leads,
    "stack": stack,
    "game": game,
    "wiring": wiring,
}


def main() -> None:
    for name, draw in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(draw().svg(), "utf-8")


if __name__ == "__main__":
    main()
