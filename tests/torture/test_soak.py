"""A table that plays on and on holds no more than after its first fifty games."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SOAK = Path(__file__).with_name("soak.py")
MIB = 1 << 20


def soaked(games: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(SOAK), str(games)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    print(found)
    return found


def check(found: dict[str, Any]) -> None:
    assert found["grown_bytes"] <= MIB
    assert found["most_grown_bytes"] <= MIB
    assert found["files_after"] == found["files_before"]
    assert 1000 < found["journal_bytes_a_game"] < 30_000


def test_fifty_games_more_take_no_memory_and_no_files() -> None:
    check(soaked(100))


@pytest.mark.torture
def test_ten_thousand_games_take_no_memory_and_no_files() -> None:
    check(soaked(10_000))
