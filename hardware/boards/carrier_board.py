"""The carrier: the board under the middle of the table, with controller, touch chips, supply and
plugs."""

from collections.abc import Iterator
from typing import Final

from enclosure.dimensions import MM
from hardware.boards.board import Board, Part, Point, Pour, Text, Track, Via, box, round_holes
from hardware.boards.wires import MODULES

SIDE: Final = MM["carrier"]
"""Width and length of the board in mm. Boards up to 100 mm are in the manufacturers' cheapest price
class."""
CHIPS: Final[dict[str, Point]] = {
    "0x5A": (-17.145, 26.67),
    "0x5B": (17.145, 26.67),
    "0x5C": (-17.145, -26.67),
}
"""Middle of each touch chip's module, by the chip's address. The third module is rotated by 180
degrees, so that its electrode pins are near the board's edge."""
PLUGS: Final = {"0x5A": "J1", "0x5B": "J2", "0x5C": "J3"}
E0: Final[Point] = (12.7, 7.62)
"""Place of electrode pin 0, relative to the middle of a module that is not rotated. Each further
electrode pin is 2.54 mm to the left."""
VIN: Final[Point] = (7.62, -7.62)
"""Place of the 5 V pin, relative to the middle of a module that is not rotated. The ground pin is
two pins further to the left."""
PLUG_ROW: Final = 44.45
PLUG_1: Final = 12.48
"""For a module that is not rotated: distance in mm from its middle, to the right, to pin 1 of its
electrode plug. Each further pin is 2.5 mm to the left."""
FED: Final = ("row 1", "row 2", "row 3", "row 4", "row 5", "pads")
_SHORT: Final = {"end-turn": "turn", "hourglass": "glass"}


def _modules() -> Iterator[tuple[str, float, float, int]]:
    """Yield each touch chip's address and the middle (x, y) of its module. The last number is -1
    for a module that is rotated by 180 degrees, otherwise 1."""
    for chip, (x, y) in CHIPS.items():
        yield chip, x, y, 1 if y > 0 else -1


def _touch() -> Iterator[Part]:
    """Yield each touch chip's module and its electrode plug."""
    for number, (chip, x, y, up) in enumerate(_modules()):
        turn, row = (0, 24 + 22 * number) if up > 0 else (180, 68)
        yield Part(
            MODULES[chip],
            "mpr121-breakout",
            ((62, row),),
            (x, y),
            turn,
            label=(0, 2 * up),
            note=chip,
        )
        yield Part(
            PLUGS[chip],
            "xh-header-12",
            ((84, row - 1),),
            (x + up * PLUG_1, up * PLUG_ROW),
            180 - turn,
            label=(2.2, -4.4) if up > 0 else (-4.4, 0),
            note=f"electrodes of {chip}",
        )


def _others() -> tuple[Part, ...]:
    """Return the parts for the controller, the bus, the light data and the supply."""
    half = MM["carrier_hole"] / 2
    return (
        Part("U1", "nano", ((24, 32),), (-5.715, 7.62), 270, label=(-18, -7.6)),
        Part("R1", "resistor-10k", ((24, 60),), (-46.0, 31.0), 270, label=(2.8, -5)),
        Part("R2", "resistor-10k", ((14, 82),), (-46.0, -22.0), 270, label=(2.8, -5)),
        Part("Q1", "bss138", ((34, 82),), (-41.0, -17.5), 0, label=(0, 2.7)),
        Part(
            *("U2", "74ahct125", ((112, 60), (127, 60), (137, 60), (147, 60), (153, 60))),
            *((5.08, 13.97), 0.0),
            label=(3.81, -17.6),
        ),
        Part("C2", "capacitor-100n-0805", ((158, 60),), (17.5, 12.4), 270, label=(0, 2.6)),
        Part(
            *("JP1", "pin-header-3", ((112, 82),), (25.4, 13.335), 0.0),
            label=(-3.4, -2.54),
            note="who drives the lights",
        ),
        Part("R3", "resistor-470", ((128, 86),), (21.0, 3.5), 0, label=(5.08, 2.4), sheet_turn=90),
        Part("R4", "resistor-100k", ((102, 64),), (5.08, -14.0), 0, label=(5.08, 2.4)),
        Part("D2", "esd-diode", ((140, 89),), (37.0, -15.8), 90, label=(-2.7, 0), sheet_turn=270),
        Part("D3", "esd-diode", ((94, 64),), (12.5, -38.2), 0, label=(-3.7, 0), sheet_turn=270),
        Part("D1", "tvs-diode", ((66, 101),), (40.0, -28.0), 90, label=(-3.4, 0), sheet_turn=270),
        Part(
            "F1",
            "fuse-holder",
            ((34, 96.5),),
            (26.0, -31.5),
            180,
            label=(-16.0, 6.2),
            sheet_turn=90,
        ),
        Part("C1", "capacitor-1000u", ((54, 101),), (24.0, -17.0), 0, label=(2.5, 6.2)),
        Part(
            "J6", "screw-terminal", ((14, 97),), (32.0, -43.0), 0, label=(-4.6, 0), sheet_turn=180
        ),
        Part(
            *("J4", "xh-header-6", ((76, 99),), (5.0, -44.45), 0.0),
            label=(-2.2, 3.9),
            note="Raspberry Pi",
            sheet_turn=180,
        ),
        Part(
            *("J5", "xh-header-3", ((152, 86),), (43.0, -15.0), 270.0),
            label=(-6.2, -5.6),
            note="chain of lights",
        ),
        *(
            Part(
                *(
                    f"J{7 + at}",
                    "xh-header-2",
                    ((104 + 10 * at, 22),),
                    (43.0, 37.25 - 8.5 * at),
                    270,
                ),
                label=(-6.2, -0.6),
                note=f"feed {name}",
            )
            for at, name in enumerate(FED)
        ),
        *(
            Part(f"H{at}", "hole", ((86 + 6 * at, 106),), (sx * half, sy * half))
            for at, (sx, sy) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1)), start=1)
        ),
    )


def _electrodes(rows: list[dict[str, str]]) -> Iterator[tuple[str, Point, Point]]:
    """Yield each electrode's name, the place of the electrode's pin on the touch module, and the
    place of its pin on the plug."""
    for row in rows:
        if row["kind"] in ("pad", "rim"):
            x, y = CHIPS[row["chip"]]
            up = 1 if y > 0 else -1
            pin = int(row["plug"].partition(".")[2]) - 1
            yield (
                row["name"],
                (x + up * (E0[0] - 2.54 * int(row["channel"])), y + up * E0[1]),
                (x + up * (PLUG_1 - 2.5 * pin), up * PLUG_ROW),
            )


def _supply_tracks() -> Iterator[Track]:
    """Yield tracks from pads to pours, at the places where the router's tracks would otherwise cut
    islands out of the pours."""
    for chip, x, y, up in _modules():
        start = (x + up * VIN[0], y + up * VIN[1])
        yield Track("+5V", "B.Cu", 1.0, (start, (start[0], y)))
        for pin in (2, 3) if chip == "0x5A" else (2,):  # ADDR of the first chip is on ground
            start = (x + up * (VIN[0] - 2.54 * pin), y + up * VIN[1])
            yield Track("GND", "B.Cu", 1.0, (start, (start[0], y - up * 3.8)))
    yield Track("+5V", "F.Cu", 1.0, ((5.08, 6.35), (2.5, 6.35)))
    yield Track("+5V", "B.Cu", 1.0, ((-13.335, -7.62), (-10.0, -11.0), (-1.0, -11.0)))


def _texts(rows: list[dict[str, str]]) -> Iterator[Text]:
    for name, _, (x, y) in _electrodes(rows):
        place = (x, y - 6.0 if y > 0 else y + 6.0)
        yield Text(_SHORT.get(name, name), place, 0.9, turn=90)
    yield Text("pi-table  carrier  rev A", (16.5, -8.5), 1.5)
    for _, x, y, up in _modules():
        yield Text("touch chip (Adafruit 1982 or alike)", (x, y - 1.6 * up), 0.9)
    for chip, x, y, up in _modules():
        yield Text(f"TOUCH {chip}", (x, y + 4.2 * up), 1.2)
    yield Text("NANO", (29.6, 13.335), 1.0)
    yield Text("LIGHTS", (29.8, 10.795), 1.0)
    yield Text("PI", (28.6, 8.255), 1.0)
    yield Text("470", (26.08, 1.2), 0.9)
    yield Text("100k  only with U2", (13.5, -17.0), 0.9)
    yield Text("10k", (-42.6, 23.6), 0.9)
    yield Text("10k", (-42.6, -29.4), 0.9)
    yield Text("T 6.3 A", (14.75, -25.3), 1.0)
    yield Text("5 V", (30.6, -35.6), 1.2)
    yield Text("GND", (37.6, -35.6), 1.2)
    yield Text("RASPBERRY PI: 5 = GPIO10", (14.2, -40.55), 0.9)
    yield Text("LIGHTS", (36.8, -22.6), 0.9)
    for at, name in enumerate(FED):
        yield Text(name, (36.8, 34.2 - 8.5 * at), 0.9)
    yield Text("FEEDS 5 V", (43.0, 41.2), 0.9)
    for at in range(len(FED)):
        yield Text("1", (46.8, 38.6 - 8.5 * at), 0.8)


def carrier(rows: list[dict[str, str]]) -> Board:
    edge = SIDE / 2 - 0.6
    parts = (*_touch(), *_others())
    whole = box(-edge, -edge, edge, edge)
    supply = (
        (22.5, -28),
        (29.5, -28),
        (34.4, -34),
        (34.4, -47.5),
        (29, -47.5),
        (29, -38),
        (22.5, -34),
    )
    return Board(
        "carrier",
        "Carrier: controller, touch chips, supply and plugs",
        SIDE,
        SIDE,
        1.6,
        parts,
        notes=(
            ((52, 8), "Touch: breakouts with regulator, level shifter and 10 kΩ pull-ups at 5 V,"),
            ((52, 10), "3.3 kΩ together. ADDR: 0x5A to ground, 0x5B to 3.3 V, 0x5C to SDA."),
            ((8, 52), "R1: on the breakouts only an LED pulls IRQ up."),
            ((8, 70), "Q1, R2: ADDR of 0x5C follows SDA,"),
            ((8, 72), "but at 3.3 V, which is all that the chip bears."),
            ((8, 92), "Supply: to the right of the fuse for all of the table"),
            ((98, 48), "Light data of the Raspberry Pi:"),
            ((98, 50), "U2, C2, R4 and D3 are fitted where the Pi drives the lights."),
            ((100, 76), "JP1: to the left the controller drives the lights, to the right the Pi."),
            ((98, 14), "Feeds: 5 V to a tile of each row"),
        ),
        flags=(("GND", (26, 104)),),
        tracks=(
            *(Track(name, "F.Cu", 0.3, (pin, plug)) for name, pin, plug in _electrodes(rows)),
            *_supply_tracks(),
        ),
        vias=(
            *(Via("+5V", (x + VIN[0] * up, y)) for _, x, y, up in _modules()),
            Via("+5V", (-1.0, -11.0)),
        ),
        pours=(
            Pour("+5V", "F.Cu", whole),
            Pour("GND", "B.Cu", whole),
            Pour("supply", "F.Cu", supply),
        ),
        no_pour=(
            *(
                box(x - 17.0 * up, y + 5.9 * up, x + 13.9 * up, up * SIDE / 2)
                for _, x, y, up in _modules()
            ),
            *round_holes(parts),
        ),
        drops=(
            ("D1.2", (0, 2.6)),
            ("D2.2", (0, 1.6)),
            ("D3.2", (1.6, 0)),
            ("C2.2", (0, -1.8)),
        ),
        apart=("M1.VIN", "M2.VIN", "M3.VIN", "U1.+5V"),
        routed=(
            *("touch-data", "touch-clock", "touch-changed"),
            *("0x5A-3V3", "0x5B-3V3", "0x5C-3V3", "0x5C-address"),
            *("lights", "pi-lights", "pi-lights-5V", "lights-chosen", "lights-out"),
        ),
        grid=0.635,
        texts=tuple(_texts(rows)),
    )
