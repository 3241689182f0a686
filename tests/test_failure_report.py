"""A service that has failed for good: what is found in its log, and who sees it."""

import json
import stat
from pathlib import Path

import pytest

from pi_table import cli
from pi_table.common import failure_report
from pi_table.common.errors import InputError, TableError
from pi_table.common.language import LANGUAGES, as_line, did_you_mean, say, translate
from pi_table.common.log import TEXT

ENGINE = "pi-table-engine.service"
CONSOLE = "pi-table-console.service"
WRONG_KEY = say(  # as in config.py
    "In {where}, there is no section [{name}]; {did_you_mean}",
    where="/etc/pi-table/table.toml",
    name="tuch",
    did_you_mean=did_you_mean("tuch", ["touch"]),
)


def log(*lines: tuple[str, object]) -> bytes:
    """The journal's entries: the run of the service, and what it wrote."""
    entries = [{"_SYSTEMD_INVOCATION_ID": run, "MESSAGE": said} for run, said in lines]
    return "\n".join(map(json.dumps, entries)).encode()


def complaint(words: str) -> tuple[tuple[str, object], ...]:
    """Return the log of a service that ends with these words."""
    said: tuple[tuple[str, object], ...] = (("a", f"pi-table: {words}"),)
    return (*said, ("a", f"{TEXT}{as_line(words)}")) if as_line(words) else said


FOUND: list[tuple[str, bytes, str, str]] = [
    (
        "the program's last words",
        log(*complaint(WRONG_KEY)),
        "exit-code",
        WRONG_KEY,
    ),
    (
        "the last complaint, though something was said after it",
        log(
            ("a", "ERROR The journal cannot be written: No space left on device."),
            ("a", "ERROR The table stops: KeyError."),
            ("a", "INFO good bye"),
        ),
        "exit-code",
        "The table stops: KeyError.",
    ),
    (
        "nothing that an earlier run said",
        log(("a", "pi-table: The port is gone."), ("b", "INFO The table is ready.")),
        "exit-code",
        failure_report.SILENT,
    ),
    (
        "no warning, and no greeting of a library",
        log(("a", "WARNING A pack was left out."), ("a", "Hello from the pygame community.")),
        "exit-code",
        failure_report.SILENT,
    ),
    (
        "that it never ran, where something before it had failed",
        b"",
        "",
        failure_report.NOT_BEGUN,
    ),
    (
        "nothing, where the log cannot be read",
        b"",
        "exit-code",
        failure_report.SILENT,
    ),
    (
        "of a traceback nothing but that there was one",
        log(("a", "Traceback (most recent call last):"), ("a", "ValueError: Key('rbnrb')")),
        "exit-code",
        failure_report.BROKE_OFF,
    ),
    (
        "what systemd knows, where systemd ended it",
        log(("a", "ERROR The loudspeaker is away.")),
        "watchdog",
        failure_report.WHY["watchdog"],
    ),
    ("the same without a log", b"", "oom-kill", failure_report.WHY["oom-kill"]),
    ("what is no text to journald", log(("a", [*b"pi-table: \xff"])), "exit-code", "\ufffd"),
    ("what is no journal", b"{\nnull\n[]\n{}\n" + b"\xff", "", failure_report.SILENT),
    ("one line of many", log(("a", "pi-table: first\n  second")), "exit-code", "first second"),
]


@pytest.mark.parametrize(("what", "entries", "result", "sentence"), FOUND, ids=lambda it: "")
def test_the_sentence_is(what: str, entries: bytes, result: str, sentence: str) -> None:
    assert failure_report.sentence_of(entries, result) == sentence, what


def written_by(unit: str, folder: Path, entries: bytes) -> Path:
    screen = folder / "tty"
    screen.touch()
    result = {"MONITOR_SERVICE_RESULT": "exit-code"}
    failure_report.write(
        unit, folder, screen, result, lambda asked: entries if asked == unit else b""
    )
    return screen


def test_the_engines_fault_is_there_for_everybody_to_read(tmp_path: Path) -> None:
    screen = written_by(ENGINE, tmp_path, log(*complaint(WRONG_KEY)))
    left = tmp_path / "engine"
    found = failure_report.read(left)
    assert (
        found
        == WRONG_KEY
        == "In /etc/pi-table/table.toml, there is no section [tuch]; did you mean 'touch'?"
    )
    assert translate(found, "it").startswith(
        "In /etc/pi-table/table.toml non c’è una sezione [tuch]; volevi dire"
    )
    assert stat.S_IMODE(left.stat().st_mode) == 0o644
    assert screen.read_bytes() == b""
    assert {path.name for path in tmp_path.iterdir()} == {"engine", "tty"}


NO_DISPLAY = "The console found no display to open; connect a screen…"


def on_screen(screen: Path) -> str:
    """Return the screen's text, as one line."""
    shown = screen.read_bytes().decode()
    shown.replace("\x1b", "").encode("cp437")  # the kernel's own typeface has all of it
    assert max(map(len, shown.split("\r\n"))) <= 58, "a small screen has no more columns"
    return " ".join(shown.split())


def test_the_screens_fault_stands_on_the_text_screen_in_every_language(tmp_path: Path) -> None:
    shown = on_screen(written_by(CONSOLE, tmp_path, log(("a", f"pi-table: {NO_DISPLAY}"))))
    assert failure_report.read(tmp_path / "console") == NO_DISPLAY
    assert shown.count("found no display to open; connect a screen...") == len(LANGUAGES)
    for lang in LANGUAGES:
        for words in (failure_report.SCREEN_STOPPED, failure_report.GOES_ON, failure_report.AGAIN):
            assert translate(words, lang) in shown


def test_the_text_screen_is_set_in_lines_that_break_no_name() -> None:
    shown = failure_report.on_text_screen(
        f"{NO_DISPLAY} Look for it in the file /etc/pi-table/table.toml.", None
    )
    assert shown.split("\r\n")[1:6] == [
        "The hidden screen of this table has stopped.",
        "  The console found no display to open; connect a",
        "  screen... Look for it in the file",
        "  /etc/pi-table/table.toml.",
        "The game goes on without it, and nothing of it is lost.",
    ]


@pytest.mark.parametrize("order", [(ENGINE, CONSOLE), (CONSOLE, ENGINE)])
def test_where_both_have_stopped_no_game_is_said_to_go_on(
    tmp_path: Path, order: tuple[str, str]
) -> None:
    said = {ENGINE: WRONG_KEY, CONSOLE: NO_DISPLAY}
    for unit in order:
        screen = written_by(unit, tmp_path, log(*complaint(said[unit])))
    shown = on_screen(screen)
    for lang in LANGUAGES:
        why = translate(WRONG_KEY, lang).replace("’", "'")  # which the text screen has not
        assert f"{translate(failure_report.TABLE_TOO, lang)} {why}" in shown
        assert translate(failure_report.GOES_ON, lang) not in shown
        assert translate(failure_report.AGAIN, lang) in shown
    assert shown.count("found no display to open") == len(LANGUAGES)


def test_our_own_words_are_translated_when_they_are_shown() -> None:
    for words in (*failure_report.WHY.values(), failure_report.SILENT):
        assert translate(words, "it") != words.msgid


def test_a_long_sentence_is_cut_and_still_text(tmp_path: Path) -> None:
    written_by(ENGINE, tmp_path, log(("a", "pi-table: " + "è" * 2000)))
    assert set(failure_report.read(tmp_path / "engine") or "") == {"è"}


@pytest.mark.parametrize("left", [b"", b"\n", b"\x1b\x00", b"\xff\xfe"])
def test_a_file_without_words_is_no_fault(tmp_path: Path, left: bytes) -> None:
    (tmp_path / "engine").write_bytes(left)
    assert failure_report.read(tmp_path / "engine") is None
    assert failure_report.read(tmp_path) is None
    assert failure_report.read(tmp_path / "away") is None


def test_another_service_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="not a service of the table"):
        failure_report.write("../x.service", tmp_path, tmp_path / "tty")
    assert cli.main(["fault", "ssh.service", "--out", str(tmp_path)]) == 2
    assert "name one of: pi-table-engine.service" in capsys.readouterr().err


def test_a_folder_that_is_away_is_told_with_the_sentence(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"so nobody sees .* It said: It crashed"):
        failure_report.write(
            ENGINE, tmp_path / "a", tmp_path, {"MONITOR_SERVICE_RESULT": "signal"}, _none
        )


def _none(unit: str) -> bytes:
    return b""
