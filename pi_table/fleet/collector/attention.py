"""A list of the tables that need attention. The worst problem comes first, and each has advice."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

import msgspec

from pi_table.common.language import Words, say
from pi_table.fleet.collector.figures import NOTHING, Figures
from pi_table.protocols.ipc.house import evening_of

UNUSED_EVENINGS: Final = 5
"""A table counts as unused after this number of evenings on which only other tables of its bar had
games."""
UNUSED_DAYS: Final = 14
"""Number of days without a game after which a table counts as unused, even if nobody plays in its
bar."""
SEE_SCREEN: Final = say("The operator’s page or desk of that table says what to do.")
SWITCH_ON: Final = say("Is it switched on? Has it a network, and does it reach the broker?")


class Problem(msgspec.Struct, frozen=True):
    """A problem of one table."""

    bar: str
    table: str
    what: Words
    seconds: float | None
    """Length of the problem within the period, in seconds; None if unknown."""
    todo: Words


def problems(found: Figures) -> tuple[Problem, ...]:
    """Return the problems that remain at the end of the period. Tables without any game come first,
    then the problems that have lasted longest."""
    unplayed = {table for table in found.known if table not in found.of_table}
    every = [*_faults(found), *_without_games(found, unplayed), *_no_longer_played(found)]
    return tuple(
        sorted(
            every,
            key=lambda one: (one.table not in unplayed, -(one.seconds or 0), one.bar, one.table),
        )
    )


def _faults(found: Figures) -> Iterator[Problem]:
    for trouble in found.troubles:
        if trouble.still:
            bar = found.bar_of(trouble.table)
            what = trouble.sentence
            yield Problem(bar, trouble.table, what, trouble.seconds, SEE_SCREEN)


def _without_games(found: Figures, unplayed: set[str]) -> Iterator[Problem]:
    for table in sorted(unplayed):
        if (heard := found.heard.get(table)) is None:
            what = say("Nobody has played at it.")
        else:
            day = heard.astimezone(found.zone).date().isoformat()
            what = say("Nobody has played at it. It was last heard on {day}.", day=day)
        yield Problem(found.bar_of(table), table, what, None, SWITCH_ON)


def _no_longer_played(found: Figures) -> Iterator[Problem]:
    """Yield a problem for each table that was used earlier in the period, but not near its end."""
    if found.end is None:
        return
    # The end of a finished period already belongs to the next evening.
    latest = evening_of(found.end - timedelta(microseconds=1), found.zone)
    for table, games in sorted(found.of_table.items()):
        if (last := games.last) is None:
            continue
        bar = found.bar_of(table)
        open_since = [each for each in found.of_bar.get(bar, NOTHING).evenings if each > last]
        days = (latest - last).days
        if len(open_since) >= UNUSED_EVENINGS or days >= UNUSED_DAYS:
            what = say("Nobody has played at it since {day}.", day=last.isoformat())
            yield Problem(bar, table, what, days * 86_400.0, SWITCH_ON)
