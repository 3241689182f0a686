"""The families of games that the console shows: the one table of them."""

from typing import Final

from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage, TableMessage
from pi_table.screens.console.codex import family as codex
from pi_table.screens.console.model import FamilyOfScreens, Model
from pi_table.screens.console.shapes import Scene
from pi_table.screens.console.word_games import family as word_games

FAMILIES: Final[dict[type[AnyTableMessage], FamilyOfScreens]] = {
    TableMessage: word_games,
    CodexMessage: codex,
}
"""Each family, by the type of its message for the console. A table before its first game is shown
as one of word games."""


def page_of_a_family(model: Model, table: AnyTableMessage, now: float) -> Scene | None:
    """The screen on top, if it is a page of one family that is filled in before the game, and so is
    seen whatever is played; None if it is not."""
    return codex.draws_page(model, table, now)


def family_of(table: AnyTableMessage) -> FamilyOfScreens:
    """The family of the game that is played at a table."""
    return FAMILIES[type(table)]
