"""What the operator can do in every game."""

from collections.abc import Iterator

from pi_table.console.acts import by_operator
from pi_table.console.confirm import confirmed
from pi_table.console.game_records import Records
from pi_table.console.screen import Ask, Choice, Explain, Go, Help, NewGame, Speak, may
from pi_table.ipc.messages import AnyTableMessage
from pi_table.language import LANGUAGES, say
from pi_table.rules.seat import Seat


def go_on(table: AnyTableMessage) -> Iterator[Choice]:
    """The choice to go on after a pause."""
    if may(table, Seat.OPERATOR, "resume"):
        yield Choice(say("Go on with the game"), Ask(by_operator("resume")))


def another_game(table: AnyTableMessage) -> Iterator[Choice]:
    """The choice of another game and its settings."""
    if may(table, Seat.OPERATOR, "start"):
        label = say("New game") if table.public is None else say("Another game…")
        yield Choice(label, NewGame())


def rules() -> Iterator[Choice]:
    """The choice to read how the game is played; by touch that is a button on every screen."""
    yield Choice(say("How to play"), Help())


def explanations(table: AnyTableMessage) -> Iterator[Choice]:
    """The choice to have each phase explained no longer, in a game that explains itself."""
    if table.settings is not None and table.settings.explain:
        yield Choice(say("Explanations on or off"), Explain())


def pause(table: AnyTableMessage) -> Iterator[Choice]:
    if may(table, Seat.OPERATOR, "pause"):
        yield Choice(say("Pause"), Ask(by_operator("pause")))


def records(table: AnyTableMessage) -> Iterator[Choice]:
    """The choice to read the games that were played."""
    if may(table, Seat.OPERATOR, "record"):
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
