"""Sheets of a report for the venues' owner: problems, and each bar's figures beside those of the
previous period."""

from collections.abc import Sequence
from typing import Final

from pi_table.common.language import Words, say, say_many
from pi_table.fleet.collector.attention import problems
from pi_table.fleet.collector.figures import NOTHING, Figures
from pi_table.fleet.collector.sheet import Cell, Column, Sheet, Unit, plain, share

WRONG: Final = "wrong"
MAX_ROWS: Final = 20
"""Maximum number of rows in the sheet of problems."""
BEFORE: Final = "_before"
"""Suffix of the names of columns that are about the previous period."""
TABLE_AND_EVENING: Final = say(
    "“Per table and evening” counts a table on an evening when anything was played in its bar."
)


def what_is_wrong(found: Figures) -> Sheet:
    """Return the sheet of problems. The worst problem comes first, and each has advice."""
    every = problems(found)
    left = len(every) - MAX_ROWS
    note = None
    if left > 0:
        note = say_many(
            "{count} more is not shown: see faults.csv and tables.csv.",
            "{count} more are not shown: see faults.csv and tables.csv.",
            left,
        )
    return Sheet(
        WRONG,
        say("What is wrong, and what to do"),
        (
            Column("table", say("Table"), Unit.TEXT),
            Column("bar", say("Bar"), Unit.TEXT),
            Column("what", say("What is wrong"), Unit.TEXT),
            Column("seconds", say("For"), Unit.HOURS),
            Column("todo", say("What to do"), Unit.TEXT),
        ),
        tuple(
            (plain(each.table), plain(each.bar), each.what, each.seconds, each.todo)
            for each in every[:MAX_ROWS]
        ),
        note,
    )


def bars(found: Figures) -> Sheet:
    """Return the sheet with the figures of each bar (venue), for this and the previous period. If
    there are several bars, the last row is their total."""
    before = found.before
    rows = [_bar_row(plain(bar) or say("no bar"), found, before, bar) for bar in found.all_bars()]
    if len(rows) > 1:
        rows.append(_bar_row(say("all"), found, before, None))
    note = TABLE_AND_EVENING
    if before is not None and before.period.since and before.period.until:
        first, last = before.period.since.isoformat(), before.period.until.isoformat()
        note = say(
            "“Before” is from {first} to {last}. {explained}",
            first=first,
            last=last,
            explained=note,
        )
    title = say("Bars") if len(found.all_bars()) > 1 else say("All tables together")
    return Sheet(
        "bars",
        title,
        (
            Column("bar", say("Bar"), Unit.TEXT),
            Column("tables", say("Tables")),
            *_beside("games", say("Games played"), Unit.COUNT),
            *_beside("games_per_table_evening", say("Games per table and evening"), Unit.RATE),
            *_beside("seconds", say("Played"), Unit.HOURS),
            *_beside("fault_seconds", say("Faulty"), Unit.HOURS),
        ),
        tuple(rows),
        note,
    )


def _beside(name: str, title: Words, unit: Unit) -> tuple[Column, Column]:
    """Return two columns of the same figure: one for the period, one for the previous period."""
    return Column(name, title, unit), Column(f"{name}{BEFORE}", say("Before"), unit)


def _bar_row(
    title: Words, found: Figures, before: Figures | None, bar: str | None
) -> tuple[Cell, ...]:
    """Return a row of the sheet of bars; ``bar`` is None for the total."""
    now, then = _of_bar(found, bar), (None,) * 4 if before is None else _of_bar(before, bar)
    tables, *figures = (len(_tables_of(found, bar)), *now)
    pairs = [each for pair in zip(figures, then, strict=True) for each in pair]
    return (title, tables, *pairs)


def _of_bar(found: Figures, bar: str | None) -> tuple[Cell, ...]:
    """Return four figures of a bar: games, games per table and evening, seconds of play, seconds
    with a fault. ``bar`` is None for the total of all bars."""
    games = found.all if bar is None else found.of_bar.get(bar, NOTHING)
    tables = _tables_of(found, bar)
    rate = per_table_and_evening(found, found.all_bars() if bar is None else [bar])
    return games.games, rate, games.seconds, sum(found.faulty.get(each, 0.0) for each in tables)


def _tables_of(found: Figures, bar: str | None) -> list[str]:
    return [each for each in found.tables if bar is None or found.bar_of(each) == bar]


def per_table_and_evening(found: Figures, bars: Sequence[str]) -> float | None:
    """Return the mean number of games per table and evening; None if nobody has played. An evening
    counts for all tables of a bar if somebody played at one of them."""
    of_bars = [(found.of_bar.get(bar, NOTHING), _tables_of(found, bar)) for bar in bars]
    chances = sum(len(games.evenings) * len(tables) for games, tables in of_bars)
    return share(sum(games.games for games, _ in of_bars), chances)
