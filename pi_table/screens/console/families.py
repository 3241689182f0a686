"""The table of game families that the console supports."""

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
"""Each family, by its console message. Before the first game, a table is shown as word games."""


def page_of_a_family(model: Model, table: AnyTableMessage, now: float) -> Scene | None:
    """Draw the screen on top if a family shows it before its game begins; else return None. Such a
    page can be open while any game is on the table."""
    return codex.draws_page(model, table, now)


def family_of(table: AnyTableMessage) -> FamilyOfScreens:
    return FAMILIES[type(table)]
