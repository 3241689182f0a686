"""The menus of a word game: the acts that are possible now, each for the seat that may do it.

The table decides which acts are possible. This module has the labels of the acts, and the
questions that are asked before acts that cannot be undone.
"""

from collections.abc import Iterator
from typing import ClassVar

from msgspec import UNSET

from pi_table.common.language import say
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.messages import AnyTableMessage, TableMessage
from pi_table.screens.console.acts import act, by_operator, operatives, spymaster
from pi_table.screens.console.confirm import confirm_choice
from pi_table.screens.console.game_records import Faults, TheClue, clues_so_far
from pi_table.screens.console.games_on_offer import Games
from pi_table.screens.console.keepers_acts import is_abandoned, keepers_acts
from pi_table.screens.console.operator_menu import (
    another_game,
    between_games,
    go_on,
    is_played,
    seldom,
)
from pi_table.screens.console.phones import phones_first, phones_later, seats_with_phone
from pi_table.screens.console.screen import Ask, Choice, Go, Screen, may, name
from pi_table.screens.console.word_games.clue_entry import (
    MendNumber,
    PickNumber,
    clue_text,
    number_can_be_mended,
)
from pi_table.screens.console.word_games.cover import Cover
from pi_table.screens.console.word_games.lay_out import hands_lie_open, lay_out


class Welcome(Games, frozen=True):
    """The main menu before the first game: the games, and beside them a QR code for phones."""

    begins_anew: ClassVar[bool] = True
    is_read: ClassVar[bool] = False
    heading = say("Would you like to play?")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        assert isinstance(table, TableMessage)
        return (*super().choices(table), *_home(table))

    def possible(self, table: AnyTableMessage) -> bool:
        return isinstance(table, TableMessage) and welcomes(table)


def welcomes(table: TableMessage) -> bool:
    """True if there was no game yet and a game may begin."""
    return table.public is None and may(table, Seat.OPERATOR, "start")


class Home(Screen[TableMessage], frozen=True):
    """The main menu of a game. The choices that people need most often come first."""

    begins_anew: ClassVar[bool] = True

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return tuple(_home(table))

    def possible(self, table: AnyTableMessage) -> bool:
        if not isinstance(table, TableMessage) or welcomes(table):
            return False
        return not hands_lie_open(table)


class WhileLaying(Home, frozen=True):
    """The main menu, with the grid, while the teams lay cards from open hands."""

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return (*_take_back_card(table), *super().choices(table))

    def possible(self, table: AnyTableMessage) -> bool:
        return hands_lie_open(table)


class More(Screen[TableMessage], frozen=True):
    begins_anew: ClassVar[bool] = True

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return tuple(seldom(table, _seldom(table)))


def _seldom(table: TableMessage) -> Iterator[Choice]:
    yield from phones_later(table)
    if table.pages is not None:
        yield from lay_out(table)
    yield from _corrections(table)


def _home(table: TableMessage) -> Iterator[Choice]:
    public = table.public
    yield from go_on(table)
    for team in Team:
        yield from _spymaster(table, team)
    yield from phones_first(table)
    if table.pages is None:  # with pages, the words are on the board
        yield from lay_out(table)
    yield from _next_game(table)
    yield from between_games(table)
    if public is not None and public.clue is not None:
        yield Choice(say("The clue again"), Go(TheClue()))
    if may(table, Seat.OPERATOR, "hourglass"):
        yield Choice(say("Turn the hourglass"), Ask(by_operator("hourglass")))
    for team in Team:
        yield from _challenge(table, team)
    if public is not None and public.clue is None:
        yield from clues_so_far(table)
    if table.faults:
        yield Choice(say("What is wrong?"), Go(Faults()))
    yield from _take_back_guess(table)
    if is_played(table):
        yield from another_game(table)
    yield Choice(say("More…"), Go(More()))


def _spymaster(table: TableMessage, team: Team) -> Iterator[Choice]:
    seat, who, other = spymaster(team), name(team), name(team.other)
    if may(table, seat, "clue"):
        yield Choice(say("{team} gives the clue", team=who), Go(PickNumber(team)), team)
    if may(table, seat, "cover"):
        yield Choice(say("{team} covers a cell", team=who), Go(Cover(team)), team)
    yield from confirm_choice(
        table,
        say("{team} covers none", team=who),
        act(seat, "decline"),
        say("{team} covers none, and takes no penalty?", team=who),
        say("Yes, cover none"),
        team,
    )
    yield from confirm_choice(
        table,
        say("{team} allows the clue", team=who),
        act(seat, "allow"),
        say("Allow {other}’s clue? {other} goes on guessing.", other=other),
        say("Yes, allow it"),
        team,
    )
    if table.settings is not None and table.settings.penalty:
        invalid = say(
            "Is {other}’s clue invalid? {other}’s turn ends at once, and {team} may cover a cell.",
            other=other,
            team=who,
        )
    else:
        invalid = say("Is {other}’s clue invalid? {other}’s turn ends at once.", other=other)
    yield from confirm_choice(
        table,
        say("{team}: it is invalid", team=who),
        act(seat, "uphold"),
        invalid,
        say("Yes, it is invalid"),
        team,
    )
    yield from confirm_choice(
        table,
        say("{team} ends its turn", team=who),
        act(operatives(team), "stop"),
        say("End {team}’s turn? {other} gives the next clue.", team=who, other=other),
        say("Yes, end the turn"),
        team,
    )


def _challenge(table: TableMessage, team: Team) -> Iterator[Choice]:
    public = table.public
    if public is None or public.clue is None:
        return
    clue = clue_text(public.clue.word, public.clue.number)
    yield from confirm_choice(
        table,
        say("{team} challenges it", team=name(team)),
        act(spymaster(team), "challenge"),
        say(
            "{team} says that the clue {clue} is invalid? {team}’s spymaster then judges it.",
            team=name(team),
            clue=clue,
        ),
        say("Yes, challenge it"),
        team,
    )


def _next_game(table: TableMessage) -> Iterator[Choice]:
    public = table.public
    if public is None:
        return
    if any(cell.word for cell in public.cells.values()):
        question = say("Begin the next game, with new words and a new key?")
    else:
        question = say("Begin the next game, with the cards flipped and a new key?")
    yes, otherwise = say("Yes, next game"), None
    if seats_with_phone(table):
        question = say(
            "Begin the next game? Phones lose their seats, except those that the same people "
            "confirm."
        )
        yes = say("Yes, new spymasters")
        if table.lock.open or not table.house.phones_need_pin:
            same = say("Yes, the same ones")
            otherwise = (same, by_operator("next", keep_phones=True))
    yield from confirm_choice(
        table, say("Next game"), by_operator("next"), question, yes, otherwise=otherwise
    )
    if table.settings is not None and table.settings.players != "cooperative":
        yield from confirm_choice(
            table,
            say("Rematch, sides swapped"),
            by_operator("next", swap=True),
            say(
                "Begin a rematch? The other team starts, and whoever gave the clues guesses this "
                "time."
            ),
            say("Yes, a rematch"),
        )
    if may(table, Seat.OPERATOR, "reveal"):
        # This needs only one press. It is never the first choice, because a game may end just
        # when somebody presses.
        yield Choice(say("Show everybody the key"), Ask(by_operator("reveal")))


def _take_back_guess(table: TableMessage) -> Iterator[Choice]:
    """Yield the choice to take back a guess. It is in the main menu, because fingers often slip."""
    public = table.public
    if public is None or public.placed is not UNSET or number_can_be_mended(table):
        return
    if is_abandoned(table):
        return
    yield from confirm_choice(
        table,
        say("Take back the last guess"),
        by_operator("correct"),
        say("Take back the latest guess, and all that followed from it? Everybody is told."),
        say("Yes, take it back"),
    )


def _take_back_card(table: TableMessage) -> Iterator[Choice]:
    if table.public is None or table.public.placed is UNSET or is_abandoned(table):
        return
    yield from confirm_choice(
        table,
        say("Take back the last card"),
        by_operator("correct"),
        say("Take the latest card off the table again? Everybody is told."),
        say("Yes, take it back"),
    )


def _corrections(table: TableMessage) -> Iterator[Choice]:
    public = table.public
    if public is not None and public.turn is not None and number_can_be_mended(table):
        yield Choice(say("Correct the clue’s number"), Go(MendNumber(public.turn)))
    elif not hands_lie_open(table):  # with open hands, this choice is in the main menu
        yield from _take_back_card(table)
    yield from keepers_acts(table, "new-key")
