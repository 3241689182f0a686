"""Spreads are those that `statistics` finds in a list; and reading them keeps no list."""

import tracemalloc
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Final

import pytest
from kept_games import NOON, delivery, take
from msgspec.structs import replace
from told_games import records

from pi_table.fleet.collector.figures import WHOLE, read
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.spread import NO_VALUES, spread_of
from pi_table.games.rules.outcome import Why


@pytest.mark.parametrize("digits", [None, 0, 3])
def test_a_spread_is_that_of_all_values_in_a_list(digits: int | None) -> None:
    random = Random(digits)
    for count in [*range(1, 60), 997, 1_000]:
        values = [round(random.lognormvariate(3.0, 1.0), digits) for _ in range(count)]
        found = spread_of(sorted(Counter(values).items()), count, step=15)
        assert (found.count, found.median) == (count, median(values))
        assert type(found.median) is type(median(values))
        if count > 1:
            tenths = quantiles(values, n=10, method="inclusive")
            assert found.tenths == (tenths[0], tenths[-1])
        assert found.bins == Counter(int(value // 15) for value in values)


def test_no_values_have_no_spread() -> None:
    assert spread_of((), 0) == NO_VALUES
    assert spread_of([(4.0, 1)], 1).tenths is None


def test_the_spreads_of_a_report_are_those_of_its_games(tmp_path: Path) -> None:
    told = [
        replace(one, seconds=one.seconds + at % 97 / 8)  # few of them are really different
        for at, one in enumerate(islice(records(12), 400))
    ]
    with closing(open_database(f"sqlite://{tmp_path}/games.sqlite")) as database:
        take(database, *map(delivery, told))
        found = read(database, WHOLE, NOON)
    finished = [one for one in told if one.outcome.why is not Why.STOPPED]
    assert len(found.of_table) > 3
    for table, games in found.of_table.items():
        lengths = [one.seconds for one in finished if one.table == table]
        assert (games.lengths.count, games.lengths.median) == (len(lengths), median(lengths))
    for kind, games in found.of_kind.items():
        of_kind = [one for one in told if (one.profile, one.lang) == kind]
        ended = [one for one in of_kind if one in finished]
        for spread, values in (
            (games.lengths, [one.seconds for one in ended]),
            (games.turns, [one.turns for one in ended]),
            (games.first_clues, [one.clues[0].seconds for one in of_kind if one.clues]),
        ):
            tenths = quantiles(values, n=10, method="inclusive")
            expected = (len(values), median(values), (tenths[0], tenths[-1]))
            assert (spread.count, spread.median, spread.tenths) == expected


def peak_of_a_report(path: Path, games: int) -> int:
    """Return the most memory in bytes that Python uses to read the figures of so many games: of one
    kind, at one table, on three evenings, and all of other lengths."""
    random, (model,) = Random(1), islice(records(11, different=1), 1)
    with closing(open_database(f"sqlite://{path}")) as database:
        told = [
            replace(
                model,
                game=f"{at:032x}",
                number=at,
                begun=(BEGUN + timedelta(days=at % 3)).isoformat(),
                seconds=round(random.uniform(600.0, 3_600.0), 3),
                clues=(replace(model.clues[0], seconds=round(random.uniform(5.0, 300.0), 3)),),
                guesses=(),
                dealt=(),
            )
            for at in range(games)
        ]
        take(database, *(delivery(one) for one in told))
        del told
        tracemalloc.start()
        try:
            assert read(database, WHOLE, NOON).all.games == games
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def test_a_report_keeps_no_number_for_each_game(tmp_path: Path) -> None:
    few, many = (peak_of_a_report(tmp_path / f"{games}.sqlite", games) for games in (2_000, 6_000))
    assert (many - few) / 4_000 < NUMBER_BYTES


NUMBER_BYTES: Final = 8
BEGUN: Final = datetime(2026, 11, 20, 20, tzinfo=UTC)
