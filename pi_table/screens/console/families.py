"""The families of games for which the console has screens."""

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
"""The screens of each family, by the type of its messages. Before the first game, the table sends
the message of word games."""


def page_of_a_family(model: Model, table: AnyTableMessage, now: float) -> Scene | None:
    """Draw the topmost screen if it is a page of Codex; else return None.

    Such a page can be open during a game of another family, because nicknames are typed before the
    game of Codex begins.
    """
    return codex.draws_page(model, table, now)


def family_of(table: AnyTableMessage) -> FamilyOfScreens:
    return FAMILIES[type(table)]
