"""Reports of a loudspeaker to its owner: the time of the next look, and its faults."""

import pytest

from pi_table.devices.hal.contracts import SILENCE, Clip
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.sound.loudspeaker import Loudspeaker
from pi_table.devices.sound.scores import SCORES
from pi_table.devices.sound.settings import Settings
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.studio import Made
from pi_table.devices.sound.synthesis import synthesise
from pi_table.devices.sound.utterance import Line, Part, Utterance

LOUDEST = Settings(volume=100, speech="game")
CLUE = synthesise(SCORES[Sound.CLUE])


class SlowStudio:
    """Makes what is ordered when the test says so."""

    def __init__(self) -> None:
        self.orders: list[tuple[Part, int, Made]] = []
        self.trouble: str | None = None
        self.closed = 0

    def order(self, part: Part, volume: int, made: Made) -> None:
        self.orders.append((part, volume, made))

    def close(self) -> None:
        self.closed += 1

    def make(self, clip: Clip | None = CLUE) -> None:
        _, _, made = self.orders.pop(0)
        made(clip)


class Room:
    def __init__(self) -> None:
        self.now = 0.0
        self.minute = 720
        self.calls = 0
        self.played: list[Clip] = []
        self.table = SimulatedTable()
        self.table.on_play = self.played.append
        self.studio = SlowStudio()
        self.loudspeaker = Loudspeaker(
            *(self.table, self.studio, LOUDEST, lambda: self.now, lambda: self.minute, self.after),
        )
        self.loudspeaker.switch_on()
        self.calls = 0

    def after(self) -> None:
        self.calls += 1

    def announce(self) -> None:
        self.loudspeaker.announce((Utterance(Sound.CLUE),))


@pytest.fixture
def room() -> Room:
    return Room()


def test_whoever_has_one_is_called_whenever_it_may_be_due_at_another_time(room: Room) -> None:
    room.announce()
    assert room.calls == 1
    waits = room.loudspeaker.wakes
    room.studio.make()
    assert room.calls == 2
    assert room.loudspeaker.wakes == CLUE.seconds != waits
    room.now = CLUE.seconds
    room.loudspeaker.pass_time()
    assert room.calls == 3
    assert room.loudspeaker.wakes is None


def test_whoever_has_one_is_called_when_the_device_ails_and_when_it_is_well(room: Room) -> None:
    room.table.break_speaker("It is wet.")
    assert (room.calls, room.loudspeaker.trouble) == (1, "It is wet.")
    room.table.mend_speaker()
    assert (room.calls, room.loudspeaker.trouble) == (2, None)


def test_what_ails_the_device_and_what_ails_the_voice_are_both_told(room: Room) -> None:
    room.studio.trouble = "Nothing is spoken."
    assert room.loudspeaker.trouble == "Nothing is spoken."
    room.table.break_speaker("It is wet.")
    assert room.loudspeaker.trouble == "It is wet. Nothing is spoken."


SILENT_VOICE = Settings(volume=100, speech="off")
SENTENCE = Utterance(None, (Line("This is the table’s voice.", "en"),))


def test_a_voice_that_fails_is_no_fault_once_speech_is_off(room: Room) -> None:
    room.studio.trouble = "Nothing is spoken."
    room.loudspeaker.change(SILENT_VOICE)
    assert (room.calls, room.loudspeaker.trouble) == (1, None)
    room.table.break_speaker("It is wet.")
    assert room.loudspeaker.trouble == "It is wet."


def test_a_voice_that_fails_in_a_test_is_a_fault_until_the_test_ends(room: Room) -> None:
    room.loudspeaker.change(SILENT_VOICE)
    room.loudspeaker.announce((SENTENCE,), tried=True)
    room.studio.trouble = "Nothing is spoken."
    room.studio.make(None)
    assert room.loudspeaker.trouble == "Nothing is spoken."
    room.loudspeaker.announce((Utterance(Sound.GAME_BEGINS),), tried=True)
    assert room.loudspeaker.trouble == "Nothing is spoken."
    calls = room.calls
    room.loudspeaker.end_test()
    assert (room.calls, room.loudspeaker.trouble) == (calls + 1, None)
    room.loudspeaker.end_test()
    assert room.calls == calls + 1


def test_a_change_of_the_settings_ends_the_test_of_a_voice(room: Room) -> None:
    room.loudspeaker.change(SILENT_VOICE)
    room.loudspeaker.announce((SENTENCE,), tried=True)
    room.studio.trouble = "Nothing is spoken."
    room.loudspeaker.change(Settings(volume=50, speech="off"))
    assert room.loudspeaker.trouble is None


def test_a_test_of_the_sound_alone_says_nothing_about_the_voice(room: Room) -> None:
    room.loudspeaker.change(SILENT_VOICE)
    room.studio.trouble = "Nothing is spoken."
    room.loudspeaker.announce((Utterance(Sound.GAME_BEGINS),), tried=True)
    assert room.loudspeaker.trouble is None


def test_the_end_of_a_test_leaves_the_fault_of_a_voice_that_the_house_wants(room: Room) -> None:
    room.loudspeaker.announce((SENTENCE,), tried=True)
    room.studio.trouble = "Nothing is spoken."
    room.loudspeaker.end_test()
    assert room.loudspeaker.trouble == "Nothing is spoken."


@pytest.mark.parametrize(
    "silent", [Settings(muted=True), Settings(volume=0), Settings(quiet=(700, 730))]
)
def test_whatever_silences_the_house_silences_what_is_played(room: Room, silent: Settings) -> None:
    room.announce()
    room.studio.make()
    room.loudspeaker.change(silent)
    assert room.played == [CLUE, SILENCE]
    assert room.loudspeaker.wakes is None


def test_a_change_that_silences_nothing_cuts_nothing_short(room: Room) -> None:
    room.announce()
    room.studio.make()
    room.loudspeaker.change(Settings(volume=10, quiet=(0, 700)))
    assert room.played == [CLUE]


def test_the_studio_is_told_the_volume_of_now(room: Room) -> None:
    room.loudspeaker.change(Settings(volume=30))
    room.loudspeaker.announce((Utterance(Sound.CLUE, (Line("flight", "en"),)),))
    orders = [(part, volume) for part, volume, _ in room.studio.orders]
    assert orders == [(Sound.CLUE, 30), (Line("flight", "en"), 30)]


def test_closed_it_closes_its_studio_once_and_what_is_made_then_is_nobodys(room: Room) -> None:
    room.announce()
    room.loudspeaker.close()
    room.loudspeaker.close()
    assert room.studio.closed == 1
    calls = room.calls
    room.studio.make()
    room.loudspeaker.pass_time()
    assert room.played == []
    assert room.calls == calls
