"""How the screens of Codex look: what everybody may see beside a menu, or a page of its own."""

from typing import Final

from pi_table.console import style
from pi_table.console.choice_lists import Box, lines
from pi_table.console.codex.drawn_pages import page
from pi_table.console.codex.drawn_practice import practice
from pi_table.console.codex.page import Page
from pi_table.console.codex.practice import Practice
from pi_table.console.codex.public_menu import NewCode, Public, VoteFor
from pi_table.console.codex.round_table import board
from pi_table.console.codex.terms import PHASES
from pi_table.console.codex.time_left import bar, time_left
from pi_table.console.codex.visit import nickname
from pi_table.console.confirm import Confirm
from pi_table.console.explanation import EXPLAINED, drawn_explanation, explanation
from pi_table.console.model import Model
from pi_table.console.screen import Choice
from pi_table.console.shapes import Rect, Scene, Text
from pi_table.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.language import Words, say

_X: Final = style.PANEL_X
_W: Final = style.PANEL_WIDTH
_TITLE: Final = Box(style.MARGIN, style.MARGIN, style.WIDTH - 2 * style.MARGIN, 42)
_PAGE: Final = Box(
    style.MARGIN,
    style.MARGIN + 50,
    style.WIDTH - 2 * style.MARGIN,
    style.FOOT_Y - 2 * style.MARGIN - 50,
)
_TOP: Final = style.MARGIN + style.HEAD_HEIGHT + style.MARGIN
_BOTTOM: Final = style.FOOT_Y - style.MARGIN


def draws_page(model: Model, table: AnyTableMessage, now: float) -> Scene | None:
    """The screen on top if it is a page of Codex, whatever is played: nicknames are typed before
    the game."""
    if isinstance(model.screen, Practice):
        if not isinstance(table, CodexMessage):
            return ()
        return practice(model, table, model.screen, _TITLE, _PAGE)
    if not isinstance(model.screen, Page):
        return None
    return page(model, model.screen, table, now)


def body(model: Model, table: CodexMessage, now: float) -> Scene | None:
    """The screen on top, but for the buttons at its foot; None where it is not of Codex."""
    if not model.screen.has_grid:
        return draws_page(model, table, now)
    picks: tuple[Choice, ...] = ()
    if isinstance(model.screen, VoteFor | NewCode):
        picks = model.choices
    at_home = isinstance(model.screens[0], Public)
    is_done = at_home and table.door is not None and table.door.code == "open"
    beside = board(table, is_done, picks, model.selected)
    return (*beside, *_head(model, table, now), *_panel(model, table))


def _head(model: Model, table: CodexMessage, now: float) -> Scene:
    """The phase, and the time that is left."""
    y, h = style.MARGIN, style.HEAD_HEIGHT
    public = table.public
    count = say("Phase {number}", number=public.number)
    w = _W - 28 if public.timer is None else _W - 116
    return (
        Rect(_X, y, _W, h, style.SURFACE, radius=style.RADIUS),
        Text(_X + 14, y + 5, w, 26, PHASES[public.phase], style.TITLE, style.INK),
        Text(_X + 14, y + 33, w, 18, count, style.SMALL, style.SOFT),
        *time_left(model, table, now, _X + _W - 92, y + 5),
        *bar(model, table, now, Box(_X + 8, y + h - 5, _W - 16, 3)),
    )


def _panel(model: Model, table: CodexMessage) -> Scene:
    """A menu; over it a question, or what is being chosen; under it why something was refused."""
    screen = model.screen
    top, bottom = _TOP, _BOTTOM
    shapes: Scene = ()
    if isinstance(screen, Confirm):
        shapes += (
            Rect(_X, top, _W, 152, style.SURFACE, style.ACCENT, 2, style.RADIUS),
            Text(_X + 14, top + 8, _W - 28, 136, screen.question, 22, style.INK, least=17),
        )
        top += 152 + style.MARGIN
    elif isinstance(screen, VoteFor | NewCode):
        shapes += (Text(_X + 4, top, _W - 8, 40, _asks(screen, table), style.BODY, style.INK),)
        top += 44
    if model.notice is not None:
        bottom -= 84
        shapes += (
            Rect(_X, bottom, _W, 84, style.GROUND, style.ACCENT, 2, style.RADIUS),
            Text(_X + 12, bottom + 6, _W - 24, 72, model.notice, style.BODY, style.INK, least=14),
        )
        bottom -= style.MARGIN
    elif (explained := explanation(model)) is not None and not isinstance(screen, Confirm):
        bottom -= EXPLAINED
        shapes += drawn_explanation(Box(_X, bottom, _W, EXPLAINED), explained)
        bottom -= style.MARGIN
    return shapes + lines(Box(_X, top, _W, bottom - top), model.choices, model.selected)


def _asks(screen: VoteFor | NewCode, table: CodexMessage) -> Words:
    if isinstance(screen, VoteFor):
        return say("{agent} votes for…", agent=nickname(table, screen.voter))
    return say("Who chooses a new code?")
