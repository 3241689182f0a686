"""A table as a program goes on while its desk has a backup looked through, and ends when it is
told to."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from test_daemon_games import tap_until

from pi_table.common.geometry import CELLS
from pi_table.lab.bench.checking import Desk, laborious_backup
from pi_table.lab.running_table import RunningTable, cover_of

pytestmark = pytest.mark.paced

SETTINGS = '[touch]\nintent = "tap"\n[table]\ncards = "dealt"\n'


def checks(table: RunningTable) -> list[int]:
    """The processes that look through a backup for this table."""
    found = []
    for task in Path(f"/proc/{table.process.pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            if b"backup_contents" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return found


def test_while_a_backup_is_looked_through_the_table_deals_feels_tells_and_ends(
    start: Callable[..., RunningTable], tmp_path: Path
) -> None:
    table = start(settings=SETTINGS)
    table.wait()
    console, world = table.console(), table.world()
    desk = Desk(table, console)
    with closing(console), closing(world), closing(desk):
        desk.put(laborious_backup(tmp_path / "other"))
        desk.begin("check-backup")
        while not (found := checks(table)):  # on a busy machine it takes its time to begin
            assert console.ask("record")["ok"]
            assert not desk.is_answered()
        console.do("start", profile="codenames")
        assert None not in (cell["word"] for cell in console.table["public"]["cells"].values())
        team = console.table["public"]["turn"]
        own = [CELLS[cell] for cell, letter in enumerate(console.key) if letter == team[0]]
        console.do("clue", f"{team}-spymaster", number=2)
        tap_until(console, world, own[0], lambda table: cover_of(table, own[0]) == team)
        console.do("abandon")
        assert [game["number"] for game in console.ask("record")["told"]] == [1]
        assert not desk.is_answered()
        assert table.stop() == 0
        (check,) = found
        assert not Path(f"/proc/{check}").exists()
