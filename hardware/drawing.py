"""SVG shapes for the pictures of the build guides."""

from html import escape
from typing import Final

INK: Final = "#22262b"
SOFT: Final = "#6b737d"
PAPER: Final = "#ffffff"
BOX: Final = "#f3f1ea"
LIT: Final = "#ffe29a"
COLOURS: Final = {
    "5 V": "#c1121f",
    "3.3 V": "#d97706",
    "GND": "#22262b",
    "data": "#1d6fb8",
    "clock": "#7b3fa0",
    "touch": "#2a7f62",
}
"""Colour of each signal or supply; all pictures use the same colours."""
FONT: Final = "Barlow, 'DejaVu Sans', Arial, sans-serif"


def number(value: float) -> str:
    """Return a length as SVG text that is the same on every machine."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


class Drawing:
    """A picture made of shapes. y points down; lengths are in pixels."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} '
            f'{number(height)}" font-family="{FONT}" font-size="15">\n'
            f"<title>{escape(title)}</title>\n"
        )
        self._shapes: list[str] = []
        self.box(0, 0, width, height, fill=PAPER, line="none")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        text: str = "",
        fill: str = BOX,
        line: str = INK,
        radius: float = 4,
        size: float = 15,
    ) -> None:
        """Draw a rectangle, with lines of text in its middle."""
        places = " ".join(
            f'{name}="{number(value)}"'
            for name, value in (
                *(("x", x), ("y", y), ("width", width), ("height", height)),
                ("rx", radius),
            )
        )
        self._shapes.append(f'<rect {places} fill="{fill}" stroke="{line}"/>')
        lines = text.split("\n") if text else []
        first = y + height / 2 - (len(lines) - 1) * size * 0.6
        for row, words in enumerate(lines):
            self.text(x + width / 2, first + row * size * 1.2, words, size=size)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 15,
        fill: str = INK,
        anchor: str = "middle",
        bold: bool = False,
    ) -> None:
        """Draw a line of text; ``y`` is the middle of the text's height."""
        weight = ' font-weight="bold"' if bold else ""
        self._shapes.append(
            f'<text x="{number(x)}" y="{number(y + size * 0.35)}" font-size="{number(size)}" '
            f'fill="{fill}" text-anchor="{anchor}"{weight}>{escape(words)}</text>'
        )

    def line(
        self,
        *points: tuple[float, float],
        colour: str = INK,
        width: float = 2.5,
        arrow: bool = False,
        dashed: bool = False,
    ) -> None:
        """Draw a line through the points, with an arrow at its end if `arrow` is true."""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        dashes = ' stroke-dasharray="6 5"' if dashed else ""
        self._shapes.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" '
            f'stroke-width="{number(width)}" stroke-linejoin="round"{dashes}/>'
        )
        if arrow:
            self._arrow(points[-2], points[-1], colour)

    def _arrow(self, before: tuple[float, float], tip: tuple[float, float], colour: str) -> None:
        across, down = tip[0] - before[0], tip[1] - before[1]
        length = (across**2 + down**2) ** 0.5
        x, y = across / length * 9, down / length * 9
        left, right = (
            (tip[0] - x - y / 2, tip[1] - y + x / 2),
            (
                tip[0] - x + y / 2,
                tip[1] - y - x / 2,
            ),
        )
        points = (tip, left, right)
        path = " ".join(f"{number(px)},{number(py)}" for px, py in points)
        self._shapes.append(f'<polygon points="{path}" fill="{colour}"/>')

    def polygon(self, *points: tuple[float, float], fill: str = BOX, line: str = INK) -> None:
        """Draw a filled shape with these corners."""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._shapes.append(f'<polygon points="{path}" fill="{fill}" stroke="{line}"/>')

    def dot(self, x: float, y: float, radius: float = 4, fill: str = INK) -> None:
        """Draw a filled circle."""
        self._shapes.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"/>'
        )

    def svg(self) -> str:
        """Return the whole picture."""
        return self._head + "\n".join(self._shapes) + "\n</svg>\n"
