"""The positions of all parts of the hidden screen, for a screen of any size.

Everything is measured in *units* (`style.UNIT`). A unit is 0.19 mm: a pixel of a 7-inch screen with
800 by 480 pixels. `look.py` decides how many units a screen has, and converts units into pixels.
"""

from typing import NamedTuple

import msgspec

from pi_table.common.geometry import SIDE, across
from pi_table.screens.console import style


class Box(NamedTuple):
    """A rectangle on the screen, in units."""

    x: float
    y: float
    w: float
    h: float

    def below(self, h: float) -> "Box":
        """Return the box without its uppermost ``h`` units."""
        return Box(self.x, self.y + h, self.w, self.h - h)

    def split_across(self, w: float) -> "tuple[Box, Box]":
        """Split the box with a gap between the parts; the left part is ``w`` units wide."""
        right = self.x + w // 1 + style.GAP
        return self._replace(w=w // 1), self._replace(x=right, w=self.x + self.w - right)

    def inset(self, across: float, down: float = 0.0) -> "Box":
        """Return the box reduced by margins: ``across`` units at the left and right, ``down`` units
        at the top and bottom."""
        return Box(self.x + across, self.y + down, self.w - 2 * across, self.h - 2 * down)

    def tile(self, place: int, columns: int, rows: int) -> "Box":
        """Return the box of tile ``place`` in a grid with gaps. Tiles are counted from 0, row by
        row, and have their edges at whole units."""
        row, column = divmod(place, columns)
        across, down = (self.w + style.GAP) / columns, (self.h + style.GAP) / rows
        x, y = round(self.x + column * across), round(self.y + row * down)
        w = round(self.x + (column + 1) * across) - x - style.GAP
        return Box(x, y, w, round(self.y + (row + 1) * down) - y - style.GAP)


class Layout(msgspec.Struct, frozen=True):
    """The parts of a screen of ``width`` by ``height`` units.

    The grid is at the left and the panel at the right; or one page takes the whole width. The
    buttons are at the right end of the foot, the lowest row.
    """

    width: int = style.WIDTH
    height: int = style.HEIGHT

    @property
    def panel_x(self) -> int:
        return self.width - style.MARGIN - self.panel_w

    @property
    def panel_w(self) -> int:
        """Width of the panel, in units: 36 % of the screen, but at least 236 and at most 288."""
        return max(236, min(288, round(0.36 * self.width)))

    @property
    def foot_y(self) -> int:
        return self.height - style.MARGIN - style.FOOT_HEIGHT

    @property
    def foot(self) -> Box:
        """The box of the buttons in the lowest row."""
        return Box(self.panel_x, self.foot_y, self.panel_w, style.FOOT_HEIGHT)

    @property
    def foot_text(self) -> Box:
        """The box beside the buttons, for text on screens without the grid."""
        left = style.MARGIN + 6
        return Box(left, self.foot_y, self.panel_x - style.MARGIN - left, style.FOOT_HEIGHT)

    @property
    def head(self) -> Box:
        """The box of the headline, above the panel."""
        return Box(self.panel_x, style.MARGIN, self.panel_w, style.HEAD_HEIGHT)

    @property
    def body(self) -> Box:
        """The box of the panel, between headline and buttons."""
        top = self.head.y + self.head.h + style.MARGIN
        return Box(self.panel_x, top, self.panel_w, self.foot_y - style.MARGIN - top)

    @property
    def title(self) -> Box:
        """The box for the title of a full-width page."""
        return Box(style.MARGIN + 6, style.MARGIN, self.width - 2 * style.MARGIN - 12, 42)

    @property
    def page(self) -> Box:
        """The box of a page, between its title and the buttons."""
        top = style.MARGIN + 50
        return Box(
            style.MARGIN, top, self.width - 2 * style.MARGIN, self.foot_y - style.MARGIN - top
        )

    @property
    def whole_page(self) -> Box:
        """The box of a page without a title. The box also takes the place of the title."""
        return Box(
            *(style.MARGIN, style.MARGIN, self.width - 2 * style.MARGIN),
            self.foot_y - 2 * style.MARGIN,
        )

    @property
    def grid(self) -> Box:
        """The box of the 25 cells."""
        w = self.panel_x - 2 * style.MARGIN
        return Box(style.MARGIN, style.MARGIN, w, self.height - 2 * style.MARGIN)

    def cell(self, cell: int) -> Box:
        """Return the box of a cell (0 … 24). The grid is turned by 180°: A1 is bottom right."""
        row, column = divmod(across(cell), SIDE)
        left, top, *of_grid = self.grid
        w, h = ((each - (SIDE - 1) * style.GAP) // SIDE for each in of_grid)
        return Box(left + column * (w + style.GAP), top + row * (h + style.GAP), w, h)
