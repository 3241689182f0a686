"""The list of finished games, and how much of it is remembered."""

from pathlib import Path

import pytest
from virtual_table import VirtualTable

from pi_table.table.engine.storage import records
from pi_table.table.engine.storage.records import Records

GAMES = 6


def test_no_more_is_remembered_than_an_evening_has_and_nothing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.sqlite"
    table = VirtualTable(path)
    for number in range(GAMES):
        assert table.ask("start" if number == 0 else "next", profile="codenames").ok
        table.do("abandon", "operator")
    table.switch_off()
    monkeypatch.setattr(records, "MAX_CACHED_GAMES", 3)
    kept = Records(path)
    for _ in range(2):
        assert [game.number for game in kept.games()] == [*range(GAMES, 0, -1)]
        assert [game.number for game in kept.games(most=50)] == [*range(GAMES, 0, -1)]
        assert len(kept._over) == 3
