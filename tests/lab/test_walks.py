"""The walks through every game, and what their command says meanwhile."""

import io
from pathlib import Path

import pytest

from pi_table import cli
from pi_table.lab import walks
from pi_table.lab.commands import Progress

GAME = {"game": {"profile": "codenames", "key": "rrrrrrrrrbbbbbbbbnnnnnnna"}}


def test_long_commands_say_how_far_they_are_and_what_they_wrote(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walks, "walks", lambda lang: {"one": [GAME], "two": []})
    assert cli.main(["walk", "--out", str(tmp_path)]) == 0
    said = "Written into {}: 0 pictures, in a folder for each language and game.\n"
    assert capsys.readouterr().err == "....\n" + said.format(tmp_path)

    terminal = Terminal()
    progress = Progress(terminal, 2)
    progress.step("one")
    progress.end()
    assert terminal.getvalue() == "\r\x1b[K1/2 one\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True
