"""Tonight's tally: how many games each team has won this evening, game by game.

An evening is what was played since the last quiet hours: it goes back as long as no six hours lie
between the beginnings of two games, or between the last one and now. The times are of the wall
clock, ISO 8601; a clock that was set back counts as no time at all.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from pi_table.ipc.records import Summary, Tally, Won
from pi_table.rules.outcome import Outcome, Why
from pi_table.rules.team import Team

QUIET: Final = timedelta(hours=6)


def tonight(games: Iterable[Summary], now: str) -> Tally:
    """The tally of the finished games of this evening; ``games`` are the newest first, and are read
    no further than that."""
    won: dict[str, Won] = {}
    since = None
    for game in _of_the_evening(games, now):
        so_far = won.pop(game.profile, Won(game.profile))
        # Put last anew: the game that was played first this evening comes first in the end.
        won[game.profile] = _counted(so_far, game.outcome)
        since = game.begun
    return Tally(since, tuple(reversed(won.values())))


def _of_the_evening(games: Iterable[Summary], now: str) -> Iterable[Summary]:
    later = now
    for game in games:
        if datetime.fromisoformat(later) - datetime.fromisoformat(game.begun) >= QUIET:
            return
        yield game
        later = game.begun


def _counted(won: Won, outcome: Outcome | None) -> Won:
    """A game that was ended, and so decided nothing, does not count."""
    if outcome is None or outcome.why is Why.STOPPED:
        return won
    red, blue = (won.red + (outcome.winner is Team.RED), won.blue + (outcome.winner is Team.BLUE))
    return Won(won.profile, red, blue, won.nobody + (outcome.winner is None))
