"""Words are spoken by the real espeak-ng; whatever is wrong with a program that speaks is told."""

import os
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from patience import PATIENCE
from processes import children, forget_others

from pi_table.common.errors import DeviceError
from pi_table.common.language import Lang
from pi_table.devices.hal.contracts import SAMPLE_RATE
from pi_table.devices.sound import speech
from pi_table.devices.sound.loudness import PEAK, Level, level_of, peak_of
from pi_table.devices.sound.speech import MAX_TEXT_LENGTH, Speech, command_for, plain
from pi_table.devices.sound.utterance import Line
from pi_table.devices.sound.wav import wav_of

Program = Callable[[str], tuple[str, ...]]


@pytest.fixture(autouse=True)
def _begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may let the program wait for longer than a table would."""
    forget_others()
    monkeypatch.setattr(speech, "SECONDS", PATIENCE)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Makes a command of a shell script."""

    def program(text: str) -> tuple[str, ...]:
        path = tmp_path / "voice"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return (str(path), "{lang}")

    return program


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def alive(group: int) -> list[str]:
    """The processes of this group that still run: their entries in /proc."""
    entries = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            entries.append(path.read_text())
    fields = {entry: entry.rpartition(")")[2].split() for entry in entries}
    return [each for each, field in fields.items() if field[0] != "Z" and field[2] == str(group)]


def phonemes(text: str, lang: Lang) -> str:
    """The sounds that espeak-ng makes of the text, with our settings, in the letters of the IPA."""
    heard = subprocess.run(
        [word for word in command_for(lang) if word != "--stdout"] + ["-q", "--ipa"],
        input=plain(text) + "\n",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return heard.strip().rstrip("_")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Flight, three."),
        ("it", "Volo, tre."),
        ("en", "It is the red team's turn."),
        ("it", "Perché no? Tocca ai rossi."),
    ],
)
def test_a_line_is_spoken_at_the_level_of_speech(lang: Lang, text: str) -> None:
    clip = Speech().speak(Line(text, lang))
    assert 0.4 < clip.seconds < 4
    assert level_of(clip) == pytest.approx(Level.SPEECH.value, abs=0.1)
    assert peak_of(clip) <= PEAK + 0.01


def test_the_same_line_is_spoken_alike_and_another_is_not() -> None:
    voice = Speech()
    lines = [
        *(Line(word, "en") for word in ("flight", "fright", "light", "knight", "night", "Flight")),
        *(Line(word, "it") for word in ("volo", "vole", "flight", "penna", "pena")),
    ]
    clips = [voice.speak(line) for line in lines]
    assert [voice.speak(line) for line in lines] == clips
    alike = {(a, b) for a in range(11) for b in range(a) if clips[a] == clips[b]}
    assert alike == {(4, 3), (5, 0)}  # "night" sounds as "knight", and "Flight" as "flight"


@pytest.mark.parametrize(
    ("lang", "word", "sounds"),
    [
        ("en", "flight", "flˈaɪt"),
        ("en", "knight", "nˈaɪt"),
        ("en", "three", "θɹˈiː"),
        ("en", "BAR", "bˈɑː"),
        ("en", "unlimited", "ʌnlˈɪmɪtɪd"),
        ("it", "volo", "vˈolo"),
        ("it", "perché", "perkˈe"),
        ("it", "gnocchi", "ɲˈokːɪ"),
        ("it", "tre", "trˈe"),
    ],
)
def test_a_word_is_spoken_by_the_sounds_that_it_has(lang: Lang, word: str, sounds: str) -> None:
    assert phonemes(word, lang) == sounds


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[[h@l'oU]] there", "h@l'oU there"),
        ("[\0[h@l'oU]\x01]", "[ [h@l'oU] ]"),
        ("[[[[[", "["),
        ("one\ntwo\r\n\x1b[2Jthree\x00", "one two [2Jthree"),
        ("a\u202eb\u200bc\ud800", "a b c"),
        ("  wide \u3000 spaces ", "wide spaces"),
        ("perche\u0301", "perché"),
        ("<play file='/etc/passwd'/> 3 < 4", "play file='/etc/passwd'/ 3 4"),
        ("", ""),
    ],
)
def test_nothing_but_plain_words_reaches_the_program(text: str, left: str) -> None:
    assert plain(text) == left


def test_markup_and_phonemes_of_guests_are_read_as_text() -> None:
    assert phonemes('<say-as interpret-as="characters">ab</say-as>', "en") != phonemes("ab", "en")
    assert "həlˈəʊ" not in phonemes("[[h@l'oU]]", "en")
    assert phonemes("-f /etc/passwd", "en")


def test_a_text_without_end_is_cut(program: Program) -> None:
    said = Speech(program('cat >"$0.heard"; exit 7'))
    with pytest.raises(DeviceError):
        said.speak(Line("word " * 1_000_000, "en"))
    heard = Path(f"{program('')[0]}.heard").read_text()
    assert len(heard) <= MAX_TEXT_LENGTH + 1
    assert {*heard.split()} == {"word"}


def test_the_longest_text_is_spoken() -> None:
    text = "seventy seven thousand " * 10
    assert 5 < Speech().speak(Line(text, "en")).seconds < 20
    assert Speech().speak(Line("W" * MAX_TEXT_LENGTH, "it")).seconds > 5


def test_a_text_with_nothing_to_say_is_short_and_no_fault() -> None:
    for text in ("", " ", "\0", "…", "[[]]"):
        assert Speech().speak(Line(text, "en")).seconds < 1


def test_another_voice_is_asked_in_the_language_and_given_the_text(
    program: Program, tmp_path: Path
) -> None:
    clip = Speech().speak(Line("volo", "it"))
    (tmp_path / "spoken.wav").write_bytes(wav_of(clip))
    voice = Speech(program(f'echo "$1: $(cat)" >{tmp_path}/asked; cat {tmp_path}/spoken.wav'))
    assert voice.speak(Line("$(reboot); `x` \"'\\", "it")).seconds == clip.seconds
    assert (tmp_path / "asked").read_text() == "it: $(reboot); `x` \"'\\\n"


@pytest.mark.parametrize(("lang", "name"), [("en", "en-GB"), ("it", "it-IT")])
def test_pico_is_asked_in_the_language_for_a_file_that_is_read_and_removed(
    lang: Lang, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in is as Debian's pico2wave: it writes only to a file whose name ends in .wav."""
    spoken = Speech().speak(Line("volo", "it"))
    (tmp_path / "spoken.wav").write_bytes(wav_of(spoken))
    pico = tmp_path / "pico2wave"
    pico.write_text(
        f'#!/bin/sh\necho "$*: $(cat)" >{tmp_path}/asked\n'
        f'case "$4" in *.wav) cat {tmp_path}/spoken.wav >"$4" ;; *) exit 1 ;; esac\n'
    )
    pico.chmod(pico.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = {*tmp_path.iterdir()}
    clip = Speech(("pico",)).speak(Line("volo", lang))
    assert clip.seconds == pytest.approx(spoken.seconds, abs=0.01)
    assert level_of(clip) == pytest.approx(Level.SPEECH.value, abs=0.1)
    assert {*tmp_path.iterdir()} - before == {tmp_path / "asked"}
    asked = (tmp_path / "asked").read_text()
    assert asked.startswith(f"-l {name} -w {tmp_path}/")
    assert asked.endswith("/speech.wav: volo\n")


def test_pico_that_is_missing_is_told_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeviceError, match=r"'pico2wave' is missing.*libttspico-utils.*non-free"):
        Speech(("pico",)).speak(Line("hello", "en"))


def test_pico_that_writes_no_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pico2wave").symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeviceError, match=r"'pico2wave' does not write .* It is not a WAV file"):
        Speech(("pico",)).speak(Line("hello", "en"))


def test_without_room_for_the_file_of_pico_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(DeviceError, match="'pico2wave' cannot be started: No such file"):
        Speech(("pico",)).speak(Line("hello", "en"))


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("exit 3", "It ended with 3."),
        ("echo no such model >&2; exit 1", "It ended with 1 and said: no such model."),
        ("kill -9 $$", "It ended with -9."),
        ("true", "It is not a WAV file."),
        ("head -c 100000 /dev/urandom", "It is not a WAV file."),
        ("cat /dev/zero", "It does not end."),
        ("exec <&- ; yes rubbish", "It does not end."),
        ("yes $(printf '\\033[2J') | head -c 1000000 >&2; exit 1", "It ended with 1 and said: "),
        ("printf 'RIFF\\0\\0\\0\\0WAVE'", "It is not a WAV file."),
    ],
)
def test_a_program_that_writes_no_speech_is_told(program: Program, script: str, says: str) -> None:
    with pytest.raises(DeviceError) as error:
        Speech(program(script)).speak(Line("hello", "en"))
    assert says in str(error.value)
    assert "does not write a WAV file of speech" in str(error.value)
    assert len(str(error.value)) < 400
    assert str(error.value).isprintable()
    assert children() == []


def test_a_program_that_is_missing_is_told_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeviceError, match=r"'espeak-ng' is missing.*sudo apt install espeak-ng"):
        Speech().speak(Line("hello", "en"))


def test_a_program_that_may_not_be_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="cannot be started: Permission denied"):
        Speech((str(tmp_path),)).speak(Line("hello", "en"))


@pytest.mark.parametrize(
    "script",
    [
        "exec sleep 600",
        "sleep 600",
        "sleep 600 & exit 0",
        "exec >&- 2>&-; exec sleep 600",
        "trap '' 15; sleep 600",
    ],
)
def test_a_program_that_hangs_is_ended_with_all_that_it_started(
    program: Program, script: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(speech, "SECONDS", 0.2)
    before = open_files()
    with pytest.raises(DeviceError, match="takes longer than"):
        Speech(program(f"echo $$ >{tmp_path}/group; {script}")).speak(Line("hello", "en"))
    group = int((tmp_path / "group").read_text())
    assert children() == []
    assert open_files() == before
    end = time.monotonic() + PATIENCE  # what was killed may take a moment to go
    while alive(group):
        assert time.monotonic() < end


def test_closed_it_ends_whoever_speaks_and_lets_nobody_begin(program: Program) -> None:
    voice = Speech(program("exec sleep 600"))
    timer = threading.Timer(0.1, voice.close)
    timer.start()
    for _ in range(2):
        with pytest.raises(DeviceError, match="ended with -9"):
            voice.speak(Line("hello", "en"))
    timer.join()


def test_the_rate_of_clips_is_the_one_that_espeak_ng_has() -> None:
    made = subprocess.run(
        command_for("en"), input=b"hello\n", capture_output=True, check=True
    ).stdout
    assert int.from_bytes(made[24:28], "little") == SAMPLE_RATE
