"""The parts of the drawings: people, cards, the hidden screen, a finger held on a card.

Each function returns shapes. Positions and sizes are in the units of a page's drawing
(`DRAWING_WIDTH` by `DRAWING_HEIGHT`).
"""

import math
from collections.abc import Mapping
from typing import Final

from pi_table.common.language import Words, say
from pi_table.games.rules.word_games.key import Identity
from pi_table.screens.console import style
from pi_table.screens.console.shapes import Circle, Colour, Line, Point, Polygon, Rect, Scene, Text
from pi_table.screens.console.symbols import COLOURS, cross, sign

RED, BLUE = Identity.RED, Identity.BLUE
BYSTANDER, ASSASSIN = Identity.BYSTANDER, Identity.ASSASSIN
DECOY, NUKE = Identity.DECOY, Identity.NUKE
SKIN: Final = 0xE6C3A0
PEEK: Final = say("PEEK")
EXAMPLES: Final = ("K7QX", "9RDM", "B4TL")
"""Invented fragments of codes."""


def words(x: float, y: float, w: float, h: float, text: Words, ink: Colour = style.INK) -> Text:
    return Text(x, y, w, h, text, 24, ink, "centre", 20)


def person(x: float, y: float, of: Identity | None = None) -> Scene:
    """Return a person whose head is around (x, y). ``of`` gives the colour and sign of a team."""
    fill = style.EDGE if of is None else COLOURS[of].deep
    edge = style.SOFT if of is None else COLOURS[of].bright
    r = 22
    body = Rect(x - 1.5 * r, y + 1.25 * r, 3 * r, 2.2 * r, fill, edge, 2, round(0.9 * r))
    head = Circle(x, y, r, fill, edge, 2)
    return (body, head, *(() if of is None else sign(of, x, y + 2.35 * r, 0.5 * r)))


def card(
    x: float, y: float, w: float, h: float, word: Words = "", of: Identity | None = None
) -> Scene:
    """Return a card. ``of`` is the card's identity; None if the card is not revealed."""
    fill = style.SURFACE if of is None else COLOURS[of].deep
    edge = style.EDGE if of is None else COLOURS[of].bright
    shapes: Scene = (Rect(x, y, w, h, fill, edge, 3 if of else 2, style.RADIUS),)
    if of is not None:
        middle = y + h / 2 if not word else y + h * 0.34
        shapes += sign(of, x + w / 2, middle, min(w, h) * 0.2)
    if word:
        top = y if of is None else y + h * 0.52
        shapes += (words(x + 4, top, w - 8, y + h - top - (4 if of else 0), word),)
    return shapes


KEY: Final[Mapping[int, Identity]] = dict(
    enumerate(
        {"r": RED, "b": BLUE, "n": BYSTANDER, "a": ASSASSIN}[letter]
        for letter in "rbnrbbrrnbnrabrrnbnrbnrbn"
    )
)
"""An invented key: the identity of each cell."""
ALIASES: Final[Mapping[int, Identity]] = {
    cell: {BYSTANDER: DECOY, ASSASSIN: RED}.get(identity, identity)
    for cell, identity in KEY.items()
} | {17: NUKE}
"""An invented key with assets and a nuke."""


def grid(
    x: float, y: float, side: float, shown: Mapping[int, Identity] | None = None, gap: float = 3
) -> Scene:
    """Return the 25 cells in a square with sides of length ``side``. Cells in ``shown`` show their
    identity."""
    one = (side - 4 * gap) / 5
    shapes: Scene = ()
    for cell in range(25):
        row, column = divmod(cell, 5)
        left, top = x + column * (one + gap), y + row * (one + gap)
        identity = None if shown is None else shown.get(cell)
        fill = style.RAISED if identity is None else COLOURS[identity].deep
        edge = style.EDGE if identity is None else COLOURS[identity].bright
        shapes += (Rect(left, top, one, one, fill, edge, 1, 4),)
        if identity is not None:
            shapes += sign(identity, left + one / 2, top + one / 2, one * 0.27)
    return shapes


def device(x: float, y: float, w: float, h: float) -> Scene:
    """Return the frame of the hidden screen."""
    return (
        Rect(x, y, w, h, style.EDGE, radius=12),
        Rect(x + 9, y + 9, w - 18, h - 18, style.BLACK, radius=5),
    )


def button(x: float, y: float, label: Words, held: bool = False) -> Scene:
    """Return a button, 108 by 46. Its top left corner is at (x, y)."""
    fill, ink = (style.ACCENT, style.ON_ACCENT) if held else (style.GROUND, style.INK)
    return (
        Rect(x, y, 108, 46, fill, style.ACCENT, 2, style.RADIUS),
        words(x + 4, y, 100, 46, label, ink),
    )


def dots(x: float, y: float, count: int = 4) -> Scene:
    """Return the dots that stand for a hidden text. Their middle is at (x, y)."""
    first = x - 22 * (count - 1) / 2
    return tuple(Circle(first + 22 * place, y, 5, style.SOFT) for place in range(count))


def bubble(x: float, y: float, w: float, h: float, said: Words, to: Point) -> Scene:
    """Return a speech bubble with the words ``said``. Its tip is at ``to``, near the speaker."""
    left, right = x + w * 0.12, x + w * 0.32
    edge = y + h - 2 if to[1] > y + h else y + 2
    return (
        Polygon(((left, edge), (right, edge), to), style.INK),
        Rect(x, y, w, h, style.INK, radius=14),
        words(x + 8, y, w - 16, h, said, style.ON_ACCENT),
    )


def hand(x: float, y: float) -> Scene:
    """Return a hand that comes from below. The tip of its index finger is at (x, y)."""
    ground = style.GROUND
    finger = ((x, y + 9), (x + 14, y + 56))
    fist = (x + 34, y + 76)
    return (
        Line((*finger, fist), ground, 30),
        Circle(*fist, 34, ground),
        Line((fist, (x + 66, y + 128)), ground, 52),
        Line((fist, (x + 66, y + 128)), SKIN, 44),
        Circle(*fist, 29, SKIN),
        Line(finger, SKIN, 21),
        Line(((x + 27, y + 52), (x + 34, y + 66)), SKIN, 20),
        Line(((x + 45, y + 56), (x + 48, y + 70)), SKIN, 19),
        Line(((x + 24, y + 56), (x + 29, y + 68)), ground, 2),
        Line(((x + 40, y + 55), (x + 44, y + 69)), ground, 2),
    )


def filling(x: float, y: float, r: float, share: float) -> Scene:
    """Return the ring of light around (x, y) that fills up while a finger is held. ``share``
    (0 … 1) of the ring is filled."""
    turns = [math.radians(90 - step * 6) for step in range(round(60 * share) + 1)]
    done = tuple((x + r * math.cos(turn), y - r * math.sin(turn)) for turn in turns)
    return (Circle(x, y, r + 4, line=style.EDGE, thick=8), Line(done, style.ACCENT, 8))


def arrow(start: Point, end: Point) -> Scene:
    turn = math.atan2(end[1] - start[1], end[0] - start[0])
    back = (end[0] - 14 * math.cos(turn), end[1] - 14 * math.sin(turn))
    aside = 11 * math.sin(turn), -11 * math.cos(turn)
    sides = ((back[0] + aside[0], back[1] + aside[1]), (back[0] - aside[0], back[1] - aside[1]))
    return (Line((start, back), style.ACCENT, 5), Polygon((end, *sides), style.ACCENT))


def envelope(x: float, y: float) -> Scene:
    """Return an envelope, 84 by 56."""
    return (
        Rect(x, y, 84, 56, style.INK, radius=5),
        Line(((x + 4, y + 6), (x + 42, y + 34), (x + 80, y + 6)), style.EDGE, 4),
    )


def eye(x: float, y: float, shut: bool = False) -> Scene:
    """Return an eye around (x, y). If ``shut``, the eye is crossed out: do not look."""
    outer = [math.pi * step / 12 for step in range(13)]
    above = tuple((x - 30 * math.cos(turn), y - 17 * math.sin(turn)) for turn in outer)
    under = tuple((x - 30 * math.cos(turn), y + 17 * math.sin(turn)) for turn in outer)
    shapes: Scene = (
        Line(above, style.INK, 4),
        Line(under, style.INK, 4),
        Circle(x, y, 10, style.INK),
    )
    return shapes + cross(x, y, 24, style.ACCENT) if shut else shapes


def pad(x: float, y: float) -> Scene:
    """Return the pad that ends the turn, 130 by 64."""
    ring = (Circle(x + 65, y + 32, 18, line=style.ACCENT, thick=4),)
    return (Rect(x, y, 130, 64, style.RAISED, style.ACCENT, 2, 30), *ring)


def fragment(x: float, y: float, letters: str, open_: bool = True) -> Scene:
    """Return a fragment of a code, 132 by 50: its four letters, or dots if it is not ``open_``."""
    shapes: Scene = (Rect(x, y, 132, 50, style.SURFACE, style.EDGE, 2, style.RADIUS),)
    return shapes + ((words(x, y, 132, 50, letters),) if open_ else dots(x + 66, y + 25))
