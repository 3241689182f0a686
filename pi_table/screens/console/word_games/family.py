"""The word games' functions for the console. `FamilyOfScreens` documents each of them."""

from pi_table.common.language import Words, say
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.messages import AnyTableMessage, TableMessage
from pi_table.screens.console.acts import spymaster
from pi_table.screens.console.model import Model
from pi_table.screens.console.screen import AnyScreen
from pi_table.screens.console.shapes import Scene
from pi_table.screens.console.word_games.cover import Cover
from pi_table.screens.console.word_games.drawn_hands import hands_page
from pi_table.screens.console.word_games.game_menu import Home, Welcome, welcomes
from pi_table.screens.console.word_games.grid import Pick, grid
from pi_table.screens.console.word_games.hands import Hands
from pi_table.screens.console.word_games.key_on_screen import can_peek, visible_key
from pi_table.screens.console.word_games.lay_out import LayOut, hands_lie_open, to_lay
from pi_table.screens.console.word_games.panel import panel
from pi_table.screens.console.word_games.referee_says import language_to_prepare
from pi_table.screens.console.word_games.referee_says import question_of as question

__all__ = [
    "PEEKS_WHILE_HELD",
    "another_visit",
    "body",
    "can_peek",
    "home",
    "language_to_prepare",
    "peek_label",
    "peeking_seat",
    "question",
    "same_secrets",
    "visible",
]
PEEKS_WHILE_HELD = False


def home(table: TableMessage) -> AnyScreen:
    if welcomes(table):
        return Welcome()
    return Hands().anew(table) if hands_lie_open(table) else Home()


def visible(table: TableMessage, peeking: bool) -> TableMessage:
    """Return the whole message. `visible_key` decides later whether the key is shown."""
    return table


def peeking_seat(table: TableMessage) -> Seat | None:
    return next((seat for seat in map(spymaster, Team) if seat.value in table.may), None)


def same_secrets(old: AnyTableMessage | None, table: TableMessage) -> bool:
    """True if both messages have the same key: no new key was drawn between them."""
    return _new_keys(old) == _new_keys(table)


def _new_keys(table: AnyTableMessage | None) -> int:
    return table.public.new_keys if isinstance(table, TableMessage) and table.public else 0


def another_visit(old: AnyTableMessage | None, table: TableMessage) -> bool:
    """True if ``old`` is a message of Codex with an agent's visit. A word game has no visits, so it
    has ended."""
    return getattr(old, "door", None) is not None


def peek_label(model: Model) -> Words:
    return say("PEEK: hide key") if model.peeking else say("PEEK: show key")


def body(model: Model, table: TableMessage, now: float) -> Scene | None:
    if isinstance(model.screen, Hands):
        return hands_page(model, table, model.screen)
    if not model.screen.has_grid:
        return None
    return _grid(model, table) + panel(model, table, now)


def _grid(model: Model, table: TableMessage) -> Scene:
    key = visible_key(model)
    for screen in model.screens:
        if isinstance(screen, Cover):
            return grid(
                model.layout, table.public, key, _picks(screen, table, screen is model.screen)
            )
        if isinstance(screen, LayOut):
            return grid(model.layout, table.public, key, _laid_cards(screen, table))
    return grid(model.layout, table.public, key)


def _picks(cover: Cover, table: TableMessage, can_be_tapped: bool) -> dict[int, Pick]:
    return {
        choice.cell: Pick(place == cover.selected, choice if can_be_tapped else None)
        for place, choice in enumerate(cover.choices(table))
        if choice.cell is not None
    }


def _laid_cards(screen: LayOut, table: TableMessage) -> dict[int, Pick]:
    """Return the cells of the cards laid so far, and the cell of the next card, which is
    selected."""
    cells = to_lay(table)[: screen.at + 1]
    return {cell: Pick(cell == cells[-1]) for cell in cells}
