"""The program that runs the drivers at GPIO lines, where there are none: with simulated ones."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

KNOBS = Path(__file__).parent / "knobs.py"


@pytest.fixture
def knobs(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The program, at a simulated case whose world is at the socket ``link``."""
    (tmp_path / "table.toml").write_text(
        f'[panel]\ndriver = "simulated"\n[simulated]\nlink = "{tmp_path / "link"}"\n'
    )
    with subprocess.Popen(
        [sys.executable, KNOBS, "--config", tmp_path / "table.toml"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        yield program
        program.kill()


def heard(knobs: subprocess.Popen[str]) -> dict[str, Any]:
    assert knobs.stdout is not None
    said: dict[str, Any] = json.loads(knobs.stdout.readline())
    return said


def test_it_says_what_is_held_and_does_what_it_is_told(
    knobs: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert heard(knobs) == {"ready": ["console", "panel"]}
    assert knobs.stdin is not None
    with socket.socket(socket.AF_UNIX) as world:
        world.connect(str(tmp_path / "link"))
        world.sendall(b'{"hold": "switch-off"}\n')
        assert heard(knobs) == {"held": "switch-off"}
        knobs.stdin.write('{"lamp": "fast"}\n')
        knobs.stdin.flush()
        assert heard(knobs) == {"lamp": "fast"}
        lines = world.makefile()
        assert "lamp" not in json.loads(lines.readline())
        assert json.loads(lines.readline())["lamp"] == "fast"
        knobs.stdin.close()
        assert json.loads(lines.readline())["lamp"] == "dark"
    assert heard(knobs) == {"closed": True}
    assert knobs.wait(20) == 0


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('[console]\ninputs = "knobs"\n')
    done = subprocess.run(
        [sys.executable, KNOBS, "--config", tmp_path / "table.toml", "--console"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert "has no driver 'knobs'" in json.loads(done.stdout)["error"]
    assert (done.returncode, done.stderr) == (1, "")
