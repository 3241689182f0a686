"""The drawing of Codex's full-width pages: the title, the time, the content, and at the foot a hint
or the reason of a refusal.

A page looks the same whether PEEK is held or not, except for the secrets themselves.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from pi_table.common.language import Words, say
from pi_table.games.lines.game import duration
from pi_table.games.names import ROLES
from pi_table.games.rules.codex.board import Phase
from pi_table.games.rules.codex.identikit import (
    ALPHABET,
    CODE_LENGTH,
    FRAGMENT_LENGTH,
    OWN_CODE_LENGTH,
    Fact,
)
from pi_table.games.rules.codex.views import AgentView
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.screens.console import style
from pi_table.screens.console.choice_lists import letter_tiles, lines, number_tiles, tiles
from pi_table.screens.console.codex.code_entry import TILES, EnterCode, Sure
from pi_table.screens.console.codex.nickname_screens import TypeName
from pi_table.screens.console.codex.own_code import OwnCode
from pi_table.screens.console.codex.page import (
    HIDDEN,
    SLOTS,
    Messages,
    Page,
    Private,
    WhoYouAre,
    message,
)
from pi_table.screens.console.codex.public_menu import RolesInPlay
from pi_table.screens.console.codex.terms import FACTS, POWERS, facts_words, own_words
from pi_table.screens.console.codex.visit import deliveries, nickname
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model, seconds_left
from pi_table.screens.console.screen import name
from pi_table.screens.console.shapes import Circle, Face, Rect, Scene, Text


def page(model: Model, screen: Page[Any], table: AnyTableMessage, now: float) -> Scene:
    draw: Callable[[Model, Any, Any], Scene] = _BODIES.get(type(screen), _list)
    return (*_frame(model, screen, table, now), *draw(model, table, screen))


def _frame(model: Model, screen: Page[Any], table: AnyTableMessage, now: float) -> Scene:
    layout = model.layout
    box = layout.title
    title_w = 0.62 * box.w
    title = screen.title(table)
    shapes: Scene = (
        Text(box.x, box.y, title_w, box.h, title, style.TITLE, style.INK, face=Face.BOLD),
    )
    if isinstance(table, CodexMessage):
        if isinstance(screen, Private):
            who = nickname(table, screen.visit.seat)
            spare = 0 if table.public.timer is None else 94
            place = Box(box.x + title_w, box.y, box.w - title_w - spare, box.h)
            shapes += (Text(*place, who, style.BODY, style.SOFT, "right"),)
        shapes += time_left(model, table, now, box.x + box.w - 80, box.y)
        shapes += time_bar(
            model, table, now, Box(layout.page.x, layout.page.y - 5, layout.page.w, 3)
        )
    said, ink = screen.help(table), style.SOFT
    if model.notice is not None:
        said, ink = model.notice, style.ACCENT
    return (*shapes, Text(*layout.foot_text, said, style.SMALL, ink))


def _list(model: Model, table: AnyTableMessage, screen: Page[Any]) -> Scene:
    return lines(model.layout.page, model.choices, model.selected)


def _own_code(model: Model, table: CodexMessage, screen: OwnCode) -> Scene:
    page = model.layout.page
    w, h = 64.0, 64.0
    left = page.x + (page.w - OWN_CODE_LENGTH * (w + style.MARGIN)) / 2
    shapes: Scene = ()
    for place in range(OWN_CODE_LENGTH):
        x = left + place * (w + style.MARGIN)
        shapes += _field(Box(x, page.y + style.MARGIN, w, h), place < len(screen.digits), "")
    below = page.below(h + 3 * style.MARGIN)
    return shapes + number_tiles(below, model.choices, model.selected)


def _field(box: Box, filled: bool, shown: str) -> Scene:
    """Draw the field for one sign: the sign if it may be visible, a dot if it is entered but
    hidden."""
    edge = style.INK if filled else style.EDGE
    field = Rect(*box, style.SURFACE, edge, 2, style.RADIUS)
    if shown:
        return (field, Text(*box, shown, 30, style.INK, "centre"))
    if filled:
        return (field, Circle(box.x + box.w / 2, box.y + box.h / 2, 8, style.INK))
    return (field,)


_SIGN_H: Final = 54


def _signs(page: Box, table: CodexMessage, code: str) -> Scene:
    groups = CODE_LENGTH // FRAGMENT_LENGTH
    w = min(48.0, (page.w - (groups - 1) * 24) / CODE_LENGTH - style.GAP)
    between = 24.0
    left = page.x + (page.w - CODE_LENGTH * (w + style.GAP) - (groups - 1) * between) / 2
    shapes: Scene = ()
    for place in range(CODE_LENGTH):
        x = left + place * (w + style.GAP) + place // FRAGMENT_LENGTH * between
        filled = place < len(code)
        shown = code[place] if filled and table.agent is not None else ""
        shapes += _field(Box(x, page.y, w, _SIGN_H), filled, shown)
    return shapes


def _enter_code(model: Model, table: CodexMessage, screen: EnterCode) -> Scene:
    choices, selected = model.choices, model.selected
    page = model.layout.page
    shapes = _signs(page, table, screen.code)
    box = page.below(_SIGN_H + style.MARGIN)
    row = (box.h + style.GAP) / 6
    first = 0
    for count, columns in ((TILES, TILES), (len(ALPHABET), 8), (2, 2)):
        rows = count // columns
        tiled = Box(box.x, box.y, box.w, rows * row - style.GAP)
        shapes += tiles(tiled, choices[first : first + count], selected - first, columns)
        first, box = first + count, box.below(rows * row)
    return shapes


def _sure(model: Model, table: CodexMessage, screen: Sure) -> Scene:
    page = model.layout.page
    below = page.below(_SIGN_H + 2 * style.MARGIN)
    return _signs(page, table, screen.code) + lines(below, model.choices, model.selected)


def _who_you_are(model: Model, table: CodexMessage, screen: WhoYouAre) -> Scene:
    agent, page = table.agent, model.layout.page
    w = 0.47 * page.w
    row = (page.h + style.GAP) / 8
    shapes: Scene = ()
    for place, (label, value) in enumerate(_papers(agent)):
        y, h = page.y + place * row, row - style.GAP
        label_w = 0.54 * w
        shapes += (
            Rect(page.x, y, w, h, style.SURFACE, radius=style.RADIUS),
            Text(page.x + 12, y, label_w, h, label, style.SMALL, style.SOFT),
            Text(
                *(page.x + label_w + 18, y, w - label_w - 30, h, value, 24, style.INK, "right"),
            ),
        )
    x, w = page.x + w + style.MARGIN, page.w - w - style.MARGIN
    role: Words = HIDDEN if agent is None else ROLES[agent.identikit.role]
    power: Words = say("Hold PEEK to read.") if agent is None else POWERS[agent.identikit.role]
    return (
        *shapes,
        Rect(x, page.y, w, page.h, style.SURFACE, radius=style.RADIUS),
        Text(x + 16, page.y + 10, w - 32, 44, role, 30, style.INK, face=Face.BOLD),
        Text(x + 16, page.y + 60, w - 32, page.h - 70, power, 24, style.INK),
    )


def _papers(agent: AgentView | None) -> Sequence[tuple[Words, Words]]:
    labels = (
        *(FACTS[fact] for fact in Fact),
        say("You belong to"),
        say("Code attempt"),
        say("Your power"),
    )
    if agent is None:
        return [(label, HIDDEN) for label in labels]
    identikit = agent.identikit
    values = (
        *(own_words(fact, identikit) for fact in Fact),
        name(agent.belongs),
        say("left") if agent.attempt_left else say("used up"),
        _power(agent.power_left),
    )
    return [*zip(labels, values, strict=True)]


def _power(left: bool | None) -> Words:
    if left is None:
        return "–"
    return say("left") if left else say("used up")


def _messages(model: Model, table: CodexMessage, screen: Messages) -> Scene:
    if not model.choices:
        return ()
    page = model.layout.page
    w = 0.24 * page.w
    phase = deliveries(table) - model.selected
    shapes = lines(Box(page.x, page.y, w, page.h), model.choices, model.selected)
    x, right = page.x + w + style.MARGIN, page.w - w - style.MARGIN
    row = (page.h + style.GAP) / (SLOTS + 1)
    for slot in range(SLOTS):
        y, h = page.y + slot * row, row - style.GAP
        fragment, facts, learned = _came(table.agent, phase, slot + 1)
        facts_w = (right - 146) * (0.5 if learned else 1.0)
        shapes += (
            Rect(x, y, right, h, style.SURFACE, radius=style.RADIUS),
            Text(x + 10, y, 20, h, str(slot + 1), style.SMALL, style.SOFT),
            Text(x + 34, y, 96, h, fragment, 28, style.INK),
            Text(x + 138, y, facts_w, h, facts, style.BODY, style.INK),
        )
        if learned:
            place = (x + 144 + facts_w, y, right - facts_w - 150, h)
            shapes += (Text(*place, learned, style.BODY, style.ACCENT),)
    last = Box(x, page.y + SLOTS * row, right, row - style.GAP)
    return (*shapes, *_hacker_line(table, phase, last))


def _came(agent: AgentView | None, phase: int, number: int) -> tuple[Words, Words, Words]:
    """Return a message's fragment, its facts, and the facts that the agent learned by asking about
    its sender."""
    if agent is None:
        return HIDDEN, HIDDEN, ""
    came = message(agent, phase, number)
    if came is None:
        return "–", "", ""
    learned: Words = ""
    if came.learned:
        learned = say("asked: {fact}", fact=facts_words(came.learned))
    return came.fragment, facts_words(came.facts), learned


def _hacker_line(table: CodexMessage, phase: int, box: Box) -> Scene:
    said: Words = HIDDEN
    if table.agent is not None:
        said = "–"
        if phase == table.public.number:
            said = say("No Hacker prevents you from entering a code.")
            if table.agent.blocked:
                said = say("A Hacker prevented you from entering a code in this phase.")
    ground = Rect(*box, style.SURFACE, radius=style.RADIUS)
    return (ground, Text(*box.inset(10), said, style.BODY, style.INK))


def _roles(model: Model, table: CodexMessage, screen: RolesInPlay) -> Scene:
    shapes: Scene = ()
    page = model.layout.page
    row = (page.h + style.MARGIN) / len(table.public.roles)
    w = 0.24 * page.w
    for place, role in enumerate(table.public.roles):
        y, h = page.y + place * row, row - style.MARGIN
        power_w = page.w - w - 30
        shapes += (
            Rect(page.x, y, page.w, h, style.SURFACE, radius=style.RADIUS),
            Text(page.x + 14, y, w - 8, h, ROLES[role], 26, style.ACCENT, face=Face.BOLD),
            Text(page.x + w + 18, y + 4, power_w, h - 8, POWERS[role], style.BODY, style.INK),
        )
    return shapes


def _type_name(model: Model, table: AnyTableMessage, screen: TypeName) -> Scene:
    page = model.layout.page
    return (
        Rect(page.x, page.y, page.w, 52, style.SURFACE, style.EDGE, 1, style.RADIUS),
        Text(page.x + 16, page.y, page.w - 32, 52, screen.letters, 30, style.INK),
        *letter_tiles(page.below(58), model.choices, model.selected),
    )


_BODIES: Final[dict[type, Callable[[Model, Any, Any], Scene]]] = {
    OwnCode: _own_code,
    EnterCode: _enter_code,
    Sure: _sure,
    WhoYouAre: _who_you_are,
    Messages: _messages,
    RolesInPlay: _roles,
    TypeName: _type_name,
}


def time_left(model: Model, table: CodexMessage, now: float, x: float, y: float) -> Scene:
    """Draw the remaining time as digits, 80 by 46 units. The digits are fainter while the clock is
    stopped."""
    left = seconds_left(model, now)
    if left is None:
        return ()
    runs = table.public.timer is not None and table.public.timer.running
    ink = style.INK if runs else style.SOFT
    return (Text(x, y, 80, 46, duration(math.ceil(left)), 28, ink, "right", face=Face.BOLD),)


def time_bar(model: Model, table: CodexMessage, now: float, box: Box) -> Scene:
    """Draw the remaining time as a bar in the box. The box's width stands for the whole time."""
    left, settings = seconds_left(model, now), table.settings
    if left is None or settings is None:
        return ()
    discussion = table.public.phase is Phase.DISCUSS
    whole = settings.discussion_seconds if discussion else settings.visit_seconds
    return (Rect(box.x, box.y, round(box.w * min(1.0, left / whole)), box.h, style.INK),)
