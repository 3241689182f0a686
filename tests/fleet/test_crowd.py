"""Many tables at once: what each finishes stands in the database, once, whatever goes wrong."""

from pathlib import Path
from typing import Any

import crowd
import pytest
from evening import Evening, evening
from fleet_troubles import AWAY_TOO_LONG, ONE_AFTER_ANOTHER, POWER_CUT, Trouble
from postgres import Postgres

pytestmark = pytest.mark.fleet


@pytest.fixture(scope="module")
def of_table() -> Evening:
    return evening(2)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("trouble", [ONE_AFTER_ANOTHER, POWER_CUT, AWAY_TOO_LONG], ids=str)
def test_no_game_is_lost_or_doubled_whatever_goes_wrong(
    tmp_path: Path, server: Postgres, of_table: Evening, trouble: Trouble
) -> None:
    how: Any = {"each": 8, "trouble": trouble, "gather": 8.0, "again": 3.0}
    figures = crowd.spend(tmp_path / "a", server, 24, 20.0, 60.0, of_table, **how)
    assert figures["games"] > 24


@pytest.mark.timeout(600)
def test_the_broker_keeps_a_week_of_games_for_a_collector_that_is_away(
    tmp_path: Path, server: Postgres, of_table: Evening
) -> None:
    assert crowd.keep_a_week(tmp_path / "a", server, 5, of_table)["games"] == 700


@pytest.mark.torture  # it plants a fault, and needs the servers
@pytest.mark.timeout(600)
def test_a_game_that_is_missing_would_be_noticed(
    tmp_path: Path, server: Postgres, of_table: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "DRAIN_SECONDS", 3.0)
    whole = crowd.collected

    def one_short(database: str) -> tuple[dict[str, int], int]:
        found, different = whole(database)
        name = next(iter(found))
        return found | {name: found[name] - 1}, different - 1

    monkeypatch.setattr(crowd, "collected", one_short)
    with pytest.raises(AssertionError, match="finished and collected differ"):
        crowd.spend(tmp_path / "a", server, 4, 5.0, 120.0, of_table, gather=15.0)


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_a_thousand_tables_lose_nothing(server: Postgres, tmp_path: Path) -> None:
    of_table = evening(crowd.GAMES)
    for number, (speed, trouble) in enumerate(crowd.PHASES):
        place = tmp_path / str(number)
        how: Any = {"trouble": trouble}
        print(crowd.spend(place, server, 1000, crowd.SECONDS, speed, of_table, **how))
