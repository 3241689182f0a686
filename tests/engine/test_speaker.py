"""Announcements are heard at the loudspeaker with which the table was opened."""

import asyncio

import pytest
from patience import PATIENCE

from pi_table.devices.hal.contracts import Clip
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.sound.loudspeaker import Loudspeaker
from pi_table.devices.sound.scores import SCORES, seconds_of
from pi_table.devices.sound.settings import Settings
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.synthesis import synthesise
from pi_table.devices.sound.utterance import Line, Utterance
from pi_table.devices.sound.voice import Make, Output, Play, Voice
from pi_table.games.announcer.announcement import TENSION, Announcement, What
from pi_table.table.engine.outputs import TrySound
from pi_table.table.engine.presentation.sound_cues import utterance
from pi_table.table.engine.presentation.speaker import Speaker

SETTINGS = Settings(volume=100, speech="game")


@pytest.mark.paced
def test_what_is_announced_is_heard_and_the_device_may_say_what_ails_it() -> None:
    async def heard() -> None:
        table = SimulatedTable()
        played: asyncio.Queue[Clip] = asyncio.Queue()
        table.on_play = played.put_nowait
        said: list[str | None] = []
        loop = asyncio.get_running_loop()
        speaker = Speaker(table, (), SETTINGS, loop, said.append)
        speaker.switch_on()
        speaker.announce((Announcement(What.REFUSED, ""),), "en")
        clip = await asyncio.wait_for(played.get(), PATIENCE)
        assert clip == synthesise(SCORES[Sound.REFUSED])
        table.break_speaker("It is wet.")
        assert said == ["It is wet."]
        speaker.close()

    asyncio.run(heard())


@pytest.mark.paced
def test_a_sound_that_is_tried_is_heard_although_the_house_is_silent() -> None:
    async def heard() -> None:
        table = SimulatedTable()
        played: asyncio.Queue[Clip] = asyncio.Queue()
        table.on_play = played.put_nowait
        loop = asyncio.get_running_loop()
        speaker = Speaker(table, (), Settings(volume=100, muted=True), loop, lambda trouble: None)
        speaker.switch_on()
        speaker.announce((Announcement(What.REFUSED, ""),), "en")
        speaker.try_sound(TrySound(None))
        clip = await asyncio.wait_for(played.get(), PATIENCE)
        assert clip == synthesise(SCORES[Sound.GAME_BEGINS])
        speaker.close()

    asyncio.run(heard())


def test_what_is_spoken_to_try_the_loudspeaker_is_in_the_language_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[tuple[tuple[Utterance, ...], bool]] = []

    def announce(_: Loudspeaker, utterances: tuple[Utterance, ...], tried: bool = False) -> None:
        heard.append((utterances, tried))

    monkeypatch.setattr(Loudspeaker, "announce", announce)
    loop = asyncio.new_event_loop()
    speaker = Speaker(SimulatedTable(), (), SETTINGS, loop, lambda trouble: None)
    speaker.try_sound(TrySound("it"))
    speaker.try_sound(TrySound("en"))
    speaker.close()
    loop.close()
    assert [(utterance.sound, utterance.lines, tried) for (utterance,), tried in heard] == [
        (None, (Line("Questa è la voce del tavolo.", "it"),), True),
        (None, (Line("This is the table’s voice.", "en"),), True),
    ]


def test_the_drum_lasts_until_the_answer() -> None:
    assert seconds_of(Sound.TENSION) == TENSION


@pytest.mark.parametrize("before", [What.CLUE, What.TURN, What.HURRY])
def test_when_the_drum_begins_does_not_depend_on_the_answer(before: What) -> None:
    def begins(answer: What) -> list[float]:
        voice = Voice()
        times: list[float] = []

        def do(outputs: list[Output], now: float) -> None:
            for output in outputs:
                match output:
                    case Make(part):
                        seconds = seconds_of(part) if isinstance(part, Sound) else 3.0
                        do(voice.on_clip(part, Clip(bytes(2 * round(seconds * 22050))), now), now)
                    case Play(_):
                        times.append(round(now, 3))

        def announce(now: float, *said: Announcement) -> None:
            heard = tuple(utterance(each, SETTINGS, "en") for each in said)
            do(voice.announce(heard, now), now)

        announce(0.0, Announcement(before, "many words"))
        while (wakes := voice.wakes) is not None and wakes <= 1.5:
            do(voice.pass_time(wakes), wakes)
        announce(1.5, Announcement(What.REVEALING, ""), Announcement(answer, "", TENSION))
        while (wakes := voice.wakes) is not None:
            do(voice.pass_time(wakes), wakes)
        return times

    answers = (What.RIGHT, What.BYSTANDER, What.WRONG, What.ASSASSIN)
    assert len({tuple(begins(answer)) for answer in answers}) == 1
