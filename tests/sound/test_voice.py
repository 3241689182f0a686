"""What is heard when: announcements go in with their times, and what is played comes out."""

from array import array
from collections.abc import Sequence

import pytest

from pi_table.devices.hal.contracts import SAMPLE_RATE, SILENCE, Clip
from pi_table.devices.sound.scores import TENSION_SECONDS, seconds_of
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.utterance import Line, Part, Utterance
from pi_table.devices.sound.voice import (
    BACKLOG_SECONDS,
    IMPORTANT_STALE_SECONDS,
    LATE_SECONDS,
    LEAST_SECONDS,
    STALE_SECONDS,
    Make,
    Output,
    Play,
    Voice,
)

LINE_SECONDS = 2.0
"""How long each line takes to be spoken here."""


class Room:
    """A voice, a clock, and all that is heard. Clips are made in no time, or never."""

    def __init__(self) -> None:
        self.voice = Voice()
        self.now = 0.0
        self.heard: list[tuple[float, str]] = []
        self.mute: set[Part] = set()
        """What is never made."""
        self.broken: set[Part] = set()
        """What cannot be made."""

    def announce(self, *utterances: Utterance) -> None:
        self._do(self.voice.announce(utterances, self.now))

    def hush(self) -> None:
        self._do(self.voice.hush())

    def until(self, at: float) -> None:
        """Let time pass."""
        while self.voice.wakes is not None and self.voice.wakes <= at:
            assert self.voice.wakes >= self.now
            self.now = self.voice.wakes
            self._do(self.voice.pass_time(self.now))
        self.now = at

    def make_late(self, part: Part) -> None:
        self._do(self.voice.made(part, clip(part), self.now))

    def _do(self, outputs: Sequence[Output]) -> None:
        for output in outputs:
            match output:
                case Play(played):
                    self.heard.append((round(self.now, 3), name(played)))
                case Make(part) if part in self.broken:
                    self._do(self.voice.made(part, None, self.now))
                case Make(part) if part not in self.mute:
                    self._do(self.voice.made(part, clip(part), self.now))


NAMES: list[str] = []


def clip(part: Part) -> Clip:
    """A clip as long as the part, which tells what it is of."""
    text = part.value if isinstance(part, Sound) else part.text
    if text not in NAMES:
        NAMES.append(text)
    seconds = seconds_of(part) if isinstance(part, Sound) else LINE_SECONDS
    return Clip(array("h", [1 + NAMES.index(text)]).tobytes() * round(seconds * SAMPLE_RATE))


def name(played: Clip) -> str:
    return "—" if played == SILENCE else NAMES[array("h", played.samples[:2])[0] - 1]


def said(text: str) -> tuple[Line, ...]:
    return (Line(text, "en"),)


@pytest.fixture
def room() -> Room:
    return Room()


RIGHT, TURN, WIN = seconds_of(Sound.RIGHT), seconds_of(Sound.TURN_BLUE), seconds_of(Sound.WIN)


def test_an_announcement_is_its_sound_and_then_its_words(room: Room) -> None:
    room.announce(Utterance(Sound.RIGHT, said("right")))
    room.until(60)
    assert room.heard == [(0, "right"), (RIGHT, "right")]


def test_in_both_languages_one_follows_the_other(room: Room) -> None:
    room.announce(Utterance(Sound.CLUE, (Line("flight, 3", "en"), Line("volo, 3", "it"))))
    room.until(60)
    began = seconds_of(Sound.CLUE)
    assert room.heard == [(0, "clue"), (began, "flight, 3"), (began + LINE_SECONDS, "volo, 3")]


def test_what_is_announced_together_waits_for_one_another(room: Room) -> None:
    room.announce(Utterance(Sound.RIGHT, said("a")), Utterance(Sound.TURN_BLUE, said("b")))
    room.until(60)
    after = RIGHT + LINE_SECONDS
    assert room.heard == [(0, "right"), (RIGHT, "a"), (after, "turn-blue"), (after + TURN, "b")]


def test_what_is_to_come_later_comes_then(room: Room) -> None:
    room.announce(Utterance(Sound.TENSION), Utterance(Sound.ASSASSIN, after=TENSION_SECONDS))
    room.until(60)
    assert room.heard == [(0, "tension"), (TENSION_SECONDS, "assassin")]


def test_words_give_way_to_what_is_announced_later(room: Room) -> None:
    room.announce(Utterance(Sound.RIGHT, said("a")))
    room.until(1.5)
    room.announce(Utterance(Sound.TURN_BLUE, said("b")))
    room.until(60)
    assert room.heard == [
        *[(0, "right"), (RIGHT, "a"), (1.5, "—")],
        *[(1.5, "turn-blue"), (1.5 + TURN, "b")],
    ]


def test_a_sound_is_heard_to_its_end_and_then_its_words_give_way(room: Room) -> None:
    room.announce(Utterance(Sound.RIGHT, said("a")))
    room.until(0.5)
    room.announce(Utterance(Sound.TURN_BLUE, said("b")))
    room.until(60)
    assert room.heard == [(0, "right"), (RIGHT, "turn-blue"), (RIGHT + TURN, "b")]


def test_what_is_important_cuts_a_lesser_sound_short(room: Room) -> None:
    room.announce(Utterance(Sound.RIGHT, said("a")))
    room.until(0.5)
    room.announce(Utterance(Sound.WIN, said("red wins"), important=True))
    room.until(60)
    assert room.heard == [(0, "right"), (0.5, "—"), (0.5, "win"), (0.5 + WIN, "red wins")]


def test_what_is_important_is_not_cut_short_by_what_is_not(room: Room) -> None:
    room.announce(Utterance(Sound.WIN, said("red wins"), important=True))
    room.until(1.0)
    room.announce(Utterance(Sound.REFUSED, said("no")))
    room.until(60)
    assert room.heard[:2] == [(0, "win"), (WIN, "red wins")]
    assert room.heard[2] == (WIN + LINE_SECONDS, "refused")


def test_important_words_give_way_to_what_is_important_too(room: Room) -> None:
    room.announce(Utterance(Sound.WIN, said("red wins"), important=True))
    room.until(WIN + 0.5)
    room.announce(Utterance(Sound.CORRECTION, said("taken back"), important=True))
    room.until(60)
    assert [what for _, what in room.heard] == ["win", "red wins", "—", "correction", "taken back"]


def test_lesser_announcements_that_wait_are_gone_when_an_important_one_comes(room: Room) -> None:
    room.announce(Utterance(Sound.RIGHT))
    room.announce(Utterance(Sound.TURN_BLUE))
    room.announce(Utterance(Sound.WIN, important=True))
    room.until(60)
    assert room.heard == [(0, "right"), (0, "—"), (0, "win")]


def test_what_was_announced_with_an_important_one_is_heard(room: Room) -> None:
    room.announce(Utterance(Sound.RIGHT), Utterance(Sound.WIN, important=True))
    room.until(60)
    assert room.heard == [(0, "right"), (RIGHT, "win")]


def test_a_lesser_announcement_that_waits_too_long_is_left_out(room: Room) -> None:
    room.announce(Utterance(Sound.WIN, said("red wins") * 2, important=True))
    room.announce(Utterance(Sound.TURN_BLUE))
    room.until(60)
    assert WIN + 2 * LINE_SECONDS > STALE_SECONDS
    assert [what for _, what in room.heard] == ["win", "red wins", "red wins"]


def test_of_twenty_announcements_in_a_tenth_of_a_second_the_newest_are_heard_soon(
    room: Room,
) -> None:
    sounds = [sound for sound in Sound if seconds_of(sound) <= 1.0][:20]
    for number, sound in enumerate(sounds):
        room.announce(Utterance(sound, said(f"words {number}")))
        room.until(room.now + 0.005)
    room.until(60)
    assert room.heard[-1][1] == "words 19"
    assert room.heard[-2][1] == sounds[-1].value
    assert room.heard[-2][0] <= BACKLOG_SECONDS + seconds_of(sounds[0])
    assert [what for _, what in room.heard if what.startswith("words")] == ["words 19"]


@pytest.mark.parametrize("important", [False, True])
def test_no_announcement_begins_later_than_it_may(room: Room, important: bool) -> None:
    room.announce(
        *(Utterance(Sound.CLUE, said(f"{number}"), important=important) for number in range(20))
    )
    room.until(100)
    latest = IMPORTANT_STALE_SECONDS if important else STALE_SECONDS
    began = [at for at, what in room.heard if what == "clue"]
    assert began
    assert max(began) < latest
    assert room.voice.wakes is None


def test_words_that_come_late_are_waited_for_a_little(room: Room) -> None:
    line = Line("slow", "en")
    room.mute.add(line)
    room.announce(Utterance(Sound.RIGHT, (line,)))
    room.until(RIGHT + 1.0)
    room.make_late(line)
    room.until(60)
    assert room.heard == [(0, "right"), (RIGHT + 1.0, "slow")]


def test_words_that_never_come_are_left_out_and_the_next_are_heard(room: Room) -> None:
    line = Line("never", "en")
    room.mute.add(line)
    room.announce(Utterance(Sound.RIGHT, (line, Line("dopo", "it"))))
    room.until(60)
    assert room.heard == [(0, "right"), (RIGHT + LATE_SECONDS, "dopo")]


def test_words_that_cannot_be_made_are_left_out_at_once(room: Room) -> None:
    line = Line("cannot", "en")
    room.broken.add(line)
    room.announce(Utterance(Sound.RIGHT, (line,)), Utterance(Sound.TURN_BLUE))
    room.until(60)
    assert room.heard == [(0, "right"), (RIGHT, "turn-blue")]


def test_words_that_come_when_their_time_is_over_are_not_heard(room: Room) -> None:
    line = Line("late", "en")
    room.mute.add(line)
    room.announce(Utterance(Sound.RIGHT, (line,)))
    room.until(20)
    room.make_late(line)
    room.until(60)
    assert room.heard == [(0, "right")]


def test_hushed_it_falls_silent_at_once_and_forgets_what_waits(room: Room) -> None:
    room.announce(Utterance(Sound.RIGHT, said("a")), Utterance(Sound.WIN, after=3))
    room.until(0.4)
    room.hush()
    room.until(60)
    assert room.heard == [(0, "right"), (0.4, "—")]
    assert room.voice.wakes is None


def test_what_begins_afresh_has_what_was_still_to_come_forgotten(room: Room) -> None:
    room.announce(
        Utterance(Sound.TENSION, important=True),
        Utterance(Sound.WIN, after=TENSION_SECONDS + 1.0, important=True),
    )
    room.until(0.5)
    room.announce(Utterance(Sound.CORRECTION, afresh=True))
    room.until(20.0)
    assert [sound for _, sound in room.heard] == [Sound.TENSION.value, Sound.CORRECTION.value]


def test_hushed_while_nothing_is_heard_it_says_nothing(room: Room) -> None:
    room.hush()
    assert room.heard == []


def test_only_what_is_about_to_be_heard_is_made() -> None:
    voice = Voice()
    first = voice.announce((Utterance(Sound.RIGHT, said("a")),), 0.0)
    assert first == [Make(Sound.RIGHT), Make(Line("a", "en"))]
    assert voice.announce((Utterance(Sound.WIN, said("b")),), 0.0) == []


def test_what_an_important_announcement_overtakes_is_not_even_made() -> None:
    voice = Voice()
    voice.announce((Utterance(Sound.RIGHT),), 0.0)
    assert voice.announce((Utterance(Sound.TURN_BLUE),), 0.0) == []
    assert voice.announce((Utterance(Sound.WIN, important=True),), 0.0) == [Make(Sound.WIN)]


def test_an_important_sound_is_heard_to_its_end_before_another_important_one(room: Room) -> None:
    room.announce(Utterance(Sound.WIN, said("red wins"), important=True))
    room.until(1.0)
    room.announce(Utterance(Sound.CORRECTION, important=True))
    room.until(60)
    assert room.heard == [(0, "win"), (WIN, "correction")]


def test_where_too_much_waits_the_oldest_that_is_not_important_is_left_out(room: Room) -> None:
    room.announce(Utterance(Sound.LOSS, important=True))
    room.announce(Utterance(Sound.WIN, important=True))
    room.announce(Utterance(Sound.CLUE))
    room.announce(Utterance(Sound.RIGHT))
    room.until(60)
    assert WIN + seconds_of(Sound.CLUE) + RIGHT > BACKLOG_SECONDS
    assert [what for _, what in room.heard] == ["loss", "win", "right"]


def test_of_a_hundred_announcements_that_wait_few_are_kept_and_the_newest_is_made() -> None:
    voice = Voice()
    voice.announce((Utterance(Sound.WIN, important=True),), 0.0)
    voice.made(Sound.WIN, clip(Sound.WIN), 0.0)
    for number in range(100):
        voice.announce((Utterance(None, said(f"words {number}")),), 0.5)
    assert len(voice._waiting) <= BACKLOG_SECONDS / LEAST_SECONDS
    assert voice.pass_time(WIN) == [Make(Line("words 99", "en"))]


def test_the_same_announcements_at_the_same_times_sound_the_same() -> None:
    def played() -> list[tuple[float, str]]:
        room = Room()
        for number in range(50):
            important = number % 7 == 0
            sound = [*Sound][number % len(Sound)]
            room.announce(Utterance(sound, said(f"{number}"), number % 3 * 0.4, important))
            room.until(room.now + number % 5 * 0.6)
        room.until(1000)
        return room.heard

    assert played() == played()
    assert len(played()) > 20


def test_after_a_stall_what_is_due_is_heard_in_the_order_in_which_it_was_due(room: Room) -> None:
    room.announce(Utterance(Sound.RIGHT, after=1.5), Utterance(Sound.CLUE, after=1.0))
    room.now = 2.0  # and nobody told the time meanwhile
    room._do(room.voice.pass_time(room.now))
    room.until(60)
    assert room.heard == [(2.0, "clue"), (2.0 + seconds_of(Sound.CLUE), "right")]


def test_a_sound_that_never_comes_is_left_out_and_its_words_are_heard(room: Room) -> None:
    room.mute.add(Sound.RIGHT)
    room.announce(Utterance(Sound.RIGHT, said("a")))
    room.until(60)
    assert room.heard == [(LATE_SECONDS, "a")]


def test_each_part_is_waited_for_as_long_as_the_one_before(room: Room) -> None:
    never, late = Line("never", "en"), Line("late", "it")
    room.mute |= {never, late}
    room.announce(Utterance(Sound.RIGHT, (never, late)))
    at = RIGHT + LATE_SECONDS + 1.0
    room.until(at)
    room.make_late(late)
    room.until(60)
    assert room.heard == [(0, "right"), (at, "late")]


def test_where_all_that_waits_is_important_the_oldest_of_it_is_left_out(room: Room) -> None:
    for sound in (Sound.WIN, Sound.MACHINE, Sound.GAME_BEGINS, Sound.RIGHT):
        room.announce(Utterance(sound, important=True))
    room.until(60)
    assert sum(map(seconds_of, (Sound.MACHINE, Sound.GAME_BEGINS, Sound.RIGHT))) > BACKLOG_SECONDS
    assert [what for _, what in room.heard] == ["win", "game-begins", "right"]
