"""Choices that the menus of all games have."""

from collections.abc import Iterable, Iterator

from pi_table.common.language import LANGUAGES, say
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console.acts import by_operator
from pi_table.screens.console.game_records import Record, Records, Tonight
from pi_table.screens.console.keepers_acts import abandon_taken_back, keepers_acts
from pi_table.screens.console.operator_page import OperatorPage
from pi_table.screens.console.screen import (
    Ask,
    Choice,
    Explain,
    Go,
    Help,
    NewGame,
    Speak,
    can_begin,
    may,
)


def go_on(table: AnyTableMessage) -> Iterator[Choice]:
    if may(table, Seat.OPERATOR, "resume"):
        yield Choice(say("Go on with the game"), Ask(by_operator("resume")))


def another_game(table: AnyTableMessage) -> Iterator[Choice]:
    if table.public is not None and can_begin(table):
        yield Choice(say("New game…"), NewGame())


def is_played(table: AnyTableMessage) -> bool:
    """True if a game is in progress or paused."""
    return table.public is not None and table.public.outcome is None


def between_games(table: AnyTableMessage) -> Iterator[Choice]:
    if not is_played(table):
        yield from another_game(table)
        yield from abandon_taken_back(table)
        yield from _this_evening(table)
        yield Choice(say("How to play"), Help())


def seldom(table: AnyTableMessage, of_the_game: Iterable[Choice]) -> Iterator[Choice]:
    """Yield the choices that people rarely need: those that all games have and, among them, those
    of the current game (``of_the_game``)."""
    if may(table, Seat.OPERATOR, "pause"):
        yield Choice(say("Pause"), Ask(by_operator("pause")))
    if is_played(table):
        yield Choice(say("How to play"), Help())
    if table.settings is not None and table.settings.explain:
        yield Choice(say("Explanations on or off"), Explain())
    yield from of_the_game
    yield from _games_played(table)
    yield from keepers_acts(table, "abandon")
    yield Choice(say("Operator…"), Go(OperatorPage()))
    # Each language has its own name: people who look for theirs may not read the current one.
    yield Choice(" · ".join(LANGUAGES.values()), Speak())


def _this_evening(table: AnyTableMessage) -> Iterator[Choice]:
    over = table.public is not None and not is_played(table)
    if over and may(table, Seat.OPERATOR, "record"):
        story = Go(Record(), by_operator("record", game=table.game))
        yield Choice(say("The story of this game"), story)
        yield Choice(say("Tonight"), Go(Tonight(), by_operator("tally")))


def _games_played(table: AnyTableMessage) -> Iterator[Choice]:
    played = 1 if is_played(table) else 0
    if table.game is not None and table.game > played and may(table, Seat.OPERATOR, "record"):
        yield Choice(say("Games played"), Go(Records(), by_operator("record")))
