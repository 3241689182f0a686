"""The right side of the screen: how the game stands, and what can be done about it."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from pi_table.console import style
from pi_table.console.choice_lists import Box, letter_tiles, lines, number_tiles
from pi_table.console.confirm import Confirm
from pi_table.console.explanation import EXPLAINED, drawn_explanation, explanation
from pi_table.console.game_records import Clues, TheClue
from pi_table.console.model import Model
from pi_table.console.screen import name
from pi_table.console.shapes import Rect, Scene, Text
from pi_table.console.symbols import AGENT, sign
from pi_table.console.word_games.clue_entry import Give, MendNumber, PickNumber, Word
from pi_table.console.word_games.cover import Cover, covered_team
from pi_table.console.word_games.game_menu import Home, More
from pi_table.console.word_games.headline import head
from pi_table.console.word_games.key_on_screen import visible_key
from pi_table.console.word_games.lay_out import LayOut, to_lay
from pi_table.console.word_games.referee_says import question_of, referee
from pi_table.geometry import CELLS
from pi_table.ipc.messages import TableMessage
from pi_table.language import Words, say
from pi_table.rules.team import Team
from pi_table.rules.word_games.board import UNLIMITED, Number
from pi_table.rules.word_games.key import LAYOUTS
from pi_table.rules.word_games.views import PublicView

X: Final = style.PANEL_X
W: Final = style.PANEL_WIDTH
BODY: Final = Box(
    X,
    style.MARGIN + style.HEAD_HEIGHT + style.MARGIN,
    W,
    style.FOOT_Y - 3 * style.MARGIN - style.HEAD_HEIGHT,
)
_TITLE: Final = 34
_CARD: Final = 122
"""The height of the card that is laid next, in pixels."""


def panel(model: Model, table: TableMessage, now: float) -> Scene:
    """The head, and below it what the screen on top has to show."""
    draw = _BODIES.get(type(model.screen), _menu)
    return (*head(model, table, now), *draw(model, table, model.screen))


def _menu(model: Model, table: TableMessage, screen: Any) -> Scene:
    """How the game stands, and a menu."""
    public = table.public
    shapes: Scene = ()
    top = BODY.y
    if public is not None and public.placed is not UNSET:
        shapes = _next_card(public, len(public.placed))
        top += _CARD + style.MARGIN
    elif public is not None:
        shapes = _score(public)
        top += 44 + style.MARGIN
    if public is not None and public.clue is not None:
        shapes += _clue(top, public.clue.word, public.clue.number)
        top += 48 + style.MARGIN
    bottom = BODY.y + BODY.h
    if model.notice is not None:
        bottom -= 92
        shapes += _notice(bottom + style.MARGIN, model.notice)
    elif (explained := explanation(model, visible_key(model))) is not None:
        bottom -= EXPLAINED + style.MARGIN
        shapes += drawn_explanation(Box(X, bottom + style.MARGIN, W, EXPLAINED), explained)
    elif model.can_peek and visible_key(model) is None:
        bottom -= 44
        hint = say("The key is hidden. PEEK shows it: only spymasters look.")
        shapes += (
            Text(X + 8, bottom + 4, W - 16, 40, hint, style.SMALL, style.SOFT, "centre", 14),
        )
    return shapes + _listed(model, Box(X, top, W, bottom - top))


def _listed(model: Model, box: Box) -> Scene:
    return lines(box, model.choices, model.selected)


def _notice(y: float, sentence: Words) -> Scene:
    return (
        Rect(X, y, W, 84, style.GROUND, style.ACCENT, 2, style.RADIUS),
        Text(X + 12, y + 6, W - 24, 72, sentence, style.BODY, style.INK, least=14),
    )


def _score(public: PublicView) -> Scene:
    """How many agents each team has still to find (CN-22)."""
    shapes: Scene = ()
    hostile = LAYOUTS[public.profile].hostile
    label = say("assets left") if hostile else say("to find")
    w = (W - style.GAP) / 2
    for place, team in enumerate(Team):
        x = X + place * (w + style.GAP)
        shapes += (
            Rect(x, BODY.y, w, 44, style.SURFACE, radius=style.RADIUS),
            *sign(AGENT[team], x + 26, BODY.y + 22, 11),
            Text(x + 46, BODY.y, 24, 44, str(public.left.of(team)), 28, style.INK),
            Text(x + 70, BODY.y, w - 76, 44, label, style.SMALL, style.SOFT, least=14),
        )
    return shapes


def _next_card(public: PublicView, laid: int) -> Scene:
    """The card that is laid next, and how many lie (DU-2)."""
    count = LAYOUTS[public.profile].cards
    shapes: Scene = (Rect(X, BODY.y, W, _CARD, style.SURFACE, style.EDGE, 1, style.RADIUS),)
    if public.turn is not None:
        shapes += sign(AGENT[public.turn], X + 26, BODY.y + 37, 11)
    card = public.next_word.upper() if public.next_word else say("One of your own")
    lie = say("{laid} of {count} cards are laid", laid=laid, count=count)
    touch = say("Lay it, and touch its cell")
    return (
        *shapes,
        Text(X + 48, BODY.y + 8, W - 60, 58, card, 34 if public.next_word else 24, style.INK),
        Text(X + 12, BODY.y + 68, W - 24, 24, touch, style.SMALL, style.SOFT, least=14),
        Text(X + 12, BODY.y + 92, W - 24, 24, lie, style.SMALL, style.SOFT, least=14),
    )


def _clue(y: float, word: str | None, number: Number, h: float = 48) -> Scene:
    """A clue: its word, and its number in a field of its own."""
    no_limit = number == UNLIMITED
    field = 84 if no_limit else 56
    said = word.upper() if word else say("Clue as spoken")
    ink = style.INK if word else style.SOFT
    count = say("no limit") if no_limit else str(number)
    return (
        Rect(X, y, W, h, style.SURFACE, style.EDGE, 1, style.RADIUS),
        Text(X + 12, y + 3, W - field - 24, h - 6, said, 26 if word else style.BODY, ink, least=14),
        Rect(X + W - field, y, field, h, style.EDGE, radius=style.RADIUS),
        Text(
            X + W - field, y, field, h, count, style.SMALL if no_limit else 28, style.INK, "centre"
        ),
    )


def _below(h: float) -> Box:
    """The body without its uppermost ``h`` pixels."""
    return Box(BODY.x, BODY.y + h, BODY.w, BODY.h - h)


def _titled(words: Words, team: Team | None = None, h: float = _TITLE) -> Scene:
    shapes: Scene = ()
    left: float = X + 4
    if team is not None:
        shapes += sign(AGENT[team], X + 14, BODY.y + h / 2 - 2, 9)
        left = X + 34
    text = Text(left, BODY.y, X + W - left, h - 4, words, style.BODY, style.INK, least=14)
    return (*shapes, text)


def _pick_number(model: Model, table: TableMessage, screen: PickNumber) -> Scene:
    words, h = say("For how many words?"), _TITLE
    if screen.word:
        words, h = say("{word}: how many?", word=screen.word.upper()), 2 * _TITLE - 12
    tiles = number_tiles(_below(h), model.choices, model.selected)
    return _titled(words, screen.team, h) + tiles


def _mend_number(model: Model, table: TableMessage, screen: MendNumber) -> Scene:
    title = _titled(say("The right number is…"), screen.team)
    return title + number_tiles(_below(_TITLE), model.choices, model.selected)


def _word(model: Model, table: TableMessage, screen: Word) -> Scene:
    said = screen.letters.upper() or say("The word…")
    ink = style.INK if screen.letters else style.SOFT
    field = (
        Rect(X, BODY.y, W, 54, style.SURFACE, style.EDGE, 1, style.RADIUS),
        *sign(AGENT[screen.team], X + 22, BODY.y + 27, 9),
        Text(X + 42, BODY.y + 3, W - 54, 48, said, 26, ink, least=14),
    )
    return field + letter_tiles(_below(62), model.choices, model.selected)


def _give(model: Model, table: TableMessage, screen: Give) -> Scene:
    """The clue, and what the referee says of it where it is asked."""
    words = say("{team} will give:", team=name(screen.team))
    question = question_of(model)
    if question is None:
        clue = _clue(BODY.y + _TITLE, screen.word, screen.number, 72)
        below = _below(_TITLE + 72 + 2 * style.MARGIN)
        return _titled(words, screen.team) + clue + _listed(model, below)
    clue = _clue(BODY.y + 28, screen.word, screen.number, 50)
    says = referee(Box(X, BODY.y + 84, W, 162), model, table, question)
    return (*_titled(words, screen.team, 28), *clue, *says, *_listed(model, _below(252)))


def _lay_out(model: Model, table: TableMessage, screen: LayOut) -> Scene:
    cells = to_lay(table)
    if table.public is None or not cells:
        return ()
    cell = CELLS[cells[screen.at]]
    count = say("Card {place} of {count}", place=screen.at + 1, count=len(cells))
    word = table.public.cells[cell].word or ""
    h = 176
    y = BODY.y + _TITLE
    return (
        *_titled(count),
        Rect(X, y, W, h, style.SURFACE, style.ACCENT, 2, style.RADIUS),
        Text(X + 12, y + 10, W - 24, 92, cell, 88, style.ACCENT, "centre"),
        Text(X + 10, y + 108, W - 20, 58, word.upper(), 38, style.INK, "centre", least=20),
        *_listed(model, _below(_TITLE + h + style.MARGIN)),
    )


def _confirm(model: Model, table: TableMessage, screen: Confirm) -> Scene:
    h = 152
    question = Text(X + 14, BODY.y + 8, W - 28, h - 16, screen.question, 22, style.INK, least=17)
    shapes: Scene = (Rect(X, BODY.y, W, h, style.SURFACE, style.ACCENT, 2, style.RADIUS), question)
    return shapes + _listed(model, _below(h + style.MARGIN))


def _the_clue(model: Model, table: TableMessage, screen: TheClue) -> Scene:
    clue = None if table.public is None else table.public.clue
    if clue is None:
        return ()
    h = 168
    spelt = "   ".join(clue.word.upper()) if clue.word else say("It was only spoken: ask for it.")
    size = 26 if clue.word else style.BODY
    return (
        *_clue(BODY.y, clue.word, clue.number, 60),
        Text(X + 12, BODY.y + 64, W - 24, h - 64, spelt, size, style.INK, "centre"),
        *_listed(model, _below(h + style.MARGIN)),
    )


def _clues(model: Model, table: TableMessage, screen: Clues) -> Scene:
    return _titled(said_so_far(screen)) + _listed(model, _below(_TITLE))


def said_so_far(screen: Clues) -> Words:
    if screen.told is None:
        return say("Asking the table…")
    return say("Clues so far") if screen.told else say("No clue was given yet.")


def _cover(model: Model, table: TableMessage, screen: Cover) -> Scene:
    chosen = model.choices[model.selected].label if model.choices else ""
    team, h = screen.team, 84
    if table.public is None or covered_team(table.public, team) is team:
        title = say("{team} covers one of its own", team=name(team))
    else:
        title = say("{team} covers one of {other}", team=name(team), other=name(team.other))
    return (
        *_titled(title, team),
        Rect(X, BODY.y + _TITLE, W, h, style.SURFACE, style.ACCENT, 2, style.RADIUS),
        Text(X + 12, BODY.y + _TITLE, W - 24, h, chosen, 30, style.INK, "centre"),
        Text(
            X + 8,
            BODY.y + _TITLE + h + style.MARGIN,
            W - 16,
            88,
            say("Turn to choose the cell, then press. Or tap it on the grid."),
            style.BODY,
            style.SOFT,
            "centre",
        ),
    )


_BODIES: Final[dict[type, Callable[[Model, TableMessage, Any], Scene]]] = {
    Home: _menu,
    More: _menu,
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
