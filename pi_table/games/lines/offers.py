"""The games to choose from: players, minutes, and one sentence about each."""

from typing import Final

import msgspec

from pi_table.common.language import Say, say


class Offer(msgspec.Struct, frozen=True):
    players: str
    minutes: str
    sentence: Say

    @property
    def size(self) -> Say:
        return say("{players} players · {minutes} min", players=self.players, minutes=self.minutes)


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
"""The offer of each game, by profile, such as ``codex``. The lengths in minutes are estimates."""
