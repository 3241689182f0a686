"""The screen that lists the games to choose from."""

from typing import ClassVar

from pi_table.common.language import say
from pi_table.games.lines.offers import OFFERS
from pi_table.games.rules.profile import PROFILES
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console.screen import Choice, Go, ListScreen, can_begin
from pi_table.screens.console.setup import propose, title


class Games(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    is_read: ClassVar[bool] = True
    heading = say("Which game?")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                title(profile),
                Go(propose(table, profile)),
                value=OFFERS[profile].size,
            )
            for profile in PROFILES
        )

    def possible(self, table: AnyTableMessage) -> bool:
        return can_begin(table)


def games_on_offer(table: AnyTableMessage) -> Games:
    """Return the screen with the list of games. The game that was played last is selected."""
    last = None if table.public is None else table.public.profile
    return Games(selected=[*PROFILES].index(last) if last is not None else 0)
