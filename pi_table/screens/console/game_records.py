"""Screens that people only read: clues, records, and the table's faults."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pi_table.common.language import Say, Words, say
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.profile import profile_named
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import UNLIMITED
from pi_table.protocols.ipc import records
from pi_table.protocols.ipc.messages import AnyTableMessage, TableMessage
from pi_table.screens.console.acts import by_operator
from pi_table.screens.console.keepers_acts import keepers_acts
from pi_table.screens.console.screen import (
    AnswerScreen,
    Ask,
    Choice,
    Go,
    ListScreen,
    Return,
    Screen,
    may,
    name,
)


def clues_so_far(table: TableMessage) -> Iterator[Choice]:
    if may(table, Seat.OPERATOR, "clues"):
        yield Choice(say("Clues so far"), Go(Clues(), by_operator("clues")))


class TheClue(Screen[TableMessage], frozen=True):
    """The screen that shows the current clue again, as it is spelled (CN-25)."""

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return (*clues_so_far(table), Choice(say("Back to the game"), Return()))

    def possible(self, table: TableMessage) -> bool:
        return table.public is not None and table.public.clue is not None


class Clues(AnswerScreen[TableMessage], frozen=True):
    told: tuple[records.GivenClue, ...] | None = None

    kind: ClassVar[Any] = tuple[records.GivenClue, ...]

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                clue.word.upper() if clue.word else say("only spoken"),
                team=clue.team,
                value=say("no limit") if clue.number == UNLIMITED else str(clue.number),
            )
            for clue in reversed(self.told or ())
        )


class Records(
    AnswerScreen[AnyTableMessage], ListScreen[AnyTableMessage], frozen=True, kw_only=True
):
    told: tuple[records.Summary, ...] | None = None

    kind: ClassVar[Any] = tuple[records.Summary, ...]
    heading = say("Games played")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                say("Game {number}, {begun}", number=game.number, begun=day_and_time(game.begun)),
                Go(Record(), by_operator("record", game=game.number)),
                team=game.outcome.winner if game.outcome else None,
                value=_result(game.outcome),
            )
            for game in self.told or ()
        )

    def beside(self, table: AnyTableMessage) -> Words:
        if self.told is None:
            return say("Asking the table…")
        return "" if self.told else say("None yet")

    def possible(self, table: AnyTableMessage) -> bool:
        return may(table, Seat.OPERATOR, "record")


class Record(AnswerScreen[AnyTableMessage], ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    told: records.Record | None = None

    kind: ClassVar[Any] = records.Record
    is_read: ClassVar[bool] = True

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        lines = self.told.lines if self.told is not None else ()
        return tuple(
            Choice(
                f"· {line.text}" if line.under else line.text,
                value=f"{int(line.at) // 60}:{int(line.at) % 60:02}",
            )
            for line in lines
        )

    def title(self, table: AnyTableMessage) -> Words:
        if self.told is None:
            return say("Asking the table…")
        return say("Game {number}", number=self.told.number)

    def beside(self, table: AnyTableMessage) -> Words:
        return "" if self.told is None else day_and_time(self.told.begun)

    def possible(self, table: AnyTableMessage) -> bool:
        return may(table, Seat.OPERATOR, "record")


class Tonight(
    AnswerScreen[AnyTableMessage], ListScreen[AnyTableMessage], frozen=True, kw_only=True
):
    """The screen with the results of this evening, in total and by game."""

    told: records.Tally | None = None

    kind: ClassVar[Any] = records.Tally
    heading = say("Tonight")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        if self.told is None or not self.told.won:
            return ()
        lines = [Choice(say("All games"), value=_score(self.told.red, self.told.blue))]
        for won in self.told.won:
            title = Say(profile_named(won.profile).title)
            lines.append(Choice(title, value=_score(won.red, won.blue)))
        return tuple(lines)

    def beside(self, table: AnyTableMessage) -> Words:
        if self.told is None:
            return say("Asking the table…")
        return say("No game is over yet") if not self.told.won else ""


def _score(red: int, blue: int) -> Words:
    return say(
        "{red} {count} · {blue} {other}",
        red=name(Team.RED),
        count=red,
        blue=name(Team.BLUE),
        other=blue,
    )


class Faults(Screen[AnyTableMessage], frozen=True):
    has_grid: ClassVar[bool] = False

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        again = Choice(say("Try again"), Ask(by_operator("try-again")))
        can_try = may(table, Seat.OPERATOR, "try-again")
        return (
            *((again,) if can_try else ()),
            *keepers_acts(table, "set-aside"),
            Choice(say("Go on for now"), Return()),
        )

    def possible(self, table: AnyTableMessage) -> bool:
        return bool(table.faults)


def day_and_time(begun: str) -> str:
    """Return day and time of an ISO 8601 text, as ``2026-11-21 20:15``."""
    return begun[:16].replace("T", " ")


def _result(outcome: Outcome | None) -> Words:
    if outcome is None:
        return say("Not finished")
    if outcome.winner is None:
        return say("Nobody won")
    return say("{team} won", team=name(outcome.winner))
