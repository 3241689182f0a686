"""`pi-table sounds`: write every sound and some spoken sentences as WAV files."""

from pathlib import Path
from typing import Final

from pi_table.common.errors import DeviceError, InputError
from pi_table.common.language import LANGUAGES, Words, for_reader, say, system_says, translate
from pi_table.devices.hal.contracts import Clip
from pi_table.devices.sound.loudness import Level, level_of, peak_of
from pi_table.devices.sound.scores import SCORES
from pi_table.devices.sound.speech import Speech
from pi_table.devices.sound.synthesis import synthesise
from pi_table.devices.sound.utterance import Line
from pi_table.devices.sound.wav import wav_of

SENTENCES: Final[dict[str, Words]] = {
    "turn": say("{team}’s turn", team=say("Red")),
    "turn-ends": say("The turn ends"),
    "clue": say("{team} gives the clue", team=say("Blue")),
    "wins": say("{team} wins", team=say("Red")),
    "nobody-wins": say("Nobody wins"),
}
LEVELS: Final[dict[Level, Words]] = {
    Level.AMBIENCE: say("ambience"),
    Level.EVENT: say("event"),
    Level.SPEECH: say("speech"),
    Level.DRAMA: say("drama"),
}


def write_all(folder: Path, voice: tuple[str, ...]) -> int:
    """Write the WAV files. For each file, print its length, its loudness, its peak, and the level
    for which it was made.

    If no speech program works, the spoken sentences are left out. Raises InputError if ``folder``
    cannot be written to.
    """
    for sound, score in SCORES.items():
        _write(folder, sound.value, synthesise(score), score.level)
    speech = Speech(voice)
    try:
        for lang in LANGUAGES:
            for name, words in SENTENCES.items():
                line = Line(translate(words, lang), lang)
                _write(folder, f"{lang}-{name}", speech.speak(line), Level.SPEECH, f"  {line.text}")
    except DeviceError as error:
        left_out = say(
            "The sounds are in {folder}. The spoken sentences are left out. {error}",
            folder=folder,
            error=error,
        )
        print(for_reader(left_out))
    return 0


def _write(folder: Path, name: str, clip: Clip, kind: Level, more: str = "") -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.wav").write_bytes(wav_of(clip))
    except OSError as error:
        raise InputError(
            say(
                "The sounds cannot be written to {folder}: {strerror}. Name another folder.",
                folder=folder,
                strerror=system_says(error),
            )
        ) from None
    level, peak = level_of(clip), peak_of(clip)
    told = say(
        "{name} {seconds} s  {level} dB  peak {peak} dB  {kind}{more}",
        name=f"{name:<16}",
        seconds=f"{clip.seconds:5.2f}",
        level=f"{level:6.1f}",
        peak=f"{peak:5.1f}",
        kind=LEVELS[kind],
        more=more,
    )
    print(for_reader(told))
