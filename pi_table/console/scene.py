"""What the console shows: a pure function of its model and the time."""

from typing import Final

from pi_table.console import style
from pi_table.console.codex import drawn_screens as codex
from pi_table.console.full_width import connecting, page
from pi_table.console.model import Model, visible_key
from pi_table.console.shapes import Rect, Scene, Text, in_language
from pi_table.console.word_games.cover import Cover
from pi_table.console.word_games.grid import Pick, grid
from pi_table.console.word_games.lay_out import LayOut, to_lay
from pi_table.console.word_games.panel import panel
from pi_table.hal.contracts import Input
from pi_table.ipc.messages import AnyTableMessage, CodexMessage, TableMessage
from pi_table.language import Words, say

_GROUND: Final = Rect(0, 0, style.WIDTH, style.HEIGHT, style.GROUND)


def scene(model: Model, now: float) -> Scene:
    """The whole screen, 800 by 480 pixels, at ``now`` (seconds), in the console's language."""
    return in_language((_GROUND, *_body(model, now)), model.lang)


def _body(model: Model, now: float) -> Scene:
    table = model.visible
    if table is None:
        return connecting()
    if codex.draws(model, table):
        return codex.body(model, table, now) + _foot(model, table)
    if isinstance(table, TableMessage) and model.screen.has_grid:
        body = _grid(model, table) + panel(model, table, now)
    else:
        body = page(model, table)
    return body + _foot(model, table)


def _grid(model: Model, table: TableMessage) -> Scene:
    key = visible_key(model)
    for screen in model.screens:
        if isinstance(screen, Cover):
            return grid(table.public, key, _picks(screen, table, screen is model.screen))
        if isinstance(screen, LayOut):
            return grid(table.public, key, _laid(screen, table))
    return grid(table.public, key)


def _picks(cover: Cover, table: TableMessage, can_be_tapped: bool) -> dict[int, Pick]:
    return {
        choice.cell: Pick(place == cover.selected, choice if can_be_tapped else None)
        for place, choice in enumerate(cover.choices(table))
        if choice.cell is not None
    }


def _laid(screen: LayOut, table: TableMessage) -> dict[int, Pick]:
    """The cards that lie by now, and the one that is laid next."""
    cells = to_lay(table)[: screen.at + 1]
    return {cell: Pick(cell == cells[-1]) for cell in cells}


def _foot(model: Model, table: AnyTableMessage) -> Scene:
    """The two buttons beside the encoder, for those who use the screen by touch."""
    shapes: Scene = ()
    half = (style.PANEL_WIDTH - style.GAP) // 2
    if len(model.screens) > 1:
        shapes += _button(style.PANEL_X, half, say("Back"), Input.BACK)
    if model.can_peek:
        if isinstance(table, CodexMessage):
            label = say("Hold PEEK")
        else:
            label = say("PEEK: hide key") if model.peeking else say("PEEK: show key")
        shapes += _button(style.PANEL_X + half + style.GAP, half, label, Input.PEEK)
    return shapes


def _button(x: int, w: int, label: Words, does: Input) -> Scene:
    box = (x, style.FOOT_Y, w, style.FOOT_HEIGHT)
    return (
        Rect(*box, style.GROUND, style.EDGE, 2, style.RADIUS, target=does),
        Text(
            x + 6, style.FOOT_Y, w - 12, style.FOOT_HEIGHT, label, style.SMALL, style.SOFT, "centre"
        ),
    )
