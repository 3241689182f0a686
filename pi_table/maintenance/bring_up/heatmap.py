"""Shows each pad's reaction to a finger, as text and as shapes for a picture. All functions are
pure."""

from collections.abc import Mapping
from typing import Final

from pi_table.common.geometry import CELL_COUNT, END_TURN, HOURGLASS, PLACE_COUNT, SIDE
from pi_table.common.language import say
from pi_table.devices.wire.settings import PADS
from pi_table.maintenance.bring_up.pad_quality import Judgement, Quality
from pi_table.screens.console.shapes import Colour, Rect, Scene, Shape, Text

Judgements = Mapping[int, Judgement]
"""The judgement of each pad, by the pad's number (0 … 30). Pads that were skipped are missing."""

FAR, LEFT, RIGHT, NEAR = range(PLACE_COUNT, PLACE_COUNT + 4)
BLOCKS: Final = "▁▂▃▄▅▆▇█"
FULL: Final = 32.0
"""Counts that two fingers cause. From this number on, the bar is highest and the colour hottest."""


def as_text(judgements: Judgements) -> str:
    """Return the counts of each touch in lines of text, laid out as the operatives see the pads."""
    rows = [
        f"{'':6}{_pad_text(judgements, FAR):^35}",
        "      " + "".join(f"{c:^7}" for c in "ABCDE"),
    ]
    for row in range(SIDE):
        cells = (f"{_pad_text(judgements, row * SIDE + column):^7}" for column in range(SIDE))
        left = _pad_text(judgements, LEFT) if row == SIDE // 2 else ""
        right = _pad_text(judgements, RIGHT) if row == SIDE // 2 else ""
        rows.append(f"{left:>4} {row + 1}" + "".join(cells) + right)
    pads = (f"{PADS[pad]} {_pad_text(judgements, pad)}" for pad in (END_TURN, HOURGLASS))
    rows.append(f"{'':6}{'   '.join(pads):^35}")
    rows.append(f"{'':6}{_pad_text(judgements, NEAR):^35}")
    return "\n".join(row.rstrip() for row in rows)


def _pad_text(judgements: Judgements, pad: int) -> str:
    judgement = judgements.get(pad)
    if judgement is None:
        return "–"
    if judgement.quality is not Quality.FINE:
        return f"✖{judgement.delta:.0f}"
    return f"{BLOCKS[round(_heat(judgement.delta) * (len(BLOCKS) - 1))]}{judgement.delta:.0f}"


def _heat(delta: float) -> float:
    """Return the heat for a number of counts, from 0 (no counts) to 1 (`FULL` or more)."""
    return min(1.0, max(0.0, delta / FULL))


# The picture

WIDTH: Final = 720
HEIGHT: Final = 800
CELL_WIDTH, CELL_HEIGHT, GAP = 100, 92, 6
GRID_X, GRID_Y = 94, 116
GRID_WIDTH: Final = SIDE * (CELL_WIDTH + GAP) - GAP
GRID_HEIGHT: Final = SIDE * (CELL_HEIGHT + GAP) - GAP
RIM, RIM_GAP = 32, 14
PAD_HEIGHT: Final = 54
INNER_HEIGHT: Final = GRID_HEIGHT + GAP + PAD_HEIGHT
"""Height in pixels of the area inside the rim: the cells, and the two pads below them."""

PAPER, INK, SOFT = 0x14161A, 0xF2F2EE, 0x9DA3AC
HEATS: Final = (0x1D2B53, 0x3B4CC0, 0x2A9D8F, 0xE9C46A, 0xF4F1DE)
"""Colours from cold to hot. Each is brighter than the one before, so people who confuse hues can
also tell them apart."""
WRONG: Final = 0xC1121F
UNTRIED: Final = 0x2A2E35


def as_scene(judgements: Judgements, title: str) -> Scene:
    """Return a picture of WIDTH × HEIGHT pixels: title, pads, and scale of colours."""
    shapes: list[Shape] = [
        Rect(0, 0, WIDTH, HEIGHT, PAPER),
        Text(20, 14, WIDTH - 40, 34, title, 24, INK, "centre"),
    ]
    for pad, (x, y, w, h) in enumerate(_boxes()):
        shapes += _pad(pad, judgements.get(pad), x, y, w, h)
    return (*shapes, *_scale())


Box = tuple[int, int, int, int]


def _boxes() -> list[Box]:
    """Return the box of each pad, by the pad's number: x, y, width and height in pixels."""
    boxes: list[Box] = []
    for cell in range(CELL_COUNT):
        row, column = divmod(cell, SIDE)
        x, y = GRID_X + column * (CELL_WIDTH + GAP), GRID_Y + row * (CELL_HEIGHT + GAP)
        boxes.append((x, y, CELL_WIDTH, CELL_HEIGHT))
    half = (GRID_WIDTH - GAP) // 2
    pad_y = GRID_Y + GRID_HEIGHT + GAP
    boxes += [(GRID_X + part * (half + GAP), pad_y, half, PAD_HEIGHT) for part in (0, 1)]
    beyond = RIM_GAP + RIM
    return [
        *boxes,
        (GRID_X, GRID_Y - beyond, GRID_WIDTH, RIM),
        (GRID_X - beyond, GRID_Y, RIM, INNER_HEIGHT),
        (GRID_X + GRID_WIDTH + RIM_GAP, GRID_Y, RIM, INNER_HEIGHT),
        (GRID_X, GRID_Y + INNER_HEIGHT + RIM_GAP, GRID_WIDTH, RIM),
    ]


def _pad(pad: int, judgement: Judgement | None, x: int, y: int, w: int, h: int) -> list[Shape]:
    name, line = PADS[pad], None
    if judgement is None:
        fill, counts = UNTRIED, "–"
        below: str = say("not tried")
    else:
        fill, counts = _colour(_heat(judgement.delta)), f"{judgement.delta:.0f}"
        below = f"SNR {judgement.snr:.0f}"
        if judgement.quality is not Quality.FINE:
            line, below = WRONG, judgement.quality.value
    ink = PAPER if _light(fill) else INK
    shapes: list[Shape] = [Rect(x, y, w, h, fill, line, 5 if line else 0, radius=8)]
    if h > w:  # an upright strip has room only for the number
        return [*shapes, Text(x + 5, y, w - 10, h, counts, 18, ink, "centre", 11)]
    if h < CELL_HEIGHT:
        label = f"{name}: {counts}, {below}"
        return [*shapes, Text(x + 8, y, w - 16, h, label, 18, ink, "centre", 11)]
    return [
        *shapes,
        Text(x + 9, y + 6, 40, 20, name, 15, ink),
        Text(x + 8, y + 26, w - 16, 34, counts, 28, ink, "centre", 14),
        Text(x + 6, y + 64, w - 12, 20, below, 14, ink, "centre", 11),
    ]


def _scale() -> list[Shape]:
    steps = 40
    w, y = GRID_WIDTH / steps, HEIGHT - 48
    shapes: list[Shape] = [
        Rect(GRID_X + step * w, y, w + 1, 16, _colour(step / (steps - 1))) for step in range(steps)
    ]
    below = (GRID_X, y + 20, GRID_WIDTH, 20)
    return [
        *shapes,
        Text(*below, "0", 15, SOFT),
        Text(*below, say("counts; red edge: not good enough"), 15, SOFT, "centre"),
        Text(*below, f"{FULL:.0f}", 15, SOFT, "right"),
    ]


def _colour(heat: float) -> Colour:
    place = heat * (len(HEATS) - 1)
    step = min(int(place), len(HEATS) - 2)
    return _mix(HEATS[step], HEATS[step + 1], place - step)


def _mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return the colour ``one`` mixed with this share (0 … 1) of ``other``."""
    mixed = 0
    for shift in (16, 8, 0):
        a, b = one >> shift & 0xFF, other >> shift & 0xFF
        mixed |= round(a + (b - a) * share) << shift
    return mixed


def _light(colour: Colour) -> bool:
    red, green, blue = colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF
    return 0.3 * red + 0.6 * green + 0.1 * blue > 128
