"""The command, and a table that is the real program: in a game it is not updated."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_table.lab.running_table import RunningTable

pytestmark = pytest.mark.paced


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    with RunningTable(tmp_path, '[table]\ncards = "dealt"\n') as table:
        table.wait()
        yield table


def update(table: RunningTable, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pi_table", "update", "--config", str(table.config), *words]
    return subprocess.run(
        command, env={**os.environ, "LANGUAGE": "it"}, capture_output=True, text=True, check=False
    )


def test_in_a_game_nothing_is_done_and_between_two_no_game_begins(table: RunningTable) -> None:
    touched = table.folder / "touched"
    # What stands for an update tells whether somebody may begin a game meanwhile.
    look = (
        "import json, socket as s; c = s.socket(s.AF_UNIX); c.connect({!r}); f = c.makefile('rb')\n"
        "m = json.loads(f.readline()); open({!r}, 'w').write(json.dumps(m['kept_free']))"
    ).format(str(table.folder / "run/house.sock"), str(touched))
    by = ("--now", "--", sys.executable, "-c", look)

    console = table.console()
    console.do("start", profile="codenames")
    done = update(table, *by)
    assert done.returncode == 75
    # A log is English, whatever the language of its machine.
    assert done.stderr.startswith("The table is not updated now. ")
    assert not touched.exists()
    assert console.table["public"]["phase"] != "over"

    console.do("abandon")
    done = update(table, *by)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(touched.read_text()) is True
    console.do("start", profile="codenames")  # it has been given free again
    console.close()


def test_a_table_that_is_not_there_is_updated(tmp_path: Path) -> None:
    with RunningTable(tmp_path) as table:
        table.wait()
        table.kill()
        done = update(table, "--now", "--within", "1", "--", "touch", str(tmp_path / "touched"))
        assert done.returncode == 0
        assert (tmp_path / "touched").exists()
        # Nor does a configuration that cannot be used keep an update from it.
        table.config.write_text("[tabel]\n")
        done = update(table, "--now", "--within", "1", "--", "rm", str(tmp_path / "touched"))
        assert "tabel" in done.stderr
        assert not (tmp_path / "touched").exists()
