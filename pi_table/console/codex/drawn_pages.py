"""The pages of Codex, over the whole width: a title, the time, what there is to read or to enter,
and at the foot a word of help, or why something was refused.

A page looks the same whether PEEK is held or not, but for what then stands in its places.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from pi_table.console import style
from pi_table.console.choice_lists import Box, letter_tiles, lines, number_tiles, tiles
from pi_table.console.codex.code_entry import TILES, EnterCode, Sure
from pi_table.console.codex.dossier_pages import HIDDEN, SLOTS, Messages, WhoYouAre, message
from pi_table.console.codex.nickname_screens import TypeName
from pi_table.console.codex.own_code import OwnCode
from pi_table.console.codex.page import Page, Private
from pi_table.console.codex.public_menu import RolesInPlay
from pi_table.console.codex.terms import FACTS, POWERS, facts_words, own_words
from pi_table.console.codex.time_left import bar, time_left
from pi_table.console.codex.visit import deliveries, nickname
from pi_table.console.model import Model
from pi_table.console.screen import name
from pi_table.console.shapes import Circle, Rect, Scene, Text
from pi_table.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.language import Words, say
from pi_table.names import ROLES
from pi_table.rules.codex.identikit import (
    ALPHABET,
    CODE_LENGTH,
    FRAGMENT_LENGTH,
    OWN_CODE_LENGTH,
    Fact,
)
from pi_table.rules.codex.views import AgentView

_X: Final = style.MARGIN
_W: Final = style.WIDTH - 2 * style.MARGIN
_TOP: Final = style.MARGIN + 50
_BODY: Final = Box(_X, _TOP, _W, style.FOOT_Y - style.MARGIN - _TOP)
_HELP_W: Final = style.PANEL_X - style.MARGIN - _X
_TITLE_W: Final = 480


def page(model: Model, screen: Page[Any], table: AnyTableMessage, now: float) -> Scene:
    """The page on top."""
    draw: Callable[[Model, Any, Any], Scene] = _BODIES.get(type(screen), _listed)
    return (*_frame(model, screen, table, now), *draw(model, table, screen))


def _frame(model: Model, screen: Page[Any], table: AnyTableMessage, now: float) -> Scene:
    shapes: Scene = (
        Text(_X + 6, style.MARGIN, _TITLE_W, 42, screen.title(table), style.TITLE, style.INK),
    )
    if isinstance(table, CodexMessage):
        if isinstance(screen, Private):
            who = nickname(table, screen.visit.seat)
            spare = 12 if table.public.timer is None else 106
            place = Box(_X + 6 + _TITLE_W, style.MARGIN, _W - _TITLE_W - spare, 42)
            shapes += (Text(*_place(place), who, style.BODY, style.SOFT, "right"),)
        shapes += time_left(model, table, now, _X + _W - 86, style.MARGIN)
        shapes += bar(model, table, now, Box(_X, _TOP - 5, _W, 3))
    said, ink = screen.help(table), style.SOFT
    if model.notice is not None:
        said, ink = model.notice, style.ACCENT
    help_box = Box(_X + 6, style.FOOT_Y, _HELP_W - 6, style.FOOT_HEIGHT)
    return (*shapes, Text(*_place(help_box), said, 18, ink, least=14))


def _place(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.y, box.w, box.h


def _listed(model: Model, table: AnyTableMessage, screen: Page[Any]) -> Scene:
    return lines(_BODY, model.choices, model.selected)


def _own_code(model: Model, table: CodexMessage, screen: OwnCode) -> Scene:
    """A field for each digit, and the digits."""
    w, h = 64.0, 64.0
    left = _X + (_W - OWN_CODE_LENGTH * (w + style.MARGIN)) / 2
    shapes: Scene = ()
    for place in range(OWN_CODE_LENGTH):
        x = left + place * (w + style.MARGIN)
        shapes += _field(Box(x, _TOP + style.MARGIN, w, h), place < len(screen.digits), "")
    below = Box(_X, _TOP + h + 3 * style.MARGIN, _W, _BODY.h - h - 3 * style.MARGIN)
    return shapes + number_tiles(below, model.choices, model.selected)


def _field(box: Box, filled: bool, shown: str) -> Scene:
    """A place for a sign: a dot once it was entered, unless it is shown."""
    edge = style.INK if filled else style.EDGE
    field = Rect(*_place(box), style.SURFACE, edge, 2, style.RADIUS)
    if shown:
        return (field, Text(*_place(box), shown, 30, style.INK, "centre"))
    if filled:
        return (field, Circle(box.x + box.w / 2, box.y + box.h / 2, 8, style.INK))
    return (field,)


def _signs(table: CodexMessage, code: str, y: float) -> Scene:
    """The twelve places of a code, in groups of four."""
    w, h, between = 48.0, 56.0, 28.0
    left = _X + (_W - CODE_LENGTH * (w + style.GAP) - 2 * between) / 2
    shapes: Scene = ()
    for place in range(CODE_LENGTH):
        x = left + place * (w + style.GAP) + place // FRAGMENT_LENGTH * between
        filled = place < len(code)
        shown = code[place] if filled and table.agent is not None else ""
        shapes += _field(Box(x, y, w, h), filled, shown)
    return shapes


def _enter_code(model: Model, table: CodexMessage, screen: EnterCode) -> Scene:
    """The code, tiles for fragments, tiles for signs, and the keys that are words."""
    choices, selected = model.choices, model.selected
    shapes = _signs(table, screen.code, _TOP)
    y: float = _TOP + 56 + style.MARGIN
    row = (_BODY.y + _BODY.h - y + style.GAP) / 6
    first = 0
    for count, columns in ((TILES, TILES), (len(ALPHABET), 8), (2, 2)):
        rows = count // columns
        box = Box(_X, y, _W, rows * row - style.GAP)
        shapes += tiles(box, choices[first : first + count], selected - first, columns)
        first, y = first + count, y + rows * row
    return shapes


def _sure(model: Model, table: CodexMessage, screen: Sure) -> Scene:
    h = 56 + 2 * style.MARGIN
    below = Box(_X, _TOP + h, _W, _BODY.h - h)
    return _signs(table, screen.code, _TOP) + lines(below, model.choices, model.selected)


def _who_you_are(model: Model, table: CodexMessage, screen: WhoYouAre) -> Scene:
    """The identikit at the left, the role at the right."""
    agent = table.agent
    w = 372.0
    row = (_BODY.h + style.GAP) / 8
    shapes: Scene = ()
    for place, (label, value) in enumerate(_papers(agent)):
        y = _BODY.y + place * row
        shapes += (
            Rect(_X, y, w, row - style.GAP, style.SURFACE, radius=style.RADIUS),
            Text(_X + 12, y, 156, row - style.GAP, label, 18, style.SOFT, least=14),
            Text(_X + 176, y, w - 188, row - style.GAP, value, 22, style.INK, "right", 14),
        )
    x, w = _X + w + style.MARGIN, _W - w - style.MARGIN
    role: Words = HIDDEN if agent is None else ROLES[agent.identikit.role]
    power: Words = say("Hold PEEK to read.") if agent is None else POWERS[agent.identikit.role]
    return (
        *shapes,
        Rect(x, _BODY.y, w, _BODY.h, style.SURFACE, radius=style.RADIUS),
        Text(x + 16, _BODY.y + 10, w - 32, 44, role, 30, style.INK),
        Text(x + 16, _BODY.y + 60, w - 32, 190, power, 24, style.INK, least=16),
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
    """The phases at the left; at the right five places for what came in the selected one."""
    if not model.choices:
        return ()
    w = 190
    phase = deliveries(table) - model.selected
    shapes = lines(Box(_X, _BODY.y, w, _BODY.h), model.choices, model.selected)
    x, right = _X + w + style.MARGIN, _W - w - style.MARGIN
    row = (_BODY.h + style.GAP) / (SLOTS + 1)
    for slot in range(SLOTS):
        y = _BODY.y + slot * row
        fragment, facts, learned = _came(table.agent, phase, slot + 1)
        shapes += (
            Rect(x, y, right, row - style.GAP, style.SURFACE, radius=style.RADIUS),
            Text(x + 10, y, 24, row - style.GAP, str(slot + 1), 18, style.SOFT),
            Text(x + 40, y, 120, row - style.GAP, fragment, 28, style.INK),
            Text(x + 168, y, 200, row - style.GAP, facts, style.BODY, style.INK, least=14),
            Text(
                x + 376,
                y,
                right - 386,
                row - style.GAP,
                learned,
                style.BODY,
                style.ACCENT,
                least=14,
            ),
        )
    return (*shapes, *_blocked(table, phase, Box(x, _BODY.y + SLOTS * row, right, row - style.GAP)))


def _came(agent: AgentView | None, phase: int, number: int) -> tuple[Words, Words, Words]:
    """A message: its fragment, its facts, and what was asked about its sender."""
    if agent is None:
        return HIDDEN, HIDDEN, ""
    came = message(agent, phase, number)
    if came is None:
        return "–", "", ""
    learned: Words = ""
    if came.learned:
        learned = say("asked: {fact}", fact=facts_words(came.learned))
    return came.fragment, facts_words(came.facts), learned


def _blocked(table: CodexMessage, phase: int, box: Box) -> Scene:
    """What a Hacker did, in the phase that is being played."""
    said: Words = HIDDEN
    if table.agent is not None:
        said = "–"
        if phase == table.public.number:
            said = say("No Hacker prevents you from entering a code.")
            if table.agent.blocked:
                said = say("A Hacker prevented you from entering a code in this phase.")
    ground = Rect(*_place(box), style.SURFACE, radius=style.RADIUS)
    return (ground, Text(box.x + 10, box.y, box.w - 20, box.h, said, style.BODY, style.INK))


def _roles(model: Model, table: CodexMessage, screen: RolesInPlay) -> Scene:
    shapes: Scene = ()
    row = (_BODY.h + style.MARGIN) / len(table.public.roles)
    for place, role in enumerate(table.public.roles):
        y, h = _BODY.y + place * row, row - style.MARGIN
        shapes += (
            Rect(_X, y, _W, h, style.SURFACE, radius=style.RADIUS),
            Text(_X + 16, y, 170, h, ROLES[role], 26, style.ACCENT),
            Text(_X + 196, y + 6, _W - 212, h - 12, POWERS[role], 22, style.INK, least=16),
        )
    return shapes


def _type_name(model: Model, table: AnyTableMessage, screen: TypeName) -> Scene:
    field = Box(_X, _TOP, _W, 54)
    below = Box(_X, _TOP + 62, _W, _BODY.h - 62)
    return (
        Rect(*_place(field), style.SURFACE, style.EDGE, 1, style.RADIUS),
        Text(_X + 16, _TOP, _W - 32, 54, screen.letters, 30, style.INK),
        *letter_tiles(below, model.choices, model.selected),
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
