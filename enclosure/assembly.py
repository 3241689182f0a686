"""The whole table: every part, and where it goes."""

from typing import Final

from build123d import Pos

from enclosure.dimensions import MM
from enclosure.levels import (
    ACROSS,
    DECK_TOP,
    DOWN,
    HOOD_UNDER,
    MIDDLE,
    PADS,
    TILE_UNDER,
    TRENCH_BACK,
)
from enclosure.part import Part
from enclosure.parts import bought, hood, light_cells, overlay

TILES: Final = tuple((x, y) for y in DOWN[:-1] for x in ACROSS.values()) + tuple(
    (x, DOWN[-1]) for x in PADS
)
"""x and y of each tile's middle: A1 to E1, and so on to E5, end-turn, hourglass."""
_PAIRS: Final = tuple((DOWN[i] + DOWN[i + 1]) / 2 for i in range(0, len(DOWN), 2))

PARTS: Final = (
    Part(
        "light-cells-wide",
        "printed",
        "PETG or PLA, white",
        light_cells.wide,
        tuple(Pos(x, y, DECK_TOP) for y in _PAIRS for x in (-150.0, 50.0)),
        4,
    ),
    Part(
        "light-cells-narrow",
        "printed",
        "PETG or PLA, white",
        light_cells.narrow,
        tuple(Pos(ACROSS["E"], y, DECK_TOP) for y in _PAIRS),
        4,
    ),
    Part("tile", "bought", "board", bought.tile, tuple(Pos(x, y, TILE_UNDER) for x, y in TILES), 5),
    Part(
        "electrode",
        "bought",
        "board",
        bought.electrode,
        tuple(Pos(x, y, 0) for x, y in TILES),
        6,
    ),
    Part(
        "overlay",
        "sheet",
        "acrylic, opal",
        overlay.overlay,
        (Pos(0, MIDDLE, 0),),
        6,
        MM["overlay_thickness"],
    ),
    Part("screen", "bought", "7 inch display", bought.screen, step=8),
    Part(
        "hood",
        "printed",
        "PETG or PLA, matt black",
        hood.hood,
        (Pos(0, TRENCH_BACK, HOOD_UNDER),),
        8,
    ),
)
