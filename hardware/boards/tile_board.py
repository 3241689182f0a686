"""The tile: the board under a cell, with four LEDs and the contact spring to the electrode."""

from typing import Final

from hardware.boards.board import Board, Part, Point, Pour, Text, Track, box, round_holes
from hardware.boards.wires import WiringError
from hardware.dimensions import MM

CORNERS: Final[dict[str, Point]] = {
    "far-left": (-1, 1),
    "far-right": (1, 1),
    "near-right": (1, -1),
    "near-left": (-1, -1),
}
TURNS: Final = {"far-left": 180, "far-right": 90, "near-right": 0, "near-left": 270}
"""Rotation of each LED in degrees. With it, the data input faces the previous LED, and the data
output faces the next LED."""
OUTWARDS: Final[dict[str, Point]] = {
    "far-left": (0, 1.6),
    "far-right": (1.6, 0),
    "near-right": (0, -1.6),
    "near-left": (-1.6, 0),
}
"""Place in mm of each LED's ground via, relative to the LED's ground pad: towards the board's edge,
away from the data pads."""
_X: Final = MM["led_across"] / 2
_Y: Final = MM["led_down"] / 2


def lights(rows: list[dict[str, str]]) -> list[str]:
    """Return the corners of the tile in the order in which the light data reaches their LEDs.
    Raises WiringError if wiring.csv has another order."""
    order = {int(row["lights"]): row["name"] for row in rows if row["kind"] == "cell-led"}
    found = [order[number] for number in sorted(order)]
    if found != [*CORNERS]:
        raise WiringError(
            f"wiring.csv: the tile's LEDs stand in the order {', '.join(CORNERS)}; "
            f"the cell-led rows say {', '.join(found)}."
        )
    return found


def _led(number: int, corner: str) -> tuple[Part, Part]:
    """Return an LED and its capacitor. The capacitor is next to the LED, nearer to the board's
    middle."""
    sx, sy = CORNERS[corner]
    column = 8 + 18 * number
    led = Part(
        f"D{number}",
        "ws2812b",
        ((column, 26),),
        (sx * _X, sy * _Y),
        TURNS[corner],
        label=(sx * 1.8, -sy * 4.6),
    )
    capacitor = Part(
        f"C{number}",
        "capacitor-100n-0805",
        ((column, 40),),
        (sx * (_X - 6.5), sy * (_Y - 1)),
        0 if sx > 0 else 180,
        label=(-sx * 3.4, 0),
    )
    return led, capacitor


def _plug(ref: str, kind: str, note: str, sheet: Point, place: Point) -> Part:
    """Return a plug on the underside. Its pin 1 is at this place; its other pins are further away
    from the operatives."""
    return Part(ref, kind, (sheet,), place, 90, below=True, note=note)


def _parts(rows: list[dict[str, str]]) -> tuple[Part, ...]:
    hole = MM["tile_hole_across"] / 2
    bridge = (_X - 6.5, -_Y + 5.5)
    return (
        *(part for at, corner in enumerate(lights(rows), start=1) for part in _led(at, corner)),
        Part("C5", "capacitor-22u-1206", ((98, 40),), (-42.0, 10.0), 90, label=(3.2, 0)),
        Part(
            *("JP1", "solder-jumper", ((62, 33),), bridge, 0.0),
            label=(-3.2, 0),
            note="closed where D3 is not fitted",
        ),
        Part(
            *("JP2", "solder-jumper", ((80, 33),), (-bridge[0], bridge[1]), 0.0),
            label=(3.2, 0),
            note="closed where D4 is not fitted",
        ),
        _plug("J1", "xh-header-3", "light in", (14, 26), (-31.0, 11.5)),
        _plug("J2", "xh-header-3", "light out", (104, 26), (-31.0, -16.5)),
        _plug("J3", "xh-header-2", "electrode lead", (58, 52), (9.0, -1.25)),
        _plug("J4", "xh-header-4", "feed", (14, 40), (31.5, -3.75)),
        Part("TP1", "contact-spring", ((44, 52),)),
        Part("H1", "hole", ((76, 52),), (-hole, 0)),
        Part("H2", "hole", ((84, 52),), (hole, 0)),
    )


def _texts() -> tuple[Text, ...]:
    return (
        Text("pi-table  tile  rev B", (0, 17), 1.6),
        Text("FAR SIDE: SPYMASTERS", (0, 24.5), 1.4),
        Text("peg and spring: nothing is soldered", (0, -6), 1.2),
        Text("pads' tiles: without D3, D4; JP1, JP2 closed", (0, -24.5), 1.2),
        Text("data", (0, 31), 1.2),
        Text("data", (0, -31), 1.2),
        Text("pi-table  tile  rev B", (0, 17), 1.6, below=True),
        Text("FAR SIDE", (0, 31), 1.4, below=True),
        Text("J1  LIGHT IN", (-24.6, 14), 1.3, below=True, turn=90),
        Text("J2  LIGHT OUT", (-24.6, -14), 1.3, below=True, turn=90),
        Text("J4  FEED 5 V", (25, 0), 1.3, below=True, turn=90),
        Text("J3  ELECTRODE", (16, 0), 1.3, below=True, turn=90),
        Text("lights: 1 = 5 V, 2 = data, 3 = ground", (0, -17), 1.2, below=True),
        Text("feed: 1 = 5 V, 4 = ground", (0, -20), 1.2, below=True),
        *(Text("1", (-36.6, y), 1.2, below=True) for y in (11.5, -16.5)),
        Text("1", (4.2, -1.8), 1.2, below=True),
        Text("1", (36.8, -6.1), 1.2, below=True),
    )


def tile(rows: list[dict[str, str]]) -> Board:
    across, down = MM["tile_across"], MM["tile_down"]
    whole = box(-across / 2 + 0.6, -down / 2 + 0.6, across / 2 - 0.6, down / 2 - 0.6)
    parts = _parts(rows)
    corners = [*enumerate(lights(rows), start=1)]
    return Board(
        "tile",
        "Tile: four lights and the contact spring of a cell",
        across,
        down,
        MM["tile_thickness"],
        parts,
        notes=(
            ((8, 8), "Data go round as the cell-led rows of wiring.csv say:"),
            ((8, 10), "far left, far right, near right, near left."),
            (
                (8, 13),
                "The tiles of the two pads leave D3, D4, C3, C4 unfitted, and close JP1, JP2.",
            ),
            ((8, 15), "J4 is fitted on six tiles, where the supply comes in."),
        ),
        flags=(("+5V", (24, 54)), ("GND", (30, 54))),
        links=(("D1.DOUT", "D2.DIN"), ("D2.DOUT", "D3.DIN"), ("D3.DOUT", "D4.DIN")),
        tracks=(Track("electrode", "B.Cu", 0.4, ((0, 0), (7.75, 0), (9, 1.25), (9, -1.25))),),
        pours=(Pour("+5V", "F.Cu", whole), Pour("GND", "B.Cu", whole)),
        no_pour=(box(-26, -22, 26, 22), *round_holes(parts)),
        drops=(
            *((f"D{number}.VSS", OUTWARDS[corner]) for number, corner in corners),
            *((f"C{number}.2", (0, -CORNERS[corner][1] * 1.5)) for number, corner in corners),
            ("C5.2", (0, 1.8)),
        ),
        routed=("light-in", "light-1", "light-2", "light-3", "light-out"),
        texts=_texts(),
        lines=(*_arrow((-6, 29), (6, 29)), *_arrow((6, -29), (-6, -29))),
    )


def _arrow(start: Point, end: Point) -> tuple[tuple[Point, Point], ...]:
    """Return the lines that draw a horizontal arrow from `start` to `end`."""
    back = 1.2 if start[0] < end[0] else -1.2
    x, y = end
    return ((start, end), (end, (x - back, y + 1)), (end, (x - back, y - 1)))
