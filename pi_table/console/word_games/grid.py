"""The grid as the spymasters see it: turned by 180°, A1 at the bottom right (rules: *cell*)."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import UNSET

from pi_table.console import style
from pi_table.console.shapes import Colour, Rect, Scene, Shape, Text
from pi_table.console.symbols import COLOURS, sign, tick
from pi_table.geometry import CELL_COUNT, CELLS, SIDE, across
from pi_table.language import Words, say
from pi_table.rules.word_games.key import Identity, identity_at
from pi_table.rules.word_games.views import CellView, NukeView, PublicView

_NAME: Final = 16
_WORD: Final = 22
_SIGN: Final = 11
NUKE_CELL: Final = CELLS.index("C3")
"""Where no card lies in Alias 24, and the nuke's state is seen (AL-1)."""


class Pick(msgspec.Struct, frozen=True):
    """A cell that can be chosen; ``target`` is what a tap on the cell reports."""

    selected: bool
    target: object = None


def grid(
    public: PublicView | None, key: str | None, picks: Mapping[int, Pick] | None = None
) -> Scene:
    """The 25 cells. ``key`` has the key's 25 letters, None where the key is not to be seen.
    ``picks`` are the cells that can be chosen, None where no cell is being chosen; the other cells
    then stand back."""
    shapes: list[Shape] = []
    for cell in range(CELL_COUNT):
        identity = None if key is None else identity_at(key, cell)
        if picks is None:
            ink = style.INK if _has_card(public, cell) else style.FAINT
            shapes += _cell(cell, public, identity, ink)
        elif cell in picks:
            shapes += _cell(cell, public, identity, style.INK)
            edge = style.ACCENT if picks[cell].selected else None
            box = (*corner(cell), style.CELL_WIDTH, style.CELL_HEIGHT)
            shapes.append(Rect(*box, None, edge, 5, style.RADIUS, picks[cell].target))
        else:
            shapes += _cell(cell, public, None, style.FAINT)
    return tuple(shapes)


def _has_card(public: PublicView | None, cell: int) -> bool:
    """Does a card lie on this cell: is there a game, and is the card no longer to be laid?"""
    if public is None:
        return False
    return public.placed is UNSET or CELLS[cell] in public.placed


def corner(cell: int) -> tuple[int, int]:
    """The top left corner of a cell (0 … 24) on the screen."""
    row, column = divmod(across(cell), SIDE)
    x = style.MARGIN + column * (style.CELL_WIDTH + style.GAP)
    y = style.MARGIN + row * (style.CELL_HEIGHT + style.GAP)
    return x, y


def _cell(cell: int, public: PublicView | None, identity: Identity | None, ink: Colour) -> Scene:
    name = CELLS[cell]
    if public is not None and public.nuke is not UNSET and cell == NUKE_CELL:
        return _nuke(cell, public.nuke)
    seen = CellView(None, None) if public is None else public.cells[name]
    disclosed = None if public is None else public.shown.get(name)
    if seen.covered is not None:
        return _covered(cell, seen.word, seen.covered)
    x, y = corner(cell)
    colours = None if identity is None else COLOURS[identity]
    fill = style.SURFACE if colours is None else colours.deep
    edge = style.EDGE if colours is None else colours.bright
    shapes: list[Shape] = [
        Rect(x, y, style.CELL_WIDTH, style.CELL_HEIGHT, fill, edge, 1, style.RADIUS),
        *_lettering(x, y, name, seen.word, ink, ink if colours else style.SOFT),
    ]
    shown = identity or disclosed
    if shown is not None:
        shapes += sign(shown, *_sign_place(x, y), _SIGN)
    return tuple(shapes)


def _nuke(cell: int, nuke: NukeView) -> Scene:
    """The cell without a card, which shows how the nuke stands."""
    x, y = corner(cell)
    ink = style.ACCENT if nuke.armed else style.SOFT
    return (
        Rect(x, y, style.CELL_WIDTH, style.CELL_HEIGHT, style.GROUND, ink, 2, style.RADIUS),
        *sign(Identity.NUKE, x + style.CELL_WIDTH / 2, y + 30, 18, ink),
        Text(
            x + 5, y + 54, style.CELL_WIDTH - 10, 30, nuke_text(nuke), 17, ink, "centre", least=14
        ),
    )


def nuke_text(nuke: NukeView) -> Words:
    """How the nuke stands (AL-11)."""
    if nuke.mode == "basic":
        return say("one loses")
    return say("ARMED") if nuke.armed else say("not armed")


def _covered(cell: int, word: str | None, identity: Identity) -> Scene:
    """A covered cell: dark, its sign dimmed, a tick beside it."""
    x, y = corner(cell)
    dim = COLOURS[identity].dim
    sign_x, sign_y = _sign_place(x, y)
    return (
        Rect(x, y, style.CELL_WIDTH, style.CELL_HEIGHT, style.GROUND, dim, 2, style.RADIUS),
        *_lettering(x, y, CELLS[cell], word, style.FAINT, style.FAINT),
        *sign(identity, sign_x, sign_y, _SIGN, dim),
        *tick(sign_x - 30, sign_y, 8, dim),
    )


def _lettering(
    x: int, y: int, name: str, word: str | None, ink: Colour, name_ink: Colour
) -> tuple[Shape, ...]:
    w, h = style.CELL_WIDTH, style.CELL_HEIGHT
    if word is None:
        return (Text(x + 8, y + 22, w - 16, h - 26, name, 34, ink, "centre"),)
    return (
        Text(x + 8, y + 8, 30, 18, name, _NAME, name_ink),
        Text(x + 5, y + 32, w - 10, h - 40, word.upper(), _WORD, ink, "centre", least=14),
    )


def _sign_place(x: int, y: int) -> tuple[int, int]:
    return x + style.CELL_WIDTH - 20, y + 18
