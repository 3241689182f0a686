"""The whole way: from an announcement to what a loudspeaker was given."""

import asyncio
import os
import stat
import threading
import time
import wave
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from ear import Ear
from patience import PATIENCE, serve_until
from processes import children, forget_others

from pi_table.common.errors import DeviceError
from pi_table.devices.hal.alsa import Alsa
from pi_table.devices.hal.contracts import SAMPLE_RATE, SILENCE, Clip
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.sound import speech, studio, voice
from pi_table.devices.sound.loudness import Level, at_volume, level_of
from pi_table.devices.sound.loudspeaker import Loudspeaker
from pi_table.devices.sound.scores import SCORES
from pi_table.devices.sound.settings import Settings
from pi_table.devices.sound.sounds import REVEALS, Sound
from pi_table.devices.sound.speech import SECONDS, Speech
from pi_table.devices.sound.studio import (
    LINES_KEPT,
    MAX_WAITING_ORDERS,
    SOUNDS_KEPT,
    Made,
    Maker,
    OnThreads,
)
from pi_table.devices.sound.synthesis import Score, synthesise
from pi_table.devices.sound.utterance import Line, Part, Utterance

LOUDEST = Settings(volume=100, speech="game")


class AtOnce:
    """A studio that makes each clip while the caller waits."""

    def __init__(self, speech: Speech) -> None:
        self._maker = Maker(speech, SOUNDS_KEPT + LINES_KEPT)

    def order(self, part: Part, volume: int, made: Made) -> None:
        made(self._maker.clip(part, volume))

    @property
    def trouble(self) -> str | None:
        return self._maker.trouble

    def close(self) -> None:
        """Do nothing: no clip is ever in progress."""


class InVirtualTime:
    """A loudspeaker of a simulated table, and what was played with its times."""

    def __init__(self, settings: Settings = LOUDEST, speech: Speech | None = None) -> None:
        self.now = 0.0
        self.minute = 720
        self.played: list[tuple[float, Clip]] = []
        self.table = SimulatedTable()
        self.table.on_play = lambda clip: self.played.append((self.now, clip))
        self.studio = AtOnce(speech or Speech())
        self.loudspeaker = Loudspeaker(
            self.table, self.studio, settings, lambda: self.now, lambda: self.minute
        )
        self.loudspeaker.switch_on()

    def until(self, at: float) -> None:
        while (wakes := self.loudspeaker.wakes) is not None and wakes <= at:
            self.now = wakes
            self.loudspeaker.pass_time()
        self.now = at


def sound_of(sound: Sound) -> Clip:
    return synthesise(SCORES[sound])


def said(text: str) -> tuple[Line, ...]:
    return (Line(text, "en"),)


def test_an_announcement_is_played_as_its_sound_and_its_words() -> None:
    room = InVirtualTime()
    room.loudspeaker.announce((Utterance(Sound.CLUE, said("flight, three")),))
    room.until(60)
    words = Speech().speak(Line("flight, three", "en"))
    began = sound_of(Sound.CLUE).seconds
    assert room.played == [(0.0, sound_of(Sound.CLUE)), (began, words)]


def test_the_volume_of_the_house_is_that_of_what_is_played() -> None:
    room = InVirtualTime(Settings(volume=50))
    room.loudspeaker.announce((Utterance(Sound.CLUE),))
    room.loudspeaker.change(Settings(volume=80))
    room.until(10)
    room.loudspeaker.announce((Utterance(Sound.CLUE),))
    clue = sound_of(Sound.CLUE)
    assert room.played == [(0.0, at_volume(clue, 50)), (10.0, at_volume(clue, 80))]


def test_at_another_volume_no_sound_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Score] = []

    def count(score: Score) -> Clip:
        made.append(score)
        return synthesise(score)

    monkeypatch.setattr(studio, "synthesise", count)
    maker = Maker(Speech(), SOUNDS_KEPT)
    clips = [maker.clip(Sound.CLUE, volume) for volume in (50, 80, 100)]
    assert clips == [at_volume(sound_of(Sound.CLUE), volume) for volume in (50, 80, 100)]
    assert made == [SCORES[Sound.CLUE]]


@pytest.mark.parametrize(
    "settings", [Settings(muted=True), Settings(volume=0), Settings(quiet=(700, 730))]
)
def test_what_is_announced_while_the_house_is_silent_is_never_heard(settings: Settings) -> None:
    room = InVirtualTime(settings)
    room.loudspeaker.announce((Utterance(Sound.WIN, said("red wins"), important=True),))
    assert room.loudspeaker.wakes is None
    room.loudspeaker.change(LOUDEST)
    room.until(60)
    assert room.played == []


def test_muted_in_the_middle_of_a_sound_it_is_silent_at_once() -> None:
    room = InVirtualTime()
    room.loudspeaker.announce((Utterance(Sound.WIN, said("red wins")),))
    room.until(0.5)
    room.loudspeaker.change(Settings(muted=True))
    room.until(60)
    assert room.played == [(0.0, sound_of(Sound.WIN)), (0.5, SILENCE)]


def test_what_is_played_before_the_quiet_hours_is_played_to_its_end() -> None:
    room = InVirtualTime(Settings(volume=100, speech="game", quiet=(721, 722)))
    room.loudspeaker.announce((Utterance(Sound.CLUE, said("flight")),))
    room.minute = 721
    room.until(10)
    assert len(room.played) == 2
    room.loudspeaker.announce((Utterance(Sound.CLUE, said("flight")),))
    assert len(room.played) == 2


def test_after_closing_nothing_is_heard() -> None:
    room = InVirtualTime()
    room.loudspeaker.announce((Utterance(Sound.WIN),))
    room.loudspeaker.close()
    room.loudspeaker.close()
    room.loudspeaker.announce((Utterance(Sound.CLUE),))
    room.loudspeaker.change(LOUDEST)
    room.until(60)
    assert room.played == [(0.0, sound_of(Sound.WIN)), (0.0, SILENCE)]
    assert room.loudspeaker.wakes is None


def test_without_a_program_that_speaks_sounds_go_on_and_that_is_told_once_and_when_it_is_back(
    tmp_path: Path,
) -> None:
    voice = tmp_path / "voice"
    told: list[str | None] = []
    room = InVirtualTime(speech=Speech((str(voice),)))

    def look() -> None:
        if told[-1:] != [room.loudspeaker.trouble]:
            told.append(room.loudspeaker.trouble)

    for at in (0.0, 10.0):
        room.until(at)
        room.loudspeaker.announce((Utterance(Sound.CLUE, said("flight")),))
        look()
    voice.write_text("#!/bin/sh\nexec espeak-ng --stdin --stdout\n")
    voice.chmod(voice.stat().st_mode | stat.S_IXUSR)
    room.until(20)
    room.loudspeaker.announce((Utterance(Sound.CLUE, said("flight")),))
    room.until(30)
    look()
    assert [clip for _, clip in room.played[:3]] == [sound_of(Sound.CLUE)] * 3
    assert len(room.played) == 4
    assert len(told) == 2
    assert "is missing" in str(told[0])
    assert told[1] is None


def test_the_trouble_of_the_device_is_told_and_goes() -> None:
    room = InVirtualTime()
    room.table.break_speaker("The loudspeaker is wet.")
    room.loudspeaker.announce((Utterance(Sound.CLUE),))
    room.until(10)
    assert room.loudspeaker.trouble == "The loudspeaker is wet."
    room.table.mend_speaker()
    assert room.loudspeaker.trouble is None
    room.loudspeaker.announce((Utterance(Sound.CLUE),))
    assert room.played == [(10.0, sound_of(Sound.CLUE))]


def test_the_same_announcements_at_the_same_times_make_the_same_samples_at_the_same_times() -> None:
    def played() -> list[tuple[float, Clip]]:
        room = InVirtualTime()
        for number, sound in enumerate(Sound):
            room.loudspeaker.announce((Utterance(sound, said(f"number {number % 3}")),))
            room.until(room.now + number % 4 * 0.7)
        room.until(100)
        return room.played

    assert played() == played()


@pytest.mark.parametrize("reveal", REVEALS, ids=lambda sound: sound.value)
def test_up_to_a_reveal_all_identities_sound_alike_and_the_reveal_lasts_as_long(
    reveal: Sound,
) -> None:
    room = InVirtualTime(Settings(volume=100))
    room.loudspeaker.announce((Utterance(Sound.TENSION), Utterance(reveal, after=1.0)))
    room.until(60)
    assert [(at, clip.seconds) for at, clip in room.played] == [(0.0, 1.0), (1.0, 1.0)]
    assert room.played[0][1] == sound_of(Sound.TENSION)


def test_what_was_made_is_kept_within_bounds() -> None:
    made: list[Line] = []

    class Quick(Speech):
        def speak(self, line: Line) -> Clip:
            made.append(line)
            return Clip(bytes(2 * SAMPLE_RATE))

    maker = Maker(Quick(), LINES_KEPT)
    for _ in range(2):
        maker.clip(Line("again", "en"), 100)
    assert made == [Line("again", "en")]
    for number in range(200):
        maker.clip(Line(str(number), "en"), 100)
        maker.clip(Line("again", "en"), 100)
    assert made.count(Line("again", "en")) == 1
    assert maker._bytes == sum(len(clip.samples) for clip in maker._kept.values())
    assert maker._bytes <= LINES_KEPT
    maker.clip(Line("0", "en"), 100)
    assert made.count(Line("0", "en")) == 2


def test_while_a_voice_fails_a_cached_line_tries_it_again() -> None:
    failing: list[str] = []
    made: list[Line] = []

    class Moody(Speech):
        def speak(self, line: Line) -> Clip:
            if failing:
                raise DeviceError(failing[0])
            made.append(line)
            return Clip(bytes(2 * SAMPLE_RATE))

    cached, new = Line("turn", "en"), Line("flight", "en")
    maker = Maker(Moody(), LINES_KEPT)
    clip = maker.clip(cached, 100)
    failing.append("Nothing is spoken.")
    assert maker.clip(cached, 100) == clip
    assert maker.trouble is None  # the line is cached, so nothing was tried
    assert maker.clip(new, 100) is None
    assert maker.clip(cached, 100) == clip
    assert maker.trouble == "Nothing is spoken."
    failing.clear()
    assert maker.clip(cached, 100) == clip
    assert (maker.trouble, made) == (None, [cached, cached])
    assert maker.clip(cached, 100) == clip
    assert made == [cached, cached]
    assert maker._bytes == sum(len(kept.samples) for kept in maker._kept.values())


class ForReal:
    """A loudspeaker on an event loop, by aplay, with clips that a thread makes."""

    def __init__(self, device: str, speech: Speech, settings: Settings = LOUDEST) -> None:
        self.loop = asyncio.new_event_loop()
        self.sounder = Alsa(device, self.loop, "aplay")
        self.studio = OnThreads(speech, self.loop)
        self._timer: asyncio.TimerHandle | None = None
        self.loudspeaker = Loudspeaker(
            self.sounder, self.studio, settings, self.loop.time, lambda: 720, self._after
        )
        self.loudspeaker.switch_on()

    def _after(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wakes = self.loudspeaker.wakes
        if wakes is not None:
            self._timer = self.loop.call_at(wakes, self.loudspeaker.pass_time)

    def until(self, condition: Callable[[], bool]) -> None:
        serve_until(self.loop, condition)

    def close(self) -> None:
        self.loudspeaker.close()
        self.sounder.close()
        self.loop.close()


Open = Callable[..., ForReal]


@pytest.fixture(autouse=True)
def _begins() -> None:
    forget_others()


@pytest.fixture
def open_real() -> Iterator[Open]:
    opened: list[ForReal] = []

    def real(*given: object) -> ForReal:
        opened.append(ForReal(*given))  # type: ignore[arg-type]
        return opened[-1]

    before = len(os.listdir("/proc/self/fd")), threading.active_count()
    yield real
    for each in opened:
        each.close()
    assert (len(os.listdir("/proc/self/fd")), threading.active_count()) == before
    assert children() == []


@pytest.fixture
def ear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ear:
    return Ear(tmp_path, monkeypatch)


@pytest.fixture
def nothing_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take longer to say something than guests would wait for it."""
    for name in ("STALE_SECONDS", "MAX_CLIP_WAIT_SECONDS"):
        monkeypatch.setattr(voice, name, PATIENCE)


@pytest.mark.paced
@pytest.mark.usefixtures("nothing_is_late")
def test_the_real_way_ends_on_tape_with_the_level_and_the_length_of_each_part(
    ear: Ear, open_real: Open
) -> None:
    room = open_real("ear", Speech())
    room.loudspeaker.announce((Utterance(Sound.TURN_RED, said("red")),))
    room.until(lambda: len(ear.heard()) == 2 and ear.heard()[1].seconds > 0.3)
    room.until(lambda: children() == [])
    sound, words = ear.heard()
    assert sound.samples == sound_of(Sound.TURN_RED).samples[: len(sound.samples)]
    assert sound.seconds == pytest.approx(SCORES[Sound.TURN_RED].seconds, abs=0.05)
    spoken = Speech().speak(Line("red", "en"))
    assert words.samples == spoken.samples[: len(words.samples)]
    assert level_of(sound) == pytest.approx(Level.EVENT.value, abs=0.1)
    assert level_of(words) == pytest.approx(Level.SPEECH.value, abs=0.1)


@pytest.mark.paced
def test_each_sound_is_on_tape_as_long_and_as_loud_as_it_is_to_be(
    ear: Ear, open_real: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_real("tape", Speech())
    room.until(lambda: children() == [])
    for sound in Sound:
        tape = tmp_path / f"{sound.value}.wav"
        monkeypatch.setenv("TAPE", str(tape))
        room.sounder.play(sound_of(sound))
        room.until(lambda: children() == [])
        with wave.open(str(tape)) as read:
            recorded = Clip(read.readframes(read.getnframes()))
        seconds = SCORES[sound].seconds
        assert recorded.samples[: round(seconds * SAMPLE_RATE) * 2] == sound_of(sound).samples
        assert seconds <= recorded.seconds + 1 / SAMPLE_RATE < seconds + 0.13  # a period of silence
        assert level_of(recorded) == pytest.approx(SCORES[sound].level.value, abs=0.1)


@pytest.mark.paced
@pytest.mark.usefixtures("nothing_is_late")
def test_twenty_announcements_in_a_moment_end_with_the_newest(ear: Ear, open_real: Open) -> None:
    room = open_real("ear", Speech())

    async def announced() -> None:
        for number in range(20):
            room.loudspeaker.announce((Utterance(Sound.REFUSED, said(f"number {number}")),))
            await asyncio.sleep(0)

    room.loop.run_until_complete(announced())
    room.until(lambda: room.loudspeaker.wakes is None and children() == [])
    assert sum(clip.seconds for clip in ear.heard()) < 6, "All of them would take longer."
    newest = Speech().speak(Line("number 19", "en"))
    heard = ear.heard()[-1]
    assert heard.samples == newest.samples[: len(heard.samples)]
    assert heard.seconds == pytest.approx(newest.seconds, abs=0.2)


@pytest.mark.paced
@pytest.mark.parametrize(
    "script", ["exec sleep 600", "yes rubbish", "exit 1", "head -c 9999 /dev/urandom"]
)
def test_whatever_the_program_that_speaks_does_sounds_go_on_and_the_loop_does_not_wait(
    ear: Ear, open_real: Open, tmp_path: Path, script: str
) -> None:
    voice = tmp_path / "voice"
    voice.write_text(f"#!/bin/sh\n{script}\n")
    voice.chmod(voice.stat().st_mode | stat.S_IXUSR)
    room = open_real("ear", Speech((str(voice),)))
    turns: list[float] = []

    async def turning() -> None:
        while True:
            turns.append(time.monotonic())
            await asyncio.sleep(0.001)

    turning_on = room.loop.create_task(turning())
    for number, sound in enumerate((Sound.REFUSED, Sound.JOIN), start=1):
        room.loudspeaker.announce((Utterance(sound, said("hello")),))
        began = room.loop.time()
        room.until(lambda number=number: len(ear.heard()) == number)  # type: ignore[misc]
        assert room.loop.time() - began < SECONDS  # for which the program is waited for
    room.until(lambda: room.loudspeaker.wakes is None)
    turning_on.cancel()
    room.loop.run_until_complete(asyncio.wait([turning_on]))
    assert len(ear.heard()) == 2
    assert max(later - sooner for sooner, later in pairwise(turns)) < SECONDS


@pytest.mark.paced
def test_of_many_lines_that_wait_for_a_slow_voice_only_the_newest_are_spoken(
    open_real: Open,
) -> None:
    spoken: list[str] = []
    begun, goes_on = threading.Event(), threading.Event()

    class Slow(Speech):
        def speak(self, line: Line) -> Clip:
            begun.set()
            goes_on.wait()
            spoken.append(line.text)
            return Clip()

    room = open_real("null", Slow())
    made: list[tuple[int, Clip | None]] = []
    for number in range(20):
        line = Line(str(number), "en")
        room.studio.order(line, 100, lambda clip, number=number: made.append((number, clip)))  # type: ignore[misc]
        begun.wait()
    goes_on.set()
    room.until(lambda: len(made) == 20)
    kept = [number for number, clip in sorted(made) if clip is not None]
    assert kept == [0, *range(20 - MAX_WAITING_ORDERS, 20)]
    assert spoken == [str(number) for number in kept]


@pytest.mark.paced
def test_closing_waits_for_no_program_that_hangs(
    open_real: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech, "SECONDS", 2 * PATIENCE)
    voice = tmp_path / "voice"
    voice.write_text(f"#!/bin/sh\nexec sleep {3 * PATIENCE}\n")
    voice.chmod(voice.stat().st_mode | stat.S_IXUSR)
    room = open_real("null", Speech((str(voice),)))
    room.loudspeaker.announce((Utterance(None, said("hello")),))
    room.loop.run_until_complete(asyncio.sleep(0.05))
    started = time.monotonic()
    room.close()
    assert time.monotonic() - started < PATIENCE
    assert children() == []


@pytest.mark.paced
def test_warmed_every_sound_is_made_and_an_order_does_not_wait_for_all_of_them(
    open_real: Open,
) -> None:
    room = open_real("null", Speech())
    room.studio.warm(100)
    made: list[tuple[Clip | None, int]] = []
    kept = room.studio._sounds.maker._kept
    room.studio.order(Sound.NUKE, 100, lambda clip: made.append((clip, len(kept))))
    room.until(lambda: bool(made))
    assert made[0][0] == sound_of(Sound.NUKE)
    assert made[0][1] < 10
    room.until(lambda: len(kept) == len(Sound))
