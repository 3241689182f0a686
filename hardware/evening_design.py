"""The table of one evening: its lengths, its wires and its parts.

The lengths are proposals: nobody has built this table yet. All are in millimetres. Places are seen
from above, as the operatives see them: x to the right, y towards the operatives, from the front's
far left corner.
"""

import csv
import math
import re
from pathlib import Path
from typing import Final

from hardware.dimensions import MM

FOLDER: Final = Path(__file__).with_name("evening")
WIRES: Final = FOLDER / "wires.csv"
PARTS: Final = FOLDER / "parts.csv"

FRONT: Final = (700.0, 500.0)
"""Width and height of the frame's front."""
PITCH: Final = (100.0, 75.0)
"""From cell to cell. The string's lights are 100 mm apart, and six rows fit into the frame."""
PLATE: Final = (MM["electrode_across"], 50.0)
"""Width and height of a plate. The height is that of the tape."""
STRIP: Final = 15.0
"""Width of the guards' strips: a third of the tape, less the cuts."""
BOARD: Final = 5.0
"""Thickness of the foam board."""
DEPTH: Final = 35.0
"""Height of the walls: the light spreads, and the Raspberry Pi fits beside the cells."""
COLUMNS, ROWS = 5, 6
FIELD: Final = (
    (FRONT[0] - COLUMNS * PITCH[0]) / 2,
    (FRONT[1] - ROWS * PITCH[1]) / 2,
)
"""The far left corner of the cells."""
NOTCH: Final = (15.0, 10.0)
"""Width and height of the opening in a wall through which the string passes."""
GUARDS: Final = {
    "far": (FIELD[0], 7.0, COLUMNS * PITCH[0], STRIP),
    "near": (FIELD[0], FRONT[1] - 7.0 - STRIP, COLUMNS * PITCH[0], STRIP),
    "left": (10.0, FIELD[1], STRIP, ROWS * PITCH[1]),
    "right": (FRONT[0] - 10.0 - STRIP, FIELD[1], STRIP, ROWS * PITCH[1]),
}
"""Left edge, far edge, width and height of each strip."""
BREAKOUT: Final = (20.0, 34.0)
"""Width and height of a breakout, as it lies on the front."""
BREAKOUT_LEFT: Final = 28.0
"""Left edge of the breakouts: between the strip of the left guard and the cells."""
HOLES: Final = 13
"""Holes of a breakout's long row: GND, then channels 0 to 11."""
HOLE_PITCH: Final = 2.54

PI: Final = (8.0, 75.0, 56.0, 85.0)
"""Left edge, far edge, width and height of the Raspberry Pi in the box. Its USB-C socket faces the
left wall, so its header is on the right, and pin 1 is at the far end."""
SHIFTER: Final = (10.0, 12.0, 80.0, 52.0)
"""The breadboard with the level shifter. It is beside the string's first light, so the data wire is
short."""
SOCKET: Final = (622.0, 50.0, 60.0, 40.0)
"""The socket of the string's supply."""
PI_USB_C: Final = 11.2
"""From the Raspberry Pi's end with the card to the middle of its USB-C socket."""
RIM: Final = 20.0
"""Maximum width of the frame's rim. It lies between front and box when the frame is open."""
HOLES_HIGH: Final = 15.0
"""Height of the holes for cables and air, from the floor. The closed frame slips over the walls
above them."""
SOCKETS_TOP: Final = 20.0
"""Height above the floor where a cable leaves the sockets on the Raspberry Pi's header."""
SOCKETS_LONG: Final = 14.0
"""Length of a socket. The length of a cable may include it."""

_PADS: Final = {"end-turn": 1, "hourglass": 3}
"""Column of each pad, in the row nearest the operatives."""
EMPTY: Final = ("A6", "C6", "E6")
"""The cells beside the pads. A light of the string that lies there stays dark."""


def hole(far: float, number: int) -> float:
    """Return where a hole of a breakout's row is, from the far edge of the front. Hole 0 is GND,
    hole 1 is channel 0. ``far`` is the breakout's far edge."""
    return far + BREAKOUT[1] / 2 + (number - (HOLES - 1) / 2) * HOLE_PITCH


def pin_of_pi(pin: int) -> tuple[float, float]:
    """Return the middle of a pin of the Raspberry Pi's header. The header's middle is 32.5 mm from
    the end with the card, and 3.5 mm from the long edge; odd pins are in its inner row."""
    left, far, width, _ = PI
    column, row = divmod(pin - 1, 2)
    x = left + width - 3.5 + (HOLE_PITCH / 2 if row else -HOLE_PITCH / 2)
    return x, far + 32.5 + (column - 9.5) * HOLE_PITCH


def way_of_cable(pin: int, far: float) -> float:
    """Return the length of the cable's way from a pin of the Raspberry Pi to the first breakout.

    The frame lies open to the left of the box. The way crosses the left wall, and ends at the
    breakout's far edge, ``far``."""
    x, y = pin_of_pi(pin)
    beyond = RIM + BREAKOUT_LEFT + BREAKOUT[0] / 2
    over = y + (far - y) * x / (x + beyond)
    wall = (0.0, over, DEPTH)
    return math.dist((x, y, SOCKETS_TOP), wall) + math.dist(wall, (-beyond, far, 0.0))


def centre(place: str) -> tuple[float, float]:
    """Return the middle of a cell or a pad; the row of the pads is row 6."""
    if place in _PADS:
        column, row = _PADS[place], ROWS - 1
    else:
        column, row = "ABCDE".index(place[0]), int(place[1]) - 1
    return FIELD[0] + (column + 0.5) * PITCH[0], FIELD[1] + (row + 0.5) * PITCH[1]


def string() -> list[str]:
    """Return the place of each light of the string, as far as the string is used.

    From E5 to the hourglass it is 125 mm, and from there to end-turn 200 mm. The lights are only
    100 mm apart, so a light in an empty cell bridges each way.
    """
    cells = [
        column + row
        for row in "12345"
        for column in ("ABCDE" if row in "135" else reversed("ABCDE"))
    ]
    return [*cells, "E6", "hourglass", "C6", "end-turn"]


def lit() -> list[str]:
    """Return the cells and pads in the order of the string."""
    return [place for place in string() if place not in EMPTY]


def walls() -> dict[str, tuple[int, float, float]]:
    """Return the kinds of the lattice's walls: their number, their length, and the distance of
    their slots. The first slot begins at the wall's end."""
    return {
        "across": (ROWS + 1, COLUMNS * PITCH[0] + BOARD, PITCH[0]),
        "down": (COLUMNS + 1, ROWS * PITCH[1] + BOARD, PITCH[1]),
    }


def wires() -> list[dict[str, str]]:
    """Return the rows of wires.csv."""
    with WIRES.open(newline="", encoding="utf-8") as text:
        return [*csv.DictReader(text)]


def parts() -> list[dict[str, str]]:
    """Return the rows of parts.csv."""
    with PARTS.open(newline="", encoding="utf-8") as text:
        return [*csv.DictReader(text)]


def pins(end: str, of: str) -> list[str]:
    """Return the pins of a part in the column ``to`` of wires.csv: of "U2.7 U2.1", those of U2."""
    return re.findall(rf"\b{of}\.([\w+-]+)", end)
