"""Speech synthesis by a program: espeak-ng, or another program that the configuration names.

The words come from people and may be harmful. So the program receives only plain text of limited
length on its standard input, and no shell is involved. The program is killed if it takes too long
or writes too many bytes.
"""

import errno
import os
import re
import unicodedata
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from pi_table.common.bounded_process import Answer, BoundedProcess
from pi_table.common.errors import DeviceError
from pi_table.common.language import Lang, Say, Words, say
from pi_table.devices.hal.contracts import SAMPLE_BYTES, Clip
from pi_table.devices.sound.loudness import Level, samples_of, set_level, trim
from pi_table.devices.sound.utterance import Line
from pi_table.devices.sound.wav import HIGHEST_RATE, MAX_CHANNELS, clip_in

SECONDS: Final = 3.0
"""Timeout in seconds for the program to speak a line."""
MAX_TEXT_LENGTH: Final = 200
"""Maximum number of characters in one line: about 15 s of speech."""
MAX_SECONDS: Final = 20
MAX_BYTES: Final = MAX_SECONDS * HIGHEST_RATE * SAMPLE_BYTES * MAX_CHANNELS
MAX_MESSAGE_LENGTH: Final = 80


class NamedVoice(msgspec.Struct, frozen=True):
    """A voice that the configuration can select by one word."""

    command: tuple[str, ...]
    names: Mapping[Lang, str]
    """For each language, the program's own name for it; this name replaces ``{lang}`` in
    ``command``."""
    install: Words
    """The command that installs the program."""


DEFAULT: Final = "espeak-ng"
VOICES: Final = {
    # 150 words a minute, with an extra 10 ms between words, so that people understand it while
    # others talk. Without the option -m, markup is read as text.
    DEFAULT: NamedVoice(
        ("espeak-ng", "-v", "{lang}", "-s", "150", "-g", "1", "--stdin", "--stdout"),
        {"en": "en-gb", "it": "it"},
        say("Debian's espeak-ng is 'sudo apt install espeak-ng'"),
    ),
    "pico": NamedVoice(
        ("pico2wave", "-l", "{lang}", "-w", "{wav}"),
        {"en": "en-GB", "it": "it-IT"},
        say("'sudo apt install libttspico-utils', from Debian's section non-free"),
    ),
}
"""The voices that the configuration can select by name."""
MARKUP: Final = re.compile(r"\[\[|\]\]|[<>]")
"""The markup of espeak-ng's phonemes and of pico2wave's tags, which is removed from a text."""


class Speech:
    """The speech program. One thread calls `speak`; another thread may call `close`."""

    def __init__(self, command: tuple[str, ...] = ()) -> None:
        """Prepare the speech program without running it.

        ``command`` is the name of a voice in `VOICES`, or a command line. The program of a command
        line reads a line from its standard input and writes a WAV file to its standard output. If
        an argument is ``{wav}``, it becomes the name of a file, and the program writes that file
        instead. ``{lang}`` becomes ``en`` or ``it``. An empty command means espeak-ng.
        """
        self._command = command
        self._process: BoundedProcess | None = None
        self._closed = False

    def speak(self, line: Line) -> Clip:
        """Return the spoken line as a clip of the level `SPEECH`. Raises DeviceError if the program
        fails."""
        command = command_for(line.lang, self._command)
        program = command[0]
        with ExitStack() as stack:
            wav = None
            try:
                if "{wav}" in command:
                    wav = Path(stack.enter_context(TemporaryDirectory()), "speech.wav")
                    command = tuple(str(wav) if word == "{wav}" else word for word in command)
                process = BoundedProcess(command)
            except OSError as error:
                raise DeviceError(self._cannot_run(program, error)) from None
            answer = self._answer(process, program, line.text)
            if wav is not None:
                answer = msgspec.structs.replace(answer, output=_content(wav))
        return _clip(program, answer)

    def _answer(self, process: BoundedProcess, program: str, text: str) -> Answer:
        self._process = process
        if self._closed:
            process.stop()
        try:
            return process.answer(plain(text).encode() + b"\n", SECONDS, MAX_BYTES)
        except TimeoutError:
            raise DeviceError(
                say(
                    "Nothing is spoken, because {program} takes longer than {seconds} s for a "
                    "line. Try it in a terminal, or name another voice in [sound] of the "
                    "configuration.",
                    program=repr(program),
                    seconds=f"{SECONDS:.0f}",
                )
            ) from None
        except OverflowError:
            raise DeviceError(_no_speech(program, say("It does not end."))) from None
        finally:
            self._process = None

    def _cannot_run(self, program: str, error: OSError) -> str:
        if error.errno == errno.ENOENT and error.filename == program:
            voice = _find_voice(self._command) or VOICES[DEFAULT]
            return say(
                "Nothing is spoken, because the program {program} is missing. Install it "
                '({install}), or write speech = "off" in [house] of the configuration.',
                program=repr(program),
                install=voice.install,
            )
        said = Say(os.strerror(error.errno)) if error.errno else str(error)
        return say(
            "Nothing is spoken, because {program} cannot be started: {said}. Correct voice in "
            "[sound] of the configuration.",
            program=repr(program),
            said=said,
        )

    def close(self) -> None:
        """Stop the running program at once. After that, `speak` raises DeviceError."""
        self._closed = True
        process = self._process
        if process is not None:
            process.stop()


def command_for(lang: Lang, command: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the command line, as a list of words, that speaks this language."""
    voice = _find_voice(command)
    name = lang if voice is None else voice.names[lang]
    words = command if voice is None else voice.command
    return tuple(word.replace("{lang}", name) for word in words)


def _find_voice(command: tuple[str, ...]) -> NamedVoice | None:
    """Return the voice if ``command`` is the name of a voice; None if it is a command line."""
    return VOICES.get(" ".join(command or (DEFAULT,)))


def plain(text: str) -> str:
    """Return the text as plain words on one line, at most `MAX_TEXT_LENGTH` characters."""
    letters = unicodedata.normalize("NFC", MARKUP.sub(" ", text[: 4 * MAX_TEXT_LENGTH]))
    return _visible(letters)[:MAX_TEXT_LENGTH].rstrip()


def _visible(text: str) -> str:
    seen = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in text)
    return " ".join(seen.split())


def _content(wav: Path) -> bytes:
    """Return the first `MAX_BYTES` of the program's file; empty if there is no file."""
    try:
        with wav.open("rb") as file:
            return file.read(MAX_BYTES)
    except OSError:
        return b""


def _clip(program: str, answer: Answer) -> Clip:
    """Return the clip in the program's output. Raises DeviceError if the program failed."""
    if answer.status != 0:
        said = _visible(answer.said)[-MAX_MESSAGE_LENGTH:].rstrip(".")
        what = say("It ended with {status}", status=answer.status) + (
            say(" and said: {said}", said=said) if said else ""
        )
        raise DeviceError(_no_speech(program, what + "."))
    try:
        clip = clip_in(answer.output)
    except ValueError as error:
        raise DeviceError(_no_speech(program, str(error))) from None
    if clip.seconds > MAX_SECONDS:
        raise DeviceError(_no_speech(program, say("It speaks for too long.")))
    return set_level(trim(samples_of(clip)), Level.SPEECH)


def _no_speech(program: str, why: str) -> str:
    return say(
        "Nothing is spoken, because {program} does not write a WAV file of speech. {why} Try it "
        "in a terminal, or name another voice in [sound] of the configuration.",
        program=repr(program),
        why=why,
    )
