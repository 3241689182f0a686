"""What is announced is heard at the loudspeaker that the table was opened with."""

import asyncio

import pytest
from patience import PATIENCE

from pi_table.announcer.announcement import TENSION, Announcement, What
from pi_table.engine.hearing import utterance
from pi_table.engine.speaker import Speaker
from pi_table.hal.contracts import Clip
from pi_table.hal.simulated import SimulatedTable
from pi_table.sound.scores import SCORES, seconds_of
from pi_table.sound.settings import Settings
from pi_table.sound.sounds import Sound
from pi_table.sound.synthesis import synthesised
from pi_table.sound.voice import Make, Output, Play, Voice

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
        assert clip == synthesised(SCORES[Sound.REFUSED])
        table.break_speaker("It is wet.")
        assert said == ["It is wet."]
        speaker.close()

    asyncio.run(heard())


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
                        do(voice.made(part, Clip(bytes(2 * round(seconds * 22050))), now), now)
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
