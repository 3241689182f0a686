"""Many tables at once: what each finishes stands in the database, once, whatever goes wrong."""

from collections.abc import Iterator
from pathlib import Path

import crowd
import pytest
from evening import Evening, evening
from postgres import Postgres

pytestmark = pytest.mark.fleet


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running


@pytest.fixture(scope="module")
def of_table() -> Evening:
    return evening(2)


@pytest.mark.timeout(600)
def test_no_game_is_lost_or_doubled_whatever_goes_wrong(
    tmp_path: Path, server: Postgres, of_table: Evening
) -> None:
    figures = crowd.spend(tmp_path / "a", server, 24, 20.0, 60.0, of_table, True, gather=8.0)
    assert figures["games"] > 24


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
    for number, (speed, troubles) in enumerate(((1.0, False), (10.0, False), (10.0, True))):
        place = tmp_path / str(number)
        print(crowd.spend(place, server, 1000, crowd.SECONDS, speed, of_table, troubles))
