"""`pi-table sounds`: files to listen to, and a line about each."""

import re
from pathlib import Path

import pytest

from pi_table import cli
from pi_table.common.language import LANGUAGES
from pi_table.devices.hal.contracts import Clip
from pi_table.devices.sound.command import SENTENCES
from pi_table.devices.sound.scores import SCORES
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.synthesis import synthesise
from pi_table.devices.sound.wav import clip_in

LINE = re.compile(r"(\S+) +\d\.\d\d s  +(-\d\d\.\d dB)  peak +-\d+\.\d dB  (\w+)(  .+)?")
NAMES = {
    "-24.0 dB": "ambience",
    "-18.0 dB": "event",
    "-16.0 dB": "speech",
    "-12.0 dB": "drama",
}
"""The name of each level."""


def test_every_sound_and_some_sentences_are_written_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "sounds"
    assert cli.main(["sounds", "--out", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {path.name for path in folder.iterdir()} == {f"{line.split()[0]}.wav" for line in lines}
    assert len(lines) == len(Sound) + len(LANGUAGES) * len(SENTENCES)
    for line in lines:
        read = LINE.fullmatch(line)
        assert read is not None
        assert read[3] == NAMES[read[2]]
    for path in folder.iterdir():
        assert clip_in(path.read_bytes()) != Clip()
    clue = clip_in((folder / "clue.wav").read_bytes())
    assert clue == synthesise(SCORES[Sound.CLUE])


def test_a_folder_that_cannot_be_made_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert cli.main(["sounds", "--out", str(tmp_path / "file")]) == 2
    assert "cannot be written to" in capsys.readouterr().err


def test_without_a_voice_the_sounds_are_written_and_that_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cli.main(["sounds", "--out", str(tmp_path / "sounds")]) == 0
    assert len([*(tmp_path / "sounds").iterdir()]) == len(Sound)
    told = capsys.readouterr()
    assert told.err == ""
    last = told.out.splitlines()[-1]
    assert "/sounds. The spoken sentences are left out. Nothing is spoken, because" in last
    assert "apt install espeak-ng" in last
