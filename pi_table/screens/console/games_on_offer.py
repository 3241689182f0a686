"""The games to choose from, each with its players, its minutes and one sentence."""

from typing import ClassVar, Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import Lang, Words, say
from pi_table.games.rules.profile import PROFILES
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console.screen import Choice, Go, ListScreen, can_begin
from pi_table.screens.console.setup import propose, title


class Offer(msgspec.Struct, frozen=True):
    players: str
    minutes: str
    sentence: Words


OFFERS: Final = {
    "codenames": Offer(
        "4–8+", "15–25", say("One word and a number, and your team finds its agents.")
    ),
    "nome-in-codice": Offer(
        "2–8+", "15–25", say("The same with the Italian rules: zero is a number too.")
    ),
    "deep-undercover": Offer(
        "4–8+", "20–30", say("For a late hour: the teams lay out the words themselves.")
    ),
    "alias-24": Offer(
        "4–8+", "20–30", say("Hunt the other team’s assets, and keep away from the nuke.")
    ),
    "codex": Offer(
        "6", "45–60", say("Six agents, secret messages, and nobody who says who they are.")
    ),
}
"""Offers by profile. The players are those of the rules, the minutes an estimate."""


class Games(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    lang: Lang

    is_read: ClassVar[bool] = True
    heading = say("Which game?")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                title(profile),
                Go(propose(table, profile, self.lang)),
                value=say(
                    "{players} players · {minutes} min",
                    players=OFFERS[profile].players,
                    minutes=OFFERS[profile].minutes,
                ),
            )
            for profile in PROFILES
        )

    def possible(self, table: AnyTableMessage) -> bool:
        return can_begin(table)

    def with_language(self, lang: Lang) -> "Games":
        return replace(self, lang=lang)


def games_on_offer(table: AnyTableMessage, lang: Lang) -> Games:
    """Return the list of games, with the game that was played last selected."""
    last = None if table.public is None else table.public.profile
    return Games(lang=lang, selected=[*PROFILES].index(last) if last is not None else 0)
