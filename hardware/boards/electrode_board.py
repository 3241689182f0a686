"""The electrode board: the touch-sensitive copper under a cell's word card. It is glued flat to the
underside of the overlay, the table's acrylic surface."""

from hardware.boards.board import Board, Part, Text, Via
from hardware.dimensions import MM


def electrode(rows: list[dict[str, str]]) -> Board:
    del rows  # the rows choose pins, and this board has only one net
    return Board(
        "electrode",
        "Electrode board: the copper of a cell",
        MM["electrode_across"],
        MM["electrode_down"],
        MM["electrode_thickness"],
        (Part("E1", "electrode-board", ((40, 30),), label=(0, 8)),),
        notes=(
            ((8, 8), "One net: the copper of both sides, joined round the land."),
            (
                (8, 10),
                "The tile's contact spring presses on the land from below; no wire is soldered.",
            ),
        ),
        vias=tuple(
            Via("electrode", (sx * x, sy * y))
            for x, y in ((8.0, 8.0), (30.0, 20.0))
            for sx in (-1, 1)
            for sy in (-1, 1)
        ),
        texts=(
            Text("pi-table  electrode  rev B", (0, 3), 1.8),
            Text("glue this side to the overlay", (0, -3), 1.8),
            Text("pi-table  electrode  rev B", (0, 17), 1.8, below=True),
            Text("the contact spring presses here", (0, 11.5), 1.8, below=True),
        ),
    )
