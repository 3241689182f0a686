"""What the operator can do in every game."""

from collections.abc import Iterator

from pi_table.console.acts import by_operator
from pi_table.console.confirm import confirmed
from pi_table.console.game_records import Record, Records, Tonight
from pi_table.console.operator_page import OperatorPage
from pi_table.console.screen import (
    Ask,
    Choice,
    Explain,
    Go,
    Help,
    NewGame,
    Play,
    Speak,
    can_begin,
    may,
)
from pi_table.ipc.messages import AnyTableMessage
from pi_table.language import LANGUAGES, Say, say
from pi_table.rules.profile import PROFILES
from pi_table.rules.seat import Seat


def go_on(table: AnyTableMessage) -> Iterator[Choice]:
    """The choice to go on after a pause."""
    if may(table, Seat.OPERATOR, "resume"):
        yield Choice(say("Go on with the game"), Ask(by_operator("resume")))


def another_game(table: AnyTableMessage) -> Iterator[Choice]:
    """The choices of another game and its settings; the first of a table's games begins at once."""
    if table.public is None and may(table, Seat.OPERATOR, "start"):
        first = next(iter(PROFILES.values()))
        yield Choice(say("Play: {game}", game=Say(first.title)), Play())
        yield Choice(say("Choose a game…"), NewGame())
    elif can_begin(table):
        yield Choice(say("New game…"), NewGame())


def this_evening(table: AnyTableMessage) -> Iterator[Choice]:
    """The choices to read the story of the game that is over, and what was won this evening."""
    public = table.public
    over = public is not None and public.outcome is not None
    if over and may(table, Seat.OPERATOR, "record"):
        story = Go(Record(), by_operator("record", game=table.game))
        yield Choice(say("The story of this game"), story)
        yield Choice(say("Tonight"), Go(Tonight(), by_operator("tally")))


def rules() -> Iterator[Choice]:
    """The choice to read how the game is played; by touch that is a button on every screen."""
    yield Choice(say("How to play"), Help())


def explanations(table: AnyTableMessage) -> Iterator[Choice]:
    """The choice to have each phase explained no longer, in a game that explains itself."""
    if table.settings is not None and table.settings.explain:
        yield Choice(say("Explanations on or off"), Explain())


def operators_page() -> Iterator[Choice]:
    """The choice of the operator's page, which is behind a PIN where one is set."""
    yield Choice(say("Operator…"), Go(OperatorPage()))


def pause(table: AnyTableMessage) -> Iterator[Choice]:
    if may(table, Seat.OPERATOR, "pause"):
        yield Choice(say("Pause"), Ask(by_operator("pause")))


def records(table: AnyTableMessage) -> Iterator[Choice]:
    """The choice to read the games that were played, once one is over."""
    first = 1 if table.public is None or table.public.outcome is None else 0
    if table.game is not None and table.game > first and may(table, Seat.OPERATOR, "record"):
        yield Choice(say("Games played"), Go(Records(), by_operator("record")))


def abandon(table: AnyTableMessage) -> Iterator[Choice]:
    yield from confirmed(
        table,
        say("Abandon the game"),
        by_operator("abandon"),
        say("Abandon this game? It ends at once, and nobody wins."),
        say("Yes, abandon it"),
        wary=True,
    )


def languages() -> Iterator[Choice]:
    """The choice of another language, in that language's own words: who looks for it may not read
    the other one."""
    yield Choice(" · ".join(LANGUAGES.values()), Speak())
