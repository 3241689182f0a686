"""Every text that people edit is read by one rule, whatever saved it."""

import codecs
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from pi_table import cli
from pi_table.common import config
from pi_table.common.edited_text import read_text, text_of
from pi_table.common.errors import InputError
from pi_table.fleet.bridge.broker import broker
from pi_table.fleet.collector import settings as of_collector

TEXT = "# Caffè\n[section]\nkey = 3\n"
READ = 'broker = "mqtts://broker.lan"  # caffè\ndatabase = "sqlite:///var/games.sqlite"\n'


def password_at_the_broker(file: Path) -> object:
    section = {"broker": "mqtt://b", "table": "x", "password_file": str(file)}
    return broker(config.load(None, {"bridge": section}).bridge).password()


def password_of_the_collector(file: Path) -> object:
    made = of_collector.Settings("mqtt://b", "sqlite:///var/x", password_file=str(file))
    return made.password()


READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "the configuration": (config.load, "[console]\nlanguage = 'it'  # caffè\n"),
    "the collector's settings": (of_collector.load, READ),
    "a password at the broker": (password_at_the_broker, "caffè\n"),
    "a password of the collector": (password_of_the_collector, "caffè\n"),
    "any other": (lambda file: read_text(file, 1000), TEXT),
}


@pytest.mark.parametrize("name", READERS)
def test_a_mark_and_the_lines_of_windows_change_nothing(tmp_path: Path, name: str) -> None:
    read, text = READERS[name]
    file = tmp_path / "file"
    file.write_text(text)
    expected = read(file)
    file.write_bytes(codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode())
    assert read(file) == expected


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-16", "file, line 1: this is UTF-16 text, not UTF-8; save the file as UTF-8"),
        ("utf-16-le", "file, line 1: this is UTF-16 text"),
        ("utf-16-be", "file, line 1: this is UTF-16 text"),
        ("cp1252", r"file, line \d: this is not UTF-8 text, but perhaps "),
    ],
)
def test_another_encoding_is_refused_with_what_to_do(
    tmp_path: Path, name: str, encoding: str, said: str
) -> None:
    read, text = READERS[name]
    file = tmp_path / "file"
    file.write_bytes(text.encode(encoding))
    with pytest.raises(InputError, match=said):
        read(file)


def test_the_line_is_the_one_with_the_wrong_letter() -> None:
    with pytest.raises(InputError, match=r"^x, line 3: "):
        text_of(b"1\n2\n3\xe8\n4\xe8", "x")


def test_lines_of_acts_may_begin_with_a_mark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = b'{"profile": "codenames", "options": {}, "words": null, "key": null}\r\n'
    file = tmp_path / "acts.jsonl"
    file.write_bytes(codecs.BOM_UTF8 + game)
    assert cli.main(["play", "--acts", str(file)]) == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(game + b"{\xe8\n")))
    assert cli.main(["play", "--acts", "-"]) == 2
    assert "Line 2: this is not UTF-8 text, but perhaps " in capsys.readouterr().err
