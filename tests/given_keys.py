"""Keys for tests: drawn by numbers of the test's own, or given one after the other."""

from collections.abc import Callable
from typing import Any

from pi_table.games.rules.chance import Chance
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.drawing import EveryKey
from pi_table.games.rules.word_games.key import CLASSIC, Key, Layout


def drawn(below: Callable[[int], int], layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
    """The key of this layout that ``below`` chooses: ``below(n)`` is a number from 0 to n - 1."""
    keys = EveryKey(layout, starts)
    return keys.item(below(keys.count))


class GivenKeys(Chance):
    """Chance that asks `key` for every key; a test gives what it likes there."""

    def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
        return drawn(self.below, layout, starts)

    def one_of(self, things: Any) -> Any:
        if isinstance(things, EveryKey):
            return self.key(things.layout, things.starts)
        return super().one_of(things)
