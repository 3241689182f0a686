"""The panel at the right of the screen: the state of a word game, and the menu."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from pi_table.common.geometry import CELLS
from pi_table.common.language import Words, say
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import UNLIMITED, Number
from pi_table.games.rules.word_games.key import AGENT_OF, LAYOUTS
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.messages import TableMessage
from pi_table.screens.console import style
from pi_table.screens.console.choice_lists import (
    WITHOUT_END,
    letter_tiles,
    lines,
    number_tiles,
    over_choices,
    split,
)
from pi_table.screens.console.confirm import Confirm
from pi_table.screens.console.explanation import (
    EXPLAINED,
    draw_explanation,
    draw_notice,
    draw_question,
    explanation,
)
from pi_table.screens.console.game_records import Clues, TheClue
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model
from pi_table.screens.console.screen import name
from pi_table.screens.console.shapes import Face, Rect, Scene, Text
from pi_table.screens.console.symbols import sign
from pi_table.screens.console.word_games.clue_entry import Give, MendNumber, PickNumber, Word
from pi_table.screens.console.word_games.cover import Cover, team_to_cover
from pi_table.screens.console.word_games.game_menu import WhileLaying
from pi_table.screens.console.word_games.headline import Headline, head
from pi_table.screens.console.word_games.key_on_screen import visible_key
from pi_table.screens.console.word_games.lay_out import LayOut, to_lay
from pi_table.screens.console.word_games.referee_says import question_of, referee

_TITLE: Final = 34
_CARD: Final = 118
_SCORE: Final = 44
_CLUE: Final = 48
_HINT: Final = 48
_LOW_PANEL_UNITS: Final = 300
"""Units: the minimum height of a panel that has room for everything at once."""


def panel(model: Model, table: TableMessage, now: float) -> Scene:
    draw = _BODIES.get(type(model.screen))
    if draw is None:
        return _menu(model, table, now)
    return (*_head(model, table, now), *draw(model, table, model.screen))


def _head(model: Model, table: TableMessage, now: float) -> Scene:
    screen = model.screen
    if isinstance(screen, Word):
        typed = Headline(screen.team, screen.letters.upper() or say("The word…"))
        return head(model, table, now, typed)
    return head(model, table, now)


def _menu(model: Model, table: TableMessage, now: float) -> Scene:
    """Draw the headline, the score, the clue and the choices.

    A notice takes the place of the explanation. Without an explanation, the notice takes the place
    of the headline and the score. So the choices never move when a notice comes or goes.
    """
    public, box, head = table.public, model.layout.body, model.layout.head
    explained = explanation(model, visible_key(model))
    if isinstance(model.screen, WhileLaying):
        explained = None  # the page with the hands shows it already
    if box.h < _LOW_PANEL_UNITS and explained is not None:
        public = None  # the explanation needs the room
    above: Scene = ()
    if public is not None and public.placed is not UNSET:
        above = _next_card(box, public, len(public.placed))
        box = box.below(_CARD + style.MARGIN)
    elif explained is None or public is not None:
        above = () if public is None else _score(box, public)
        box = box.below(_SCORE + style.MARGIN)
    if model.notice is None or explained is not None:
        shapes = _head(model, table, now) + above
    else:
        shapes = draw_notice(head._replace(h=box.y - style.MARGIN - head.y), model.notice)
    if public is not None and public.clue is not None:
        shapes += _clue(box, public.clue.word, public.clue.number)
        box = box.below(_CLUE + style.MARGIN)
    if explained is not None:
        box, foot = split(box, EXPLAINED)
        if model.notice is None:
            shapes += draw_explanation(foot, explained)
        else:
            shapes += draw_notice(foot, model.notice)
    elif model.can_peek and visible_key(model) is None and _has_room_for_hint(model, box):
        box, foot = split(box, _HINT)
        hint = say("The key is hidden. PEEK shows it: only spymasters look.")
        shapes += (Text(*foot.inset(4), hint, style.SMALL, style.SOFT, "centre"),)
    return shapes + lines(box, model.choices, model.selected)


def _has_room_for_hint(model: Model, box: Box) -> bool:
    choices = len(model.choices) * (style.ROW + style.GAP) - style.GAP
    return box.h >= choices + style.MARGIN + _HINT


def _frame(box: Box) -> Rect:
    return Rect(*box, style.SURFACE, style.ACCENT, 2, style.RADIUS)


def _score(box: Box, public: PublicView) -> Scene:
    shapes: Scene = ()
    hostile = LAYOUTS[public.profile].hostile
    label = say("assets left") if hostile else say("to find")
    w = (box.w - style.GAP) / 2
    for place, team in enumerate(Team):
        x = box.x + place * (w + style.GAP)
        shapes += (
            Rect(x, box.y, w, _SCORE, style.SURFACE, radius=style.RADIUS),
            *sign(AGENT_OF[team], x + 22, box.y + _SCORE / 2, 11),
            Text(x + 42, box.y, 22, _SCORE, str(public.left.of(team)), 28, style.INK, "centre"),
            Text(x + 66, box.y, w - 70, _SCORE, label, style.SMALL, style.SOFT),
        )
    return shapes


def _next_card(box: Box, public: PublicView, laid: int) -> Scene:
    x, y, w = box.x, box.y, box.w
    count = LAYOUTS[public.profile].cards
    shapes: Scene = (Rect(x, y, w, _CARD, style.SURFACE, style.EDGE, 1, style.RADIUS),)
    if public.turn is not None:
        shapes += sign(AGENT_OF[public.turn], x + 24, y + 32, 11)
    card = public.next_word.upper() if public.next_word else say("One of your own")
    face = Face.NARROW if public.next_word else Face.BOLD
    lie = say("{laid} of {count} cards are laid", laid=laid, count=count)
    return (
        *shapes,
        Text(x + 44, y + 4, w - 54, 56, card, 34 if public.next_word else 24, style.INK, face=face),
        Text(x + 12, y + 62, w - 24, 26, say("Lay it, and touch its cell"), style.SMALL, style.INK),
        Text(x + 12, y + 89, w - 24, 26, lie, style.SMALL, style.SOFT),
    )


def _clue(box: Box, word: str | None, number: Number, h: float = _CLUE) -> Scene:
    x, y, w = box.x, box.y, box.w
    field = 52
    said = word.upper() if word else say("Clue as spoken")
    ink = style.INK if word else style.SOFT
    count = WITHOUT_END if number == UNLIMITED else str(number)
    word_place = Box(x + 12, y + 2, w - field - 20, h - 4)
    size = 26 if word else style.BODY
    return (
        Rect(x, y, w, h, style.SURFACE, style.EDGE, 1, style.RADIUS),
        Text(*word_place, said, size, ink),
        Rect(x + w - field, y, field, h, style.RAISED, style.EDGE, 1, style.RADIUS),
        Text(x + w - field, y, field, h, count, style.TITLE, style.INK, "centre", face=Face.BOLD),
    )


def _title(box: Box, words: Words, team: Team | None = None, h: float = _TITLE) -> Scene:
    shapes: Scene = ()
    left = box.x + 4
    if team is not None:
        shapes += sign(AGENT_OF[team], box.x + 14, box.y + h / 2 - 2, 10)
        left = box.x + 34
    place = Box(left, box.y, box.x + box.w - left, h - 4)
    text = Text(*place, words, style.BODY, style.INK, face=Face.BOLD)
    return (*shapes, text)


def _pick_number(model: Model, table: TableMessage, screen: PickNumber) -> Scene:
    words, h = say("For how many words?"), _TITLE
    if screen.word:
        words, h = say("{word}: how many?", word=screen.word.upper()), 2 * _TITLE - 14
    box = model.layout.body
    tiles = number_tiles(box.below(h), model.choices, model.selected)
    return _title(box, words, screen.team, h) + tiles


def _mend_number(model: Model, table: TableMessage, screen: MendNumber) -> Scene:
    box = model.layout.body
    title = _title(box, say("The right number is…"), screen.team)
    return title + number_tiles(box.below(_TITLE), model.choices, model.selected)


def _word(model: Model, table: TableMessage, screen: Word) -> Scene:
    return letter_tiles(model.layout.body, model.choices, model.selected)


def _give(model: Model, table: TableMessage, screen: Give) -> Scene:
    box = model.layout.body
    question = question_of(model)
    room = len(model.choices) * (style.ROW + style.GAP) + style.GAP
    if question is None:
        words = say("{team} will give:", team=name(screen.team))
        clue = _clue(box.below(_TITLE), screen.word, screen.number, 72)
        below = box.below(_TITLE + 72 + 2 * style.MARGIN)
        listed = lines(below, model.choices, model.selected)
        return _title(box, words, screen.team) + clue + listed
    clue = _clue(box, screen.word, screen.number)
    opinion, listed_in = split(box.below(_CLUE + style.GAP), room - style.MARGIN)
    says = referee(opinion, model, table, question)
    return (*clue, *says, *lines(listed_in, model.choices, model.selected))


def _lay_out(model: Model, table: TableMessage, screen: LayOut) -> Scene:
    cells = to_lay(table)
    if table.public is None or not cells:
        return ()
    cell = CELLS[cells[screen.at]]
    count = say("Card {place} of {count}", place=screen.at + 1, count=len(cells))
    word = table.public.cells[cell].word or ""
    body = model.layout.body
    card, choices = over_choices(body.below(_TITLE), 166, len(model.choices))
    name_h = 0.55 * card.h
    below = Box(card.x + 8, card.y + name_h, card.w - 16, card.h - name_h - 8)
    return (
        *_title(body, count),
        _frame(card),
        Text(card.x, card.y + 8, card.w, name_h - 8, cell, 84, style.ACCENT, "centre"),
        Text(*below, word.upper(), 38, style.INK, "centre", face=Face.NARROW),
        *lines(choices, model.choices, model.selected),
    )


def _confirm(model: Model, table: TableMessage, screen: Confirm) -> Scene:
    question, choices = over_choices(model.layout.body, 176, len(model.choices))
    asked = draw_question(question, screen.question)
    return (*asked, *lines(choices, model.choices, model.selected))


def _the_clue(model: Model, table: TableMessage, screen: TheClue) -> Scene:
    clue = None if table.public is None else table.public.clue
    if clue is None:
        return ()
    box = model.layout.body
    spelling, choices = over_choices(box.below(60), 108, len(model.choices))
    spelt = "   ".join(clue.word.upper()) if clue.word else say("It was only spoken: ask for it.")
    size = 26 if clue.word else style.BODY
    return (
        *_clue(box, clue.word, clue.number, 60),
        Text(*spelling.inset(8), spelt, size, style.INK, "centre"),
        *lines(choices, model.choices, model.selected),
    )


def _clues(model: Model, table: TableMessage, screen: Clues) -> Scene:
    box = model.layout.body
    listed = lines(box.below(_TITLE), model.choices, model.selected)
    return _title(box, clues_title(screen)) + listed


def clues_title(screen: Clues) -> Words:
    if screen.told is None:
        return say("Asking the table…")
    return say("Clues so far") if screen.told else say("No clue was given yet.")


def _cover(model: Model, table: TableMessage, screen: Cover) -> Scene:
    chosen = model.choices[model.selected].label if model.choices else ""
    team, box, h = screen.team, model.layout.body, 84
    if table.public is None or team_to_cover(table.public, team) is team:
        title = say("{team} covers one of its own", team=name(team))
    else:
        title = say("{team} covers one of {other}", team=name(team), other=name(team.other))
    cell = Box(box.x, box.y + 2 * _TITLE - 8, box.w, h)
    help = say("Turn to choose the cell, then press. Or tap it on the grid.")
    below = cell.y + h + style.MARGIN
    return (
        *_title(box, title, team, 2 * _TITLE - 12),
        _frame(cell),
        Text(*cell.inset(12), chosen, 30, style.INK, "centre"),
        Text(box.x + 4, below, box.w - 8, 104, help, style.BODY, style.SOFT, "centre"),
    )


_BODIES: Final[dict[type, Callable[[Model, TableMessage, Any], Scene]]] = {
    PickNumber: _pick_number,
    MendNumber: _mend_number,
    Word: _word,
    Give: _give,
    LayOut: _lay_out,
    Confirm: _confirm,
    TheClue: _the_clue,
    Clues: _clues,
    Cover: _cover,
}
