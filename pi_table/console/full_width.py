"""Screens without the grid: choosing a game, the record, faults, and the wait for the table."""

from typing import Final

from msgspec.structs import replace

from pi_table.console import style
from pi_table.console.choice_lists import Box, letter_tiles, lines, tiles
from pi_table.console.game_records import Faults, Record, Records, day_and_time
from pi_table.console.how_to_play.drawn import how_to_play
from pi_table.console.how_to_play.screens import HowToPlay, WhichGame
from pi_table.console.listed import Listed
from pi_table.console.model import Model
from pi_table.console.shapes import Circle, Colour, Polygon, Rect, Scene, Text
from pi_table.console.word_games.blanks import Blanks, BlankWord, sentence
from pi_table.ipc.messages import AnyTableMessage
from pi_table.language import Words, say
from pi_table.words.word import LONGEST_WORD

_X: Final = style.MARGIN
_W: Final = style.WIDTH - 2 * style.MARGIN
_TOP: Final = style.MARGIN + 50
_PAGES: Final = Box(_X, style.MARGIN, _W, style.FOOT_Y - 2 * style.MARGIN)
_FOOT: Final = Box(_X, style.FOOT_Y, style.PANEL_X - style.MARGIN - _X, style.FOOT_HEIGHT)
_LIST: Final = Box(_X, _TOP, _W, style.FOOT_Y - style.MARGIN - _TOP)


def connecting(elsewhere: bool) -> Scene:
    """The table is away, or serves another screen: the console waits for it."""
    title, help = say("Connecting to the table…"), _COMES_BACK
    if elsewhere:
        title, help = say("Another screen is connected to this table"), _ONE_AT_A_TIME
    return (
        Circle(400, 176, 34, line=style.EDGE, thick=5),
        Circle(400, 176, 8, style.ACCENT),
        Text(80, 236, 640, 44, title, 32, style.INK, "centre"),
        Text(100, 292, 600, 64, help, style.BODY, style.SOFT, "centre"),
    )


_COMES_BACK: Final = say(
    "The screen comes back by itself. If it does not, switch the table off and on again."
)
_ONE_AT_A_TIME: Final = say(
    "It serves one at a time. Close the other one, and this one comes by itself."
)


def page(model: Model, table: AnyTableMessage) -> Scene:
    """The screen on top, over the whole width."""
    screen = model.screen
    if isinstance(screen, Faults):
        return _faults(model, table)
    if isinstance(screen, BlankWord):
        return _blank_word(model, screen)
    if isinstance(screen, HowToPlay):
        return how_to_play(model, screen, _PAGES, _FOOT)
    title: Words = ""
    beside: Words = ""
    if isinstance(screen, Listed):
        return _listed(model, screen, table)
    if isinstance(screen, WhichGame):
        title = say("How to play")
    elif isinstance(screen, Blanks):
        title = say("Our own words")
        beside = say("{count} of at most {most}", count=len(screen.words), most=screen.most)
    elif isinstance(screen, Records):
        title = say("Games played")
        if screen.told is None:
            beside = say("Asking the table…")
        elif not screen.told:
            beside = say("None yet")
    elif isinstance(screen, Record):
        title = say("Asking the table…")
        if screen.told is not None:
            title = say("Game {number}", number=screen.told.number)
            beside = day_and_time(screen.told.begun)
    if model.notice is not None:
        beside = model.notice
    shapes = _title(title, beside) + lines(_LIST, model.choices, model.selected)
    if isinstance(screen, Blanks):
        return (*shapes, _hint(say("They will be among the words of the game."), style.SOFT))
    return shapes


def _listed(model: Model, screen: Listed[AnyTableMessage], table: AnyTableMessage) -> Scene:
    """A screen that says itself what stands around its choices."""
    beside = screen.beside(table) if model.notice is None else model.notice
    shapes = _title(screen.title(table), beside)
    if screen.columns == 1:
        shapes += lines(_LIST, model.choices, model.selected)
    else:
        shapes += tiles(_LIST, model.choices, model.selected, screen.columns)
    words = replace(screen, selected=model.selected).help(table)
    return (*shapes, _hint(words, style.SOFT)) if words else shapes


def _title(title: Words, beside: Words) -> Scene:
    return (
        Text(_X + 6, style.MARGIN, 380, 42, title, style.TITLE, style.INK),
        Text(_X + 396, style.MARGIN, _W - 402, 42, beside, style.BODY, style.SOFT, "right"),
    )


def _blank_word(model: Model, screen: BlankWord) -> Scene:
    """What was typed, what is wrong with it, and the letters."""
    said, ink = screen.letters.upper() or say("The word…"), style.INK
    if not screen.letters:
        ink = style.SOFT
    hint: Words = say("Up to {most} characters", most=LONGEST_WORD)
    fault = screen.fault
    if fault is not None:
        hint = sentence(fault)
    return (
        *_title(say("A word of our own"), ""),
        Rect(_X, _TOP, _W, 54, style.SURFACE, style.EDGE, 1, style.RADIUS),
        Text(_X + 16, _TOP + 3, _W - 32, 48, said, 26, ink, least=14),
        *letter_tiles(Box(_X, _TOP + 62, _W, _LIST.h - 62), model.choices, model.selected),
        _hint(hint, style.SOFT if fault is None else style.ACCENT),
    )


def _hint(words: Words, ink: Colour) -> Text:
    """A word of help beside the buttons at the foot."""
    w = style.PANEL_X - 2 * style.MARGIN - _X
    return Text(_X + 6, style.FOOT_Y, w, style.FOOT_HEIGHT, words, 18, ink, least=14)


def _faults(model: Model, table: AnyTableMessage) -> Scene:
    count = len(model.choices)
    h = _LIST.h - count * (style.ROW + style.GAP) - style.MARGIN
    box = Box(_X, _TOP + h + style.MARGIN, _W, _LIST.h - h - style.MARGIN)
    return (
        Polygon(((_X + 24, 12), (_X + 46, 50), (_X + 2, 50)), style.ACCENT),
        Text(_X + 14, 20, 20, 28, "!", 24, style.ON_ACCENT, "centre"),
        Text(
            _X + 60, style.MARGIN, _W - 60, 42, say("The table needs help"), style.TITLE, style.INK
        ),
        Rect(_X, _TOP, _W, h, style.SURFACE, style.ACCENT, 2, style.RADIUS),
        Text(_X + 18, _TOP + 10, _W - 36, h - 20, " ".join(table.faults), 24, style.INK, least=15),
        *lines(box, model.choices, model.selected),
    )
