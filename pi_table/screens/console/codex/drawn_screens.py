"""The drawing of Codex's screens: a menu with public information beside it, a page, or the
practice."""

from pi_table.common.language import Words, say
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.screens.console import style
from pi_table.screens.console.choice_lists import lines, over_choices, split
from pi_table.screens.console.codex.drawn_pages import page, time_bar, time_left
from pi_table.screens.console.codex.page import HIDDEN, Page
from pi_table.screens.console.codex.practice import Practice
from pi_table.screens.console.codex.public_menu import NewCode, Public, VoteFor
from pi_table.screens.console.codex.round_table import board
from pi_table.screens.console.codex.terms import PHASES
from pi_table.screens.console.codex.visit import nickname
from pi_table.screens.console.confirm import Confirm
from pi_table.screens.console.explanation import (
    EXPLAINED,
    draw_explanation,
    draw_question,
    explanation,
)
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model
from pi_table.screens.console.phones import phones_here
from pi_table.screens.console.screen import AnyScreen, Choice
from pi_table.screens.console.shapes import Face, Rect, Scene, Text
from pi_table.screens.console.symbols import PHONE_SIGN, phone_sign


def draws_page(model: Model, table: AnyTableMessage, now: float) -> Scene | None:
    """Draw the topmost screen if it is a page of Codex; else return None.

    A page of Codex can be open during another game, because nicknames are typed before a game of
    Codex begins.
    """
    if isinstance(model.screen, Practice):
        if not isinstance(table, CodexMessage):
            return ()
        page_box, title = model.layout.page, model.layout.title
        over_page = Box(page_box.x, title.y, page_box.w, title.h)
        return practice(model, table, model.screen, over_page, page_box)
    if not isinstance(model.screen, Page):
        return None
    return page(model, model.screen, table, now)


def body(model: Model, table: CodexMessage, now: float) -> Scene | None:
    if not model.screen.has_grid:
        return draws_page(model, table, now)
    picks: tuple[Choice, ...] = ()
    if isinstance(model.screen, VoteFor | NewCode):
        picks = model.choices
    at_home = isinstance(model.screens[0], Public)
    is_done = at_home and table.door is not None and table.door.code == "open"
    beside = board(model.layout, table, is_done, model.notice, picks, model.selected)
    return (*beside, *_head(model, table, now), *_panel(model, table))


def _head(model: Model, table: CodexMessage, now: float) -> Scene:
    box = model.layout.head
    x, y = box.x, box.y
    public = table.public
    count = say("Phase {number}", number=public.number)
    w = box.w - 24 if public.timer is None else box.w - 110
    here = phones_here(table)
    phones_at = Box(x + 14 + w - PHONE_SIGN, y + 30, PHONE_SIGN, 22)
    return (
        Rect(x, y, box.w, box.h, style.SURFACE, radius=style.RADIUS),
        Text(x + 14, y + 2, w, 28, PHASES[public.phase], style.TITLE, style.INK, face=Face.BOLD),
        Text(x + 14, y + 30, w - PHONE_SIGN - 4, 22, count, style.SMALL, style.SOFT),
        *(phone_sign(phones_at, here) if here else ()),
        *time_left(model, table, now, x + box.w - 92, y + 5),
        *time_bar(model, table, now, Box(x + 8, y + box.h - 4, box.w - 16, 3)),
    )


def _panel(model: Model, table: CodexMessage) -> Scene:
    screen, box = model.screen, model.layout.body
    shapes: Scene = ()
    if isinstance(screen, Confirm):
        asked, box = over_choices(box, 176, len(model.choices))
        shapes += draw_question(asked, screen.question)
    elif isinstance(screen, VoteFor | NewCode):
        words = _asks(screen, table)
        shapes += (Text(box.x + 4, box.y, box.w - 8, 48, words, style.BODY, style.INK),)
        box = box.below(52)
    if (explained := explanation(model)) is not None and _has_room(screen, box):
        box, foot = split(box, EXPLAINED)
        shapes += draw_explanation(foot, explained)
    return shapes + lines(box, model.choices, model.selected)


def _has_room(screen: AnyScreen, box: Box) -> bool:
    two_choices = 2 * (style.ROW + style.GAP)
    return not isinstance(screen, Confirm) and box.h >= EXPLAINED + style.MARGIN + two_choices


def _asks(screen: VoteFor | NewCode, table: CodexMessage) -> Words:
    if isinstance(screen, VoteFor):
        return say("{agent} votes for…", agent=nickname(table, screen.voter))
    return say("Who chooses a new code?")


def practice(model: Model, table: CodexMessage, screen: Practice, title: Box, body: Box) -> Scene:
    """Draw a stage of the practice. The heading is in the box ``title``. In the box ``body``, the
    task is at the left. At the right is an invented text, visible while PEEK is held."""
    half = (body.w - style.MARGIN) / 2
    w = half if screen.papers else body.w
    told = 0.3 * body.h
    made_up = say("All made up. Nothing counts.")
    left = Box(title.x + 12, title.y, title.w / 2 - 16, title.h)
    right = Box(title.x + title.w / 2, title.y, title.w / 2 - 12, title.h)
    return (
        Rect(*title, style.GROUND, style.ACCENT, 2, style.RADIUS),
        Text(*left, screen.title(table), style.TITLE, style.INK, face=Face.BOLD),
        Text(*right, made_up, style.BODY, style.ACCENT, "right"),
        Text(body.x + 6, body.y, w - 12, told, screen.help(table), 24, style.INK),
        *lines(Box(body.x, body.y + told, w, body.h - told), model.choices, model.selected),
        *_paper(model, screen, Box(body.x + body.w - half, body.y, half, body.h)),
    )


def _paper(model: Model, screen: Practice, box: Box) -> Scene:
    if not screen.papers:
        return ()
    row = box.h / 6.5
    x, w = box.x + 16, box.w - 32
    head = say("Not yours: an example")
    shapes: Scene = (
        Rect(*box, style.SURFACE, radius=style.RADIUS),
        Text(x, box.y, w, row, head, 24, style.ACCENT),
    )
    for place, (label, value) in enumerate(screen.papers):
        y = box.y + (place + 1.25) * row
        shown = value if model.peeking else HIDDEN
        shapes += (
            Text(x, y, 0.48 * w, row, label, style.BODY, style.SOFT),
            Text(x + 0.5 * w, y, 0.5 * w, row, shown, 26, style.INK, "right"),
        )
    return shapes
