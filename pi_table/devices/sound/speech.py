"""Speech synthesis by a program: espeak-ng, or another program that the configuration names.

The words come from people. So the program receives only plain text of bounded length on its
standard input, and no shell is involved. The program is killed after a bounded time or a bounded
number of output bytes.
"""

import errno
import os
import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from pi_table.common.bounded_process import Answer, BoundedProcess
from pi_table.common.errors import DeviceError
from pi_table.common.language import Lang, Say, say
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

ESPEAK: Final = ("espeak-ng", "-v", "{lang}", "-s", "150", "-g", "1", "--stdin", "--stdout")
"""150 words a minute, with an extra 10 ms between words, so that people understand it while others
talk. Without the option -m, markup is read as text."""
VOICES: Final[Mapping[Lang, str]] = {"en": "en-gb", "it": "it"}
PHONEMES: Final = re.compile(r"\[\[|\]\]")
"""Marks around phonemes, which espeak-ng reads instead of words."""


class Speech:
    """The speech program. One thread speaks lines; another may call `close`."""

    def __init__(self, command: tuple[str, ...] = ()) -> None:
        """``command`` reads a line from standard input and writes a WAV file to standard output.
        ``{lang}`` in it becomes ``en`` or ``it``. An empty command means espeak-ng."""
        self._command = command
        self._process: BoundedProcess | None = None
        self._closed = False

    def speak(self, line: Line) -> Clip:
        """Return the spoken line, at the level of speech. Raises DeviceError."""
        command = command_for(line.lang, self._command)
        program = command[0]
        try:
            process = BoundedProcess(command)
        except OSError as error:
            raise DeviceError(_cannot_run(program, error)) from None
        self._process = process
        if self._closed:
            process.stop()
        try:
            answer = process.answer(plain(line.text).encode() + b"\n", SECONDS, MAX_BYTES)
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
        return _clip(program, answer)

    def close(self) -> None:
        """Stop the running program at once. Later calls of `speak` speak nothing."""
        self._closed = True
        process = self._process
        if process is not None:
            process.stop()


def command_for(lang: Lang, command: tuple[str, ...] = ()) -> tuple[str, ...]:
    name = lang if command else VOICES[lang]
    return tuple(word.replace("{lang}", name) for word in command or ESPEAK)


def plain(text: str) -> str:
    """Return the text as plain words on one line, at most `MAX_TEXT_LENGTH` characters."""
    letters = unicodedata.normalize("NFC", PHONEMES.sub(" ", text[: 4 * MAX_TEXT_LENGTH]))
    return _visible(letters)[:MAX_TEXT_LENGTH].rstrip()


def _visible(text: str) -> str:
    seen = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in text)
    return " ".join(seen.split())


def _clip(program: str, answer: Answer) -> Clip:
    """Return the clip in the program's output. Raises DeviceError for a faulty program."""
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


def _cannot_run(program: str, error: OSError) -> str:
    if error.errno == errno.ENOENT:
        return say(
            "Nothing is spoken, because the program {program} is missing. Install it (Debian's "
            "espeak-ng is 'sudo apt install espeak-ng'), or write speech = \"off\" in [house] of "
            "the configuration.",
            program=repr(program),
        )
    said = Say(os.strerror(error.errno)) if error.errno else str(error)
    return say(
        "Nothing is spoken, because {program} cannot be started: {said}. Correct voice in "
        "[sound] of the configuration.",
        program=repr(program),
        said=said,
    )


def _no_speech(program: str, why: str) -> str:
    return say(
        "Nothing is spoken, because {program} does not write a WAV file of speech. {why} Try it "
        "in a terminal, or name another voice in [sound] of the configuration.",
        program=repr(program),
        why=why,
    )
