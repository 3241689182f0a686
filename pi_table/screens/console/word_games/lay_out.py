"""The screen that guides a person from cell to cell, to lay out the cards that the table dealt."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from pi_table.common.geometry import CELL_COUNT, CELLS
from pi_table.common.language import say
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.messages import AnyTableMessage, TableMessage
from pi_table.screens.console.screen import AnyScreen, Become, Choice, Go, Return, Screen, may


def hands_lie_open(table: AnyTableMessage) -> bool:
    """True if the teams lay out words from open hands now (DU-2). False during a pause."""
    public = table.public
    if not isinstance(public, PublicView) or public.hands is UNSET:
        return False
    return public.outcome is None and not public.paused


class LayOut(Screen[TableMessage], frozen=True, kw_only=True):
    """The screen that shows each card and its cell, one card after the other. It is for a person
    who is not a spymaster."""

    at: int = 0
    """The index of the shown card in the result of `to_lay`."""

    hides_key: ClassVar[bool] = True

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        is_last = self.at == len(to_lay(table)) - 1
        if is_last:
            go_on = Choice(say("All cards are laid"), Return())
        else:
            go_on = Choice(say("Next card"), Become(LayOut(at=self.at + 1)))
        if not self.at:
            return (go_on,)
        back = LayOut(at=self.at - 1, selected=1 if self.at > 1 else 0)
        return (go_on, Choice(say("One card back"), Become(back)))

    def possible(self, table: TableMessage) -> bool:
        return bool(to_lay(table))

    def behind(self, below: AnyScreen) -> AnyScreen:
        """Return the screen below with its first choice selected, because the first clue is given
        next."""
        return replace(below, selected=0)


def lay_out(table: TableMessage) -> Iterator[Choice]:
    if to_lay(table):
        yield Choice(say("Lay out the cards"), Go(LayOut()))


def to_lay(table: TableMessage) -> tuple[int, ...]:
    """Return the cells whose cards must be laid out, in the order in which the spymasters read
    them.

    The result is empty after the first clue, if only the players know the words, or if the teams
    lay the cards themselves.
    """
    public, settings = table.public, table.settings
    # The act new-key is possible only before the first clue. No other field shows whether a clue
    # was given.
    if public is None or not may(table, Seat.OPERATOR, "new-key"):
        return ()
    if settings is None or settings.dealing != "table":
        return ()
    return tuple(cell for cell in reversed(range(CELL_COUNT)) if public.cells[CELLS[cell]].word)
