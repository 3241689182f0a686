"""Screens without the grid: choosing a game, the record, faults, and the wait for the table."""

from typing import Final

from pi_table.console import look
from pi_table.console.blanks import Blanks, BlankWord, sentence
from pi_table.console.lists import Box, letter_tiles, lines
from pi_table.console.model import Model
from pi_table.console.reading import Faults, Record, Records, day_and_time
from pi_table.console.setup import Setup
from pi_table.console.shapes import Circle, Colour, Polygon, Rect, Scene, Text
from pi_table.ipc.messages import AnyTableMessage
from pi_table.language import Words, say
from pi_table.words.word import LONGEST_WORD

_X: Final = look.MARGIN
_W: Final = look.WIDTH - 2 * look.MARGIN
_TOP: Final = look.MARGIN + 50
_LIST: Final = Box(_X, _TOP, _W, look.FOOT_Y - look.MARGIN - _TOP)


def connecting() -> Scene:
    """The table is away; the console waits for it."""
    return (
        Circle(400, 176, 34, line=look.EDGE, thick=5),
        Circle(400, 176, 8, look.ACCENT),
        Text(80, 236, 640, 44, say("Connecting to the table…"), 32, look.INK, "centre"),
        Text(
            100,
            292,
            600,
            64,
            say(
                "The screen comes back by itself. "
                "If it does not, switch the table off and on again."
            ),
            look.BODY,
            look.SOFT,
            "centre",
        ),
    )


def page(model: Model, table: AnyTableMessage) -> Scene:
    """The screen on top, over the whole width."""
    screen = model.screen
    if isinstance(screen, Faults):
        return _faults(model, table)
    if isinstance(screen, BlankWord):
        return _blank_word(model, screen)
    title: Words = ""
    beside: Words = ""
    if isinstance(screen, Setup):
        title, beside = say("New game"), say("Press a line to change it")
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
        return (*shapes, _hint(say("They will be among the words of the game."), look.SOFT))
    return shapes


def _title(title: Words, beside: Words) -> Scene:
    return (
        Text(_X + 6, look.MARGIN, 380, 42, title, look.TITLE, look.INK),
        Text(_X + 396, look.MARGIN, _W - 402, 42, beside, look.BODY, look.SOFT, "right"),
    )


def _blank_word(model: Model, screen: BlankWord) -> Scene:
    """What was typed, what is wrong with it, and the letters."""
    said, ink = screen.letters.upper() or say("The word…"), look.INK
    if not screen.letters:
        ink = look.SOFT
    hint: Words = say("Up to {most} characters", most=LONGEST_WORD)
    fault = screen.fault
    if fault is not None:
        hint = sentence(fault)
    return (
        *_title(say("A word of our own"), ""),
        Rect(_X, _TOP, _W, 54, look.SURFACE, look.EDGE, 1, look.RADIUS),
        Text(_X + 16, _TOP + 3, _W - 32, 48, said, 26, ink, least=14),
        *letter_tiles(Box(_X, _TOP + 62, _W, _LIST.h - 62), model.choices, model.selected),
        _hint(hint, look.SOFT if fault is None else look.ACCENT),
    )


def _hint(words: Words, ink: Colour) -> Text:
    """A word of help beside the buttons at the foot."""
    w = look.PANEL_X - 2 * look.MARGIN - _X
    return Text(_X + 6, look.FOOT_Y, w, look.FOOT_HEIGHT, words, 18, ink, least=14)


def _faults(model: Model, table: AnyTableMessage) -> Scene:
    count = len(model.choices)
    h = _LIST.h - count * (look.ROW + look.GAP) - look.MARGIN
    box = Box(_X, _TOP + h + look.MARGIN, _W, _LIST.h - h - look.MARGIN)
    return (
        Polygon(((_X + 24, 12), (_X + 46, 50), (_X + 2, 50)), look.ACCENT),
        Text(_X + 14, 20, 20, 28, "!", 24, look.ON_ACCENT, "centre"),
        Text(_X + 60, look.MARGIN, _W - 60, 42, say("The table needs help"), look.TITLE, look.INK),
        Rect(_X, _TOP, _W, h, look.SURFACE, look.ACCENT, 2, look.RADIUS),
        Text(_X + 18, _TOP + 10, _W - 36, h - 20, " ".join(table.faults), 24, look.INK, least=15),
        *lines(box, model.choices, model.selected),
    )
