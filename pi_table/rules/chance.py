"""Where chance comes from. Chance is data: what was drawn stands in acts and events."""

import secrets

from pi_table.rules.team import Team
from pi_table.rules.word_games.key import CLASSIC, Key, Layout, draw


class Chance:
    """The operating system's generator. Tests bring a chance of their own."""

    def below(self, count: int) -> int:
        """An integer from 0 to ``count`` - 1, each equally likely."""
        return secrets.randbelow(count)

    def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
        """A new key; ``starts`` is the team that it must let start, None for either."""
        return draw(self.below, layout, starts)
