"""The carrier: the board under the middle of the table, with touch chips, lights' supply and
plugs."""

from collections.abc import Iterator
from typing import Final

from enclosure.dimensions import MM
from hardware.boards.board import Board, Layer, Part, Point, Pour, Text, Track, box, round_holes
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
BUS: Final[Point] = (-7.62, -7.62)
"""Place of the first bus pin, VIN, relative to the middle of a module that is not rotated. The
ground pin is two pins further to the right."""
PLUG_ROW: Final = 44.45
PLUG_1: Final = 12.48
"""For a module that is not rotated: distance in mm from its middle, to the right, to pin 1 of its
electrode plug. Each further pin is 2.5 mm to the left."""
LIGHT_DATA: Final[tuple[tuple[Layer, tuple[Point, ...]], ...]] = (
    (
        "B.Cu",
        (
            *((16.5, -44.45), (18.5, -42.45), (18.5, -6.5), (12.0, 0.0)),
            *((8.0, 0.0), (6.35, 1.65), (6.35, 8.89), (2.54, 8.89)),
        ),
    ),
    ("F.Cu", ((16.5, -44.45), (16.5, -41.9), (14.5, -39.9), (11.95, -39.9), (11.25, -39.2))),
    ("F.Cu", ((11.25, -39.2), (11.25, -38.2))),
    ("F.Cu", ((16.5, -41.9), (16.9, -41.5), (16.9, -39.4))),
)
"""Ways of the light data from the Raspberry Pi's plug: to U1, to D3 and to R3."""
CHIPS_SUPPLY: Final[tuple[tuple[Point, ...], ...]] = (
    (
        *((4.0, -44.45), (4.0, -42.0), (0.3, -38.3), (0.3, -21.5), (-2.15, -19.05)),
        *((-2.15, 14.5), (4.975, 14.5), (9.525, 19.05)),
    ),
    ((-2.15, -19.05), (-9.525, -19.05)),
    ((-2.15, 14.5), (-20.215, 14.5), (-24.765, 19.05)),
)
"""Ways of the 3.3 V from the Raspberry Pi's plug to the modules. Like the light data they are below
the board: above, they would cut the pour of 5 V in two."""
FEEDS: Final[dict[str, tuple[str, Point, float]]] = {
    "J7": ("row 1", (43.0, 35.0), 270),
    "J8": ("row 2", (43.0, 21.5), 270),
    "J9": ("row 3", (43.0, 8.0), 270),
    "J10": ("row 4", (-25.6, 7.5), 0),
    "J11": ("row 5", (-11.6, 7.5), 0),
    "J12": ("pads", (-25.6, -6.0), 0),
    "J13": ("amplifier", (-11.6, -6.0), 0),
}
"""Plugs that give 5 V: what each feeds, the place of its pin 1, and its rotation in degrees."""
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
    """Return the parts for the light data, the supply and the Raspberry Pi."""
    half = MM["carrier_hole"] / 2
    return (
        Part(
            *("U1", "74ahct125", ((112, 60), (127, 60), (137, 60), (147, 60), (153, 60))),
            *((2.54, 11.43), 0.0),
            label=(3.81, -17.6),
        ),
        Part("C2", "capacitor-100n-0805", ((158, 60),), (14.5, 9.9), 270, label=(0, 2.6)),
        Part("R2", "resistor-470", ((128, 86),), (21.0, 3.5), 0, label=(5.08, 2.4), sheet_turn=90),
        Part("R3", "resistor-100k", ((102, 64),), (16.9, -39.4), 0, label=(5.08, 2.2)),
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
        Part("Q1", "mosfet-p", ((44, 98),), (7.0, -19.5), 270, label=(0.8, 4.6), sheet_turn=90),
        Part("R1", "resistor-10k", ((44, 106),), (2.0, -10.5), 270, label=(-2.8, -5.0)),
        Part("C1", "capacitor-1000u", ((56, 101),), (24.0, -17.0), 0, label=(2.5, 6.2)),
        Part(
            "J6", "screw-terminal", ((14, 97),), (32.0, -43.0), 0, label=(-4.6, 0), sheet_turn=180
        ),
        Part(
            *("J4", "xh-header-7", ((78, 100),), (4.0, -44.45), 0.0),
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
                *(ref, "xh-header-4", ((104 + 9 * at, 22),), place, turn),
                label=(-6.2, -1.0) if turn else (-1.2, 3.6),
                note=f"5 V for {name}",
            )
            for at, (ref, (name, place, turn)) in enumerate(FEEDS.items())
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


def _ground_tracks() -> Iterator[Track]:
    """Yield tracks from the modules' ground pins into the pour, at the places where the router's
    tracks would otherwise cut islands out of it."""
    for chip, x, y, up in _modules():
        for pin in (2, 6) if chip == "0x5A" else (2,):  # ADDR of the first chip is on ground
            start = (x + up * (BUS[0] + 2.54 * pin), y + up * BUS[1])
            yield Track("GND", "B.Cu", 1.0, (start, (start[0], y + up * 3.0)))
    yield Track("GND", "B.Cu", 0.6, ((10.16, -1.27), (12.5, -3.6)))
    yield Track("GND", "B.Cu", 0.6, ((10.16, 6.35), (13.0, 6.35)))


def _supply_tracks() -> Iterator[Track]:
    """Yield tracks of the supply, where pours alone would not reach a pad."""
    yield Track("+5V", "F.Cu", 1.0, ((2.54, 3.81), (0.0, 3.81)))
    yield Track("+5V", "F.Cu", 1.0, ((10.16, 1.27), (12.7, 1.27)))
    yield Track("+5V", "F.Cu", 1.0, ((6.8, -17.025), (8.905, -17.025), (8.905, -13.5)))
    for y in (7.5, -6.0):  # the bus passes between these plugs
        way = ((-25.6, y), (-25.6, y - 3.0), (-11.6, y - 3.0), (-11.6, y))
        yield Track("+5V", "B.Cu", 2.0, way)
    yield Track("fused", "F.Cu", 1.0, ((5.095, -21.975), (8.905, -21.975)))
    yield Track("fused", "F.Cu", 2.0, ((5.6, -22.5), (3.4, -25.0), (3.4, -31.5)))


def _texts(rows: list[dict[str, str]]) -> Iterator[Text]:
    for name, _, (x, y) in _electrodes(rows):
        place = (x, y - 6.0 if y > 0 else y + 6.0)
        yield Text(_SHORT.get(name, name), place, 0.9, turn=90)
    yield Text("pi-table  carrier  rev B", (-17.0, -13.8), 1.5)
    yield Text("5 V", (-7.85, 1.8), 0.9)
    yield Text("5 V", (-21.85, 1.8), 0.9)
    for chip, x, y, up in _modules():
        yield Text("MPR121 breakout of 2021 or later", (x, y - 1.6 * up), 0.9)
        yield Text(f"TOUCH {chip}", (x, y + 4.2 * up), 1.2)
    yield Text("470", (26.08, 1.2), 0.9)
    yield Text("100k", (24.5, -41.6), 0.9)
    yield Text("10k", (-0.8, -13.5), 0.9)
    yield Text("T 4 A", (14.75, -25.9), 1.0)
    yield Text("5 V", (30.6, -35.6), 1.2)
    yield Text("GND", (37.6, -35.6), 1.2)
    yield Text("RASPBERRY PI", (11.0, -40.55), 0.9)
    yield Text("1", (4.0, -40.9), 0.8)
    yield Text("LIGHTS", (36.8, -22.6), 0.9)
    for name, (x, y), turn in FEEDS.values():
        if turn:
            yield Text(name, (x - 6.2, y - 3.0), 0.9)
            yield Text("1", (x + 3.8, y + 1.3), 0.8)
        else:
            yield Text(name, (x + 4.6, y + 3.6), 0.9)
            yield Text("1", (x - 3.4, y - 1.0), 0.8)
    yield Text("5 V", (43.0, 38.8), 0.9)


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
        "Carrier: touch chips, lights' supply and plugs",
        SIDE,
        SIDE,
        1.6,
        parts,
        notes=(
            ((52, 8), "Touch: breakouts at 3.3 V, with pull-ups for ADDR (to ground) and INT."),
            ((52, 10), "ADDR: 0x5A to ground, 0x5B to 3.3 V of the chip, 0x5C to SDA."),
            ((8, 90), "Supply of lights and amplifier. The wrong way round Q1 stays open;"),
            ((8, 92), "it opens its way when its gate, at ground, is below its source."),
            ((98, 48), "Light data of the Raspberry Pi: 3.3 V in, 5 V out"),
            ((98, 14), "5 V to a tile of each row, and to the amplifier; pins 2 and 3 are empty"),
        ),
        flags=(("+5V", (20, 104)), ("GND", (26, 104)), ("+3V3", (32, 104))),
        tracks=(
            *(Track(name, "F.Cu", 0.3, (pin, plug)) for name, pin, plug in _electrodes(rows)),
            *_ground_tracks(),
            *_supply_tracks(),
            *(Track("lights", layer, 0.3, way) for layer, way in LIGHT_DATA),
            *(Track("+3V3", "B.Cu", 0.5, way) for way in CHIPS_SUPPLY),
        ),
        pours=(
            Pour("+5V", "F.Cu", whole),
            Pour("GND", "B.Cu", whole),
            Pour("supply", "F.Cu", supply),
            Pour("fused", "F.Cu", box(0.8, -34.0, 12.2, -22.0)),
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
        apart=tuple(f"Q1.{pin}" for pin in "1235678"),
        routed=(
            *("touch-data", "touch-clock", "touch-changed", "0x5B-3V3"),
            *("lights-5V", "lights-out", "gate"),
        ),
        grid=0.635,
        texts=tuple(_texts(rows)),
    )
