"""The drawing of screens that take the full width, such as records and faults."""

from typing import Final

from msgspec.structs import replace

from pi_table.common.failure_report import AGAIN, may_cost_the_games
from pi_table.common.language import Words, join_texts, say
from pi_table.games.words.word import MAX_WORD_LENGTH
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console import style
from pi_table.screens.console.blanks import BlankWord, sentence
from pi_table.screens.console.choice_lists import letter_tiles, lines, page_title, tiles
from pi_table.screens.console.drawn_codes import code_page
from pi_table.screens.console.game_records import Faults
from pi_table.screens.console.game_tiles import game_tiles, games_as_tiles, room_for_tiles
from pi_table.screens.console.games_on_offer import Games
from pi_table.screens.console.how_to_play.drawn import how_to_play
from pi_table.screens.console.how_to_play.screens import HowToPlay
from pi_table.screens.console.layout import Layout
from pi_table.screens.console.model import Model
from pi_table.screens.console.phones import Code
from pi_table.screens.console.screen import ListScreen
from pi_table.screens.console.shapes import Circle, Colour, Face, Polygon, Rect, Scene, Text
from pi_table.screens.console.welcome_page import has_room, welcome_page
from pi_table.screens.console.word_games.game_menu import Welcome


def waiting(layout: Layout, elsewhere: bool, stopped: str | None) -> Scene:
    """Draw the page that is shown while the table does not answer. ``elsewhere`` is True if the
    table serves another screen. ``stopped`` is the reason if the table has failed permanently."""
    if stopped is not None and not elsewhere:
        return _failure_page(layout, stopped, AGAIN if may_cost_the_games(stopped) else _SAFE)
    title, help = say("Connecting to the table…"), _COMES_BACK
    if elsewhere:
        title, help = say("Another screen is connected to this table"), _ONE_AT_A_TIME
    x, y, w = layout.width / 2, 0.37 * layout.height, 0.8 * layout.width
    return (
        Circle(x, y, 34, line=style.EDGE, thick=5),
        Circle(x, y, 8, style.ACCENT),
        Text(x - w / 2, y + 56, w, 48, title, 32, style.INK, "centre", face=Face.BOLD),
        Text(x - w / 2, y + 116, w, 84, help, style.BODY, style.SOFT, "centre"),
    )


def _failure_page(layout: Layout, why: Words, help: Words) -> Scene:
    x, w = 0.06 * layout.width, 0.88 * layout.width
    y = 0.09 * layout.height
    h = layout.height - y - 78 - 118
    return (
        Polygon(((x + 24, y), (x + 46, y + 38), (x + 2, y + 38)), style.ACCENT),
        Text(x + 14, y + 6, 20, 32, "!", 26, style.ON_ACCENT, "centre", face=Face.BOLD),
        Text(x + 60, y, w - 60, 42, _STOPPED, style.TITLE, style.INK, face=Face.BOLD),
        Rect(x, y + 58, w, h, style.SURFACE, style.ACCENT, 2, style.RADIUS),
        Text(x + 18, y + 68, w - 36, h - 20, why, 24, style.INK),
        Text(x, y + 58 + h + 14, w, 100, help, style.BODY, style.SOFT),
    )


_STOPPED: Final = say("The table has stopped")
_SAFE: Final = say(
    "Nothing of the game is lost. Switch the table off and on again. If this happens again, show "
    "it to whoever looks after the table."
)
_COMES_BACK: Final = say(
    "The screen comes back by itself. If it does not, switch the table off and on again."
)
_ONE_AT_A_TIME: Final = say(
    "Only one can be connected at a time. Close the other one, and this one connects by itself."
)


def page(model: Model, table: AnyTableMessage) -> Scene:
    screen = model.screen
    layout = model.layout
    if isinstance(screen, Faults):
        return _faults(model, table)
    if isinstance(screen, BlankWord):
        return _blank_word(model, screen)
    if isinstance(screen, HowToPlay):
        return how_to_play(model, screen, layout.whole_page, layout.foot_text)
    if isinstance(screen, Code):
        return code_page(model, screen, table)
    if isinstance(screen, Welcome):
        return (welcome_page if has_room(layout) else _list_page)(model, screen, table)
    if isinstance(screen, Games):
        return _games(model, screen, table)
    assert isinstance(screen, ListScreen), "a full-width screen that nobody draws"
    return _list_page(model, screen, table)


def _games(model: Model, screen: Games, table: AnyTableMessage) -> Scene:
    layout = model.layout
    box, titled = room_for_tiles(layout, len(model.choices))
    above = page_title(layout, screen.title(table), "") if titled else ()
    tiles = game_tiles(box, games_as_tiles(model.choices), model.selected)
    hint = () if model.notice is None else (_hint(layout, model.notice, style.SOFT),)
    return above + tiles + hint


def _list_page(model: Model, screen: ListScreen[AnyTableMessage], table: AnyTableMessage) -> Scene:
    layout = model.layout
    beside = screen.beside(table) if model.notice is None else model.notice
    shapes = page_title(layout, screen.title(table), beside)
    if screen.columns == 1:
        shapes += lines(layout.page, model.choices, model.selected)
    else:
        shapes += tiles(layout.page, model.choices, model.selected, screen.columns)
    words = replace(screen, selected=model.selected).help(table)
    return (*shapes, _hint(layout, words, style.SOFT)) if words else shapes


def _blank_word(model: Model, screen: BlankWord) -> Scene:
    layout, box = model.layout, model.layout.page
    said, ink = screen.letters.upper() or say("The word…"), style.INK
    if not screen.letters:
        ink = style.SOFT
    hint: Words = say("Up to {most} characters", most=MAX_WORD_LENGTH)
    fault = screen.fault
    if fault is not None:
        hint = sentence(fault)
    return (
        *page_title(layout, say("A word of our own"), ""),
        Rect(box.x, box.y, box.w, 52, style.SURFACE, style.EDGE, 1, style.RADIUS),
        Text(box.x + 16, box.y + 2, box.w - 32, 48, said, 26, ink),
        *letter_tiles(box.below(58), model.choices, model.selected),
        _hint(layout, hint, style.SOFT if fault is None else style.ACCENT),
    )


def _hint(layout: Layout, words: Words, ink: Colour) -> Text:
    box = layout.foot_text
    return Text(*box, words, style.SMALL, ink)


def _faults(model: Model, table: AnyTableMessage) -> Scene:
    count = len(model.choices)
    x, title, page = style.MARGIN, model.layout.title, model.layout.page
    h = page.h - count * (style.ROW + style.GAP) - style.MARGIN
    words, faults = say("The table needs help"), join_texts(" ", table.faults)
    return (
        Polygon(((x + 24, 12), (x + 46, 50), (x + 2, 50)), style.ACCENT),
        Text(x + 14, 18, 20, 32, "!", 26, style.ON_ACCENT, "centre", face=Face.BOLD),
        Text(x + 60, title.y, title.w - 60, 42, words, style.TITLE, style.INK, face=Face.BOLD),
        Rect(page.x, page.y, page.w, h, style.SURFACE, style.ACCENT, 2, style.RADIUS),
        Text(page.x + 18, page.y + 10, page.w - 36, h - 20, faults, 24, style.INK),
        *lines(page.below(h + style.MARGIN), model.choices, model.selected),
    )
