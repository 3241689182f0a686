"""The drawing of both open hands of cards, beside each other over the whole width of the screen."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from pi_table.common.language import Words, say
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import AGENT_OF, LAYOUTS
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.messages import TableMessage
from pi_table.screens.console import style
from pi_table.screens.console.choice_lists import touch_area
from pi_table.screens.console.explanation import explanation
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model
from pi_table.screens.console.screen import Choice, name
from pi_table.screens.console.shapes import Face, Rect, Scene, Shape, Text
from pi_table.screens.console.symbols import COLOURS, sign
from pi_table.screens.console.word_games.hands import Hands

ROWS: Final = 5
COLUMNS: Final = 3
"""Number of columns of a hand. A hand has room for 13 cards and, in the last place, the menu."""
_WORD: Final = style.KEY_WORD + 1
_TITLE: Final = 26


def hands_page(model: Model, table: TableMessage, screen: Hands) -> Scene:
    """Draw the team on turn, its chosen card, and the hands of both teams. A group has only one
    hand."""
    public, box = table.public, model.layout.whole_page
    if public is None or public.turn is None or public.hands is UNSET:
        return ()
    head = Box(box.x, box.y, box.w, style.HEAD_HEIGHT)
    below = box.below(style.HEAD_HEIGHT + style.MARGIN)
    shapes = _head(head, public, public.turn)
    teams = [team for team in Team if team is public.turn or not _is_group(table)]
    w = (below.w - (len(teams) - 1) * 2 * style.MARGIN) / len(teams)
    columns = COLUMNS if len(teams) > 1 else 2 * COLUMNS
    for place, team in enumerate(teams):
        hand = Box(below.x + place * (w + 2 * style.MARGIN), below.y, w, below.h)
        shapes += _title(Box(hand.x, hand.y, hand.w, _TITLE), public, team)
        cards = hand.below(_TITLE + style.GAP)
        if team is public.turn:
            shapes += _own(cards, columns, model, public)
        else:
            shapes += _others(cards, columns, public.hands.of(team))
    said = explanation(model) if model.notice is None else model.notice
    if said is not None:
        at = model.layout.foot_text
        shapes += (Text(*at, said, style.SMALL, style.INK, face=Face.NARROW),)
    return shapes


def _is_group(table: TableMessage) -> bool:
    return table.settings is not None and table.settings.players == "cooperative"


def _head(box: Box, public: PublicView, team: Team) -> Scene:
    left = box.x + 48
    w = box.w - 60
    word = (public.next_word or "").upper()
    title = say("{team} lays {word}", team=name(team), word=word)
    help = say("Choose another card, or hold a finger on an empty cell.")
    return (
        Rect(*box, COLOURS[AGENT_OF[team]].deep, radius=style.RADIUS),
        *sign(AGENT_OF[team], box.x + 25, box.y + box.h / 2, 13),
        Text(
            *(left, box.y + 1, w, 29, title, style.TITLE, style.INK),
            face=Face.BOLD,
        ),
        Text(left, box.y + 30, w, 25, help, style.SMALL, style.INK, face=Face.NARROW),
    )


def _title(box: Box, public: PublicView, team: Team) -> Scene:
    laid = 0 if public.placed is UNSET else len(public.placed)
    count = LAYOUTS[public.profile].cards
    is_on_turn = team is public.turn
    half = box.w / 2
    owner, ink = say("{team}’s hand", team=name(team)), style.INK if is_on_turn else style.SOFT
    shapes: Scene = (
        *sign(AGENT_OF[team], box.x + 12, box.y + box.h / 2, 8),
        Text(box.x + 28, box.y, half - 28, box.h, owner, style.SMALL, ink, face=Face.NARROW),
    )
    if not is_on_turn:
        return shapes
    lie: Words = say("{laid} of {count} cards are laid", laid=laid, count=count)
    place = (box.x + half, box.y, half - 4, box.h)
    return (*shapes, Text(*place, lie, style.SMALL, style.SOFT, "right", face=Face.NARROW))


def _own(box: Box, columns: int, model: Model, public: PublicView) -> Scene:
    *cards, menu = model.choices
    shapes: Scene = ()
    for place, choice in enumerate(cards):
        at = box.tile(place, columns, ROWS)
        shapes += _card(at, choice, place == model.selected, choice.label == public.next_word)
    last = box.tile(ROWS * columns - 1, columns, ROWS)
    return shapes + _menu(last, menu, model.selected == len(cards))


def _card(box: Box, choice: Choice, is_marked: bool, is_chosen: bool) -> Scene:
    fill, ink = (style.ACCENT, style.ON_ACCENT) if is_marked else (style.RAISED, style.INK)
    edge = style.ACCENT if is_marked or is_chosen else None
    return (
        Rect(*box, fill, edge, 3, style.RADIUS),
        touch_area(box, choice),
        _word(box, str(choice.label), ink),
    )


def _menu(box: Box, choice: Choice, is_marked: bool) -> Scene:
    fill, ink = (style.ACCENT, style.ON_ACCENT) if is_marked else (style.GROUND, style.SOFT)
    edge = style.ACCENT if is_marked else style.EDGE
    return (
        Rect(*box, fill, edge, 2, style.RADIUS),
        touch_area(box, choice),
        Text(*box.inset(4), choice.label, style.BODY, ink, "centre"),
    )


def _others(box: Box, columns: int, words: Sequence[str]) -> Scene:
    shapes: list[Shape] = []
    for place, word in enumerate(words):
        at = box.tile(place, columns, ROWS)
        shapes.append(Rect(*at, style.GROUND, style.SURFACE, 2, style.RADIUS))
        shapes.append(_word(at, word, style.SOFT))
    return tuple(shapes)


def _word(box: Box, word: str, ink: int) -> Text:
    return Text(*box.inset(3), word.upper(), _WORD, ink, "centre", face=Face.NARROW, group="words")
