"""The grid as the spymasters see it. It is turned by 180°: A1 is bottom right (rules: *cell*)."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import UNSET

from pi_table.common.geometry import CELL_COUNT, CELLS
from pi_table.common.language import Words, say
from pi_table.games.rules.word_games.key import Identity, identity_at
from pi_table.games.rules.word_games.views import CellView, NukeView, PublicView
from pi_table.screens.console import style
from pi_table.screens.console.layout import Box, Layout
from pi_table.screens.console.shapes import Colour, Face, Rect, Scene, Shape, Text
from pi_table.screens.console.symbols import COLOURS, sign, tick

_SIGN: Final = 10.5
_WORD: Final = style.KEY_WORD + 1
NUKE_CELL: Final = CELLS.index("C3")
"""The cell that has no card in Alias 24. It shows the state of the nuke (AL-1)."""


class Pick(msgspec.Struct, frozen=True):
    """A cell that people can choose. ``target`` is the value that a tap on the cell reports."""

    selected: bool
    target: object = None


def grid(
    layout: Layout,
    public: PublicView | None,
    key: str | None,
    picks: Mapping[int, Pick] | None = None,
) -> Scene:
    """Draw the 25 cells. ``key`` is the key as 25 letters, or None if it must stay hidden.

    ``picks`` are the cells that people can choose. If ``picks`` is not None, all other cells are
    drawn faintly and without the key.
    """
    shapes: list[Shape] = []
    for cell in range(CELL_COUNT):
        identity = None if key is None else identity_at(key, cell)
        if picks is None:
            ink = style.INK if _has_card(public, cell) else style.FAINT
            shapes += _cell(layout, cell, public, identity, ink)
        elif cell in picks:
            box = layout.cell(cell)
            shapes += _cell(layout, cell, public, identity, style.INK)
            edge = style.ACCENT if picks[cell].selected else None
            shapes.append(Rect(*box, None, edge, 5, style.RADIUS, picks[cell].target))
        else:
            shapes += _cell(layout, cell, public, None, style.FAINT)
    return tuple(shapes)


def _has_card(public: PublicView | None, cell: int) -> bool:
    """True if there is a game, and the card of this cell was already laid on the table."""
    if public is None:
        return False
    return public.placed is UNSET or CELLS[cell] in public.placed


def _cell(
    layout: Layout, cell: int, public: PublicView | None, identity: Identity | None, ink: Colour
) -> Scene:
    name, box = CELLS[cell], layout.cell(cell)
    if public is not None and public.nuke is not UNSET and cell == NUKE_CELL:
        return _nuke(box, public.nuke)
    seen = CellView(None, None) if public is None else public.cells[name]
    disclosed = None if public is None else public.shown.get(name)
    if seen.covered is not None:
        return _draw_covered(box, name, seen.word, seen.covered)
    colours = None if identity is None else COLOURS[identity]
    fill = style.SURFACE if colours is None else colours.deep
    edge = style.EDGE if colours is None else colours.bright
    shapes: list[Shape] = [
        Rect(*box, fill, edge, 1, style.RADIUS),
        *_lettering(box, name, seen.word, ink, ink if colours else style.SOFT),
    ]
    shown = identity or disclosed
    if shown is not None:
        shapes += sign(shown, *_sign_place(box), _SIGN)
    return tuple(shapes)


def _nuke(box: Box, nuke: NukeView) -> Scene:
    ink = style.ACCENT if nuke.armed else style.SOFT
    below = Box(box.x + 5, box.y + box.h - 36, box.w - 10, 32)
    return (
        Rect(*box, style.GROUND, ink, 2, style.RADIUS),
        *sign(Identity.NUKE, box.x + box.w / 2, box.y + (box.h - 34) / 2, 18, ink),
        Text(*below, nuke_text(nuke), style.BODY, ink, "centre", face=Face.NARROW),
    )


def nuke_text(nuke: NukeView) -> Words:
    """Return the state of the nuke in words (AL-11)."""
    if nuke.mode == "basic":
        return say("do not touch")
    return say("ARMED") if nuke.armed else say("not armed")


def _draw_covered(box: Box, name: str, word: str | None, identity: Identity) -> Scene:
    dim = COLOURS[identity].dim
    x, y = _sign_place(box)
    return (
        Rect(*box, style.GROUND, dim, 2, style.RADIUS),
        *_lettering(box, name, word, style.FAINT, style.FAINT),
        *sign(identity, x, y, _SIGN, dim),
        *tick(x - 26, y, 7, dim),
    )


def _lettering(box: Box, name: str, word: str | None, ink: Colour, name_ink: Colour) -> Scene:
    if word is None:
        middle = (box.x + 8, box.y + 24, box.w - 16, box.h - 28)
        return (Text(*middle, name, 36, ink, "centre"),)
    word_place = (box.x + 1, box.y + 27, box.w - 2, box.h - 28)
    return (
        Text(box.x + 7, box.y + 5, 28, 22, name, style.SMALL, name_ink, face=Face.NARROW),
        Text(*word_place, word.upper(), _WORD, ink, "centre", face=Face.NARROW, group="words"),
    )


def _sign_place(box: Box) -> tuple[float, float]:
    return box.x + box.w - 17, box.y + 17
