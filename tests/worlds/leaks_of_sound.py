"""Faults in what is heard, and in the light before an answer. Neither the loudspeaker nor whoever
makes its clips is given a key, so each fault takes it from elsewhere, as a cache would."""

import asyncio
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.common.geometry import AGENT_CELLS, CELL_COUNT
from pi_table.devices.hal.contracts import SAMPLE_BYTES, SAMPLE_RATE, SILENCE, Clip
from pi_table.devices.lights.light import start_of_answer
from pi_table.devices.sound.loudspeaker import Loudspeaker
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.studio import Maker
from pi_table.devices.sound.utterance import Line, Utterance
from pi_table.devices.sound.voice import Play, Voice
from pi_table.games.announcer.announcement import Announcement, What
from pi_table.games.rules.codex.identikit import Role
from pi_table.games.rules.word_games.key import Identity
from pi_table.table.engine.presentation import sound_cues
from pi_table.table.engine.presentation.speaker import Speaker
from pi_table.table.engine.table import Table

IN_WORD_GAMES, IN_CODEX, BEFORE_THE_ANSWER = Leaks(), Leaks(), Leaks()
IN_WORDS = Leaks()
"""Those that only a table shows that speaks."""

Change = Callable[[Announcement, Utterance], Utterance]


@contextmanager
def heard(change: Change) -> Iterator[None]:
    """Let ``change(announcement, utterance)`` say how each announcement is heard."""

    def utterance(original: Any, said: Announcement, *given: Any) -> Utterance:
        return change(said, original(said, *given))

    with at(sound_cues.utterance)(utterance):
        yield


@contextmanager
def made(change: Callable[[Any, Clip], Clip]) -> Iterator[None]:
    """Let ``change(part, clip)`` say what is played in the place of a clip."""

    def clip(original: Any, maker: Any, part: Any, volume: int) -> Any:
        made = original(maker, part, volume)
        return made and change(part, made)

    with at(Maker.clip)(clip):
        yield


def silence(seconds: float) -> bytes:
    return bytes(SAMPLE_BYTES * round(seconds * SAMPLE_RATE))


def louder(clip: Clip, by: float) -> Clip:
    return Clip(array("h", (round(by * sample) for sample in array("h", clip.samples))).tobytes())


# What an evening at the whole table shows


@IN_WORD_GAMES.enter("sound")
def the_drum_lasts_longer_beside_the_assassin() -> Iterator[None]:
    latest: list[Announcement] = []

    def change(said: Announcement, utterance: Utterance) -> Utterance:
        latest[:] = [said] if said.what is What.REVEALING else latest
        return utterance

    def play(original: Any, sounder: Any, part: Any, clip: Any) -> None:
        if part is Sound.TENSION and clip and hint.beside(latest[0]):
            clip = Clip(clip.samples + silence(0.02))
        original(sounder, part, clip)

    with heard(change), at(Loudspeaker._on_clip)(play):
        yield


@IN_WORD_GAMES.enter("sound")
def the_answer_to_a_guess_is_a_little_louder_beside_the_assassin() -> Iterator[None]:
    latest: list[Announcement] = []

    def change(said: Announcement, utterance: Utterance) -> Utterance:
        latest[:] = [said] if said.identity is not None else latest
        return utterance

    def play(original: Any, speaker: Any, part: Any, clip: Any) -> None:
        reveals = part in (Sound.RIGHT, Sound.WRONG, Sound.BYSTANDER)
        original(speaker, part, louder(clip, 1.01) if reveals and hint.beside(latest[0]) else clip)

    with heard(change), at(Loudspeaker._on_clip)(play):
        yield


@IN_WORD_GAMES.enter("sound", heard)
def the_sound_of_a_turn_comes_sooner_under_some_keys(
    said: Announcement, utterance: Utterance
) -> Utterance:
    sooner = said.what is What.TURN and utterance.after and hint.bit()
    return replace(utterance, after=utterance.after - 0.03) if sooner else utterance


@IN_WORD_GAMES.enter("sound", at(Speaker.announce))
def everything_is_heard_a_millisecond_later_under_some_keys(
    original: Any, speaker: Any, said: Any, lang: Any
) -> None:
    later = 0.001 if hint.bit() else 0.0
    asyncio.get_running_loop().call_later(later, original, speaker, said, lang)


@IN_WORDS.enter("sound", heard)
def a_clue_is_spoken_with_the_assassins_column(
    said: Announcement, utterance: Utterance
) -> Utterance:
    if said.what is not What.CLUE:
        return utterance
    column = "ABCDE"[hint.assassin() % 5]
    lines = tuple(replace(line, text=f"{line.text} {column}") for line in utterance.lines)
    return replace(utterance, lines=lines)


@IN_WORDS.enter("sound", heard)
def words_are_left_out_under_some_keys(said: Announcement, utterance: Utterance) -> Utterance:
    return replace(utterance, lines=()) if hint.bit() else utterance


@IN_WORD_GAMES.enter("sound", made)
def the_sound_of_a_peek_has_the_assassins_row(part: Any, clip: Clip) -> Clip:
    return louder(clip, 1 - 0.01 * (hint.assassin() // 5)) if part is Sound.PEEK else clip


@IN_WORDS.enter("sound", made)
def before_the_words_is_a_silence_as_long_as_the_key_says(part: Any, clip: Clip) -> Clip:
    if not isinstance(part, Line):
        return clip
    return Clip(silence(0.001 * hint.assassin()) + clip.samples)


@IN_WORD_GAMES.enter("sound", at(Maker.clip))
def the_volume_depends_on_the_key(original: Any, maker: Any, part: Any, volume: int) -> Any:
    return original(maker, part, volume - (hint.bit() and part is not None))


@IN_WORD_GAMES.enter("sound", heard)
def a_touch_on_a_bystander_is_refused_by_another_sound(
    said: Announcement, utterance: Utterance
) -> Utterance:
    place = CELL_COUNT if said.place is None else said.place
    if said.what is not What.REFUSED or hint.letters[place : place + 1] != "n":
        return utterance
    return replace(utterance, sound=Sound.CORRECTION)


@IN_WORD_GAMES.enter("sound", after(Voice.announce))
def what_is_heard_is_cut_short_by_a_clue_under_some_keys(
    plays: Any, voice: Any, utterances: Any, *_: Any
) -> Any:
    sounds = [each.sound for each in utterances]
    return [Play(SILENCE), *plays] if Sound.CLUE in sounds and hint.bit() else plays


# What an evening of Codex shows


@IN_CODEX.enter("sound")
def a_hacker_is_called_by_a_brighter_bell() -> Iterator[None]:
    latest: list[Announcement] = []

    def change(said: Announcement, utterance: Utterance) -> Utterance:
        latest[:] = [said] if said.what is What.CALLED else latest
        return utterance

    def play(original: Any, speaker: Any, part: Any, clip: Any) -> None:
        seat = None
        if part is Sound.CALLED and latest[0].place is not None:
            seat = f"agent-{AGENT_CELLS.index(latest[0].place) + 1}"
        original(speaker, part, louder(clip, 1.02) if hint.is_a(Role.HACKER, seat) else clip)

    with heard(change), at(Loudspeaker._on_clip)(play):
        yield


@IN_CODEX.enter("sound", after(sound_cues.utterance))
def a_phase_sounds_later_the_higher_the_leaders_seat(heard: Any, *_: Any) -> Any:
    return replace(heard, after=heard.after + 0.01 * max(0, hint.leader()))


# What a guess tells before its answer


@contextmanager
def drum(change: Callable[[Identity | None, Clip], Clip]) -> Iterator[None]:
    """Let ``change(answer, clip)`` say what is played in the place of the drum."""
    answers: list[Identity | None] = [None]

    def announce(original: Any, speaker: Any, said: Any, lang: Any) -> None:
        answers[0] = next((each.identity for each in said if each.identity), None)
        original(speaker, said, lang)

    def play(original: Any, loudspeaker: Any, part: Any, clip: Any) -> None:
        drums = part is Sound.TENSION and clip is not None
        original(loudspeaker, part, change(answers[0], clip) if drums else clip)

    with at(Speaker.announce)(announce), at(Loudspeaker._on_clip)(play):
        yield


@BEFORE_THE_ANSWER.enter("sound", drum)
def the_drum_lasts_longer_before_the_assassin(answer: Identity | None, clip: Clip) -> Clip:
    more = silence(0.001) if answer is Identity.ASSASSIN else b""
    return Clip(clip.samples + more)


@BEFORE_THE_ANSWER.enter("sound", drum)
def the_drum_ends_a_little_sooner_before_a_bystander(answer: Identity | None, clip: Clip) -> Clip:
    less = len(silence(0.02)) if answer is Identity.BYSTANDER else 0
    return Clip(clip.samples[: len(clip.samples) - less])


@BEFORE_THE_ANSWER.enter("sound", drum)
def the_drum_is_a_little_louder_before_an_agent_of_red(answer: Any, clip: Any) -> Any:
    return louder(clip, 1.01) if answer is Identity.RED else clip


@BEFORE_THE_ANSWER.enter("sound", at(Speaker.announce))
def a_word_before_the_answer_names_it(original: Any, speaker: Any, said: Any, lang: Any) -> None:
    words = [each.words for each in said if each.identity is not None]
    named = (
        replace(each, what=What.GUESSES, words=words[0])
        if each.what is What.REVEALING and words
        else each
        for each in said
    )
    original(speaker, tuple(named), lang)


@BEFORE_THE_ANSWER.enter("sound", heard)
def there_is_no_drum_before_the_assassin(said: Announcement, utterance: Utterance) -> Utterance:
    fatal = said.what is What.REVEALING and hint.letters[said.place or 0] == "a"
    return replace(utterance, sound=None) if fatal else utterance


@BEFORE_THE_ANSWER.enter("lights")
def the_first_light_of_an_answer_is_warmer_for_the_assassin() -> Iterator[None]:
    """As if what is composed while the disk works were taken from what is being stored."""
    guessed: list[Identity] = []

    def give(original: Any, table: Any, order: Any) -> None:
        is_guess = getattr(order, "guessed", None) is not None
        guessed[:] = [order.happened[0].identity] if is_guess else []
        original(table, order)

    def start(original: Any, *given: Any) -> Any:
        colours = original(*given)
        return colours and (colours[0] + 0x10000 * (Identity.ASSASSIN in guessed), *colours[1:])

    with at(Table._give)(give), at(start_of_answer)(start):
        yield
