"""The page before the first game: the games as tiles, and beside them a QR code for phones."""

from typing import Final

from pi_table.common.language import say
from pi_table.games.rules.profile import PROFILES
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console import style
from pi_table.screens.console.choice_lists import lines, split
from pi_table.screens.console.drawn_codes import qr_code
from pi_table.screens.console.explanation import draw_notice
from pi_table.screens.console.game_tiles import game_tiles, games_as_tiles
from pi_table.screens.console.games_on_offer import Games
from pi_table.screens.console.layout import Box, Layout
from pi_table.screens.console.model import Model
from pi_table.screens.console.shapes import Face, Scene, Text

_WORDS: Final = 2 * style.BODY + 2
_BOTH: Final = 480
"""Units: the minimum width of the tiles beside the QR code."""


def has_room(layout: Layout) -> bool:
    """True if the screen is wide enough for the tiles and the QR code beside them."""
    return layout.grid.w >= _BOTH


def welcome_page(model: Model, screen: Games, table: AnyTableMessage) -> Scene:
    layout, count = model.layout, len(PROFILES)
    others = model.choices[count:]
    above, rows = split(layout.body, len(others) * (style.ROW + style.GAP) - style.GAP)
    head = layout.head
    if model.notice is None:
        title = Text(*head, screen.title(table), style.TITLE, style.INK, "centre", face=Face.BOLD)
        said: Scene = (title, *_code(above, table))
    else:
        said = draw_notice(head._replace(h=above.y + above.h - head.y), model.notice)
    return (
        *game_tiles(layout.grid, games_as_tiles(model.choices[:count]), model.selected),
        *said,
        *lines(rows, others, model.selected - count),
    )


def _code(box: Box, table: AnyTableMessage) -> Scene:
    if table.pages is None:
        return ()
    words = say("On your phone: the board, or your key")
    return (
        *qr_code(table.pages.board_link, box._replace(h=box.h - _WORDS)),
        Text(*box.below(box.h - _WORDS), words, style.BODY, style.SOFT, "centre"),
    )
