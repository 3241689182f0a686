"""The order of the clips: announcements go in with their times, and played clips come out."""

from array import array
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from pi_table.devices.hal.contracts import SAMPLE_RATE, SILENCE, Clip
from pi_table.devices.sound.scores import TENSION_SECONDS, seconds_of
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.utterance import Line, Part, Utterance
from pi_table.devices.sound.voice import (
    BACKLOG_SECONDS,
    IMPORTANT_STALE_SECONDS,
    MAX_CLIP_WAIT_SECONDS,
    MIN_COUNTED_SECONDS,
    STALE_SECONDS,
    Make,
    Output,
    Play,
    Voice,
)
from pi_table.games.announcer.announcement import WIN_ECHO

LINE_SECONDS = 2.0
"""Seconds of each spoken line here."""


class Room:
    """A voice, a clock, and all that is heard. Clips are made in no time, or never."""

    def __init__(self) -> None:
        self.voice = Voice()
        self.now = 0.0
        self.heard: list[tuple[float, str]] = []
        self.mute: set[Part] = set()
        """Parts that are never made."""
        self.broken: set[Part] = set()
        """Parts that cannot be made."""

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
        self._do(self.voice.on_clip(part, clip(part), self.now))

    def _do(self, outputs: Sequence[Output]) -> None:
        for output in outputs:
            match output:
                case Play(played):
                    self.heard.append((round(self.now, 3), name(played)))
                case Make(part) if part in self.broken:
                    self._do(self.voice.on_clip(part, None, self.now))
                case Make(part) if part not in self.mute:
                    self._do(self.voice.on_clip(part, clip(part), self.now))


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
CLUE, LOSS, ATTRACT = map(seconds_of, (Sound.CLUE, Sound.LOSS, Sound.ATTRACT))
NEVER, CANNOT = Line("never", "en"), Line("cannot", "en")
"""A line that is never made, and one that cannot be."""
BOTH = (Line("flight, 3", "en"), Line("volo, 3", "it"))
RIGHT_A, TURN_B = Utterance(Sound.RIGHT, said("a")), Utterance(Sound.TURN_BLUE, said("b"))
REFUSED = Utterance(Sound.REFUSED, said("no"))
RED_WINS = Utterance(Sound.WIN, said("red wins"), important=True)
TAKEN_BACK = Utterance(Sound.CORRECTION, said("taken back"), important=True)
ROLL = (
    Utterance(Sound.TENSION, important=True),
    Utterance(Sound.RIGHT, said("a"), TENSION_SECONDS, important=True),
)
"""The announcements of a guess: its drum roll, and its answer."""
ANSWERED_AT = TENSION_SECONDS + RIGHT + LINE_SECONDS
ANSWER_BEFORE_REFUSED = [
    *[(0, "tension"), (TENSION_SECONDS, "right"), (TENSION_SECONDS + RIGHT, "a")],
    *[(ANSWERED_AT, "refused"), (ANSWERED_AT + seconds_of(Sound.REFUSED), "no")],
]


def important(*sounds: Sound) -> tuple[Utterance, ...]:
    return tuple(Utterance(sound, important=True) for sound in sounds)


Announced = tuple[float, tuple[Utterance, ...]]
HEARD: dict[str, tuple[list[Announced], list[tuple[float, str]]]] = {
    "its sound and then its words": ([(0, (RIGHT_A,))], [(0, "right"), (RIGHT, "a")]),
    "one language after the other": (
        [(0, (Utterance(Sound.CLUE, BOTH),))],
        [(0, "clue"), (CLUE, "flight, 3"), (CLUE + LINE_SECONDS, "volo, 3")],
    ),
    "what is announced together waits for one another": (
        [(0, (RIGHT_A, TURN_B))],
        [
            *[(0, "right"), (RIGHT, "a")],
            *[(RIGHT + LINE_SECONDS, "turn-blue"), (RIGHT + LINE_SECONDS + TURN, "b")],
        ],
    ),
    "what is to come later": (
        [(0, (Utterance(Sound.TENSION), Utterance(Sound.ASSASSIN, after=TENSION_SECONDS)))],
        [(0, "tension"), (TENSION_SECONDS, "assassin")],
    ),
    "words give way to what is announced later": (
        [(0, (RIGHT_A,)), (1.5, (TURN_B,))],
        [(0, "right"), (RIGHT, "a"), (1.5, "—"), (1.5, "turn-blue"), (1.5 + TURN, "b")],
    ),
    "a sound to its end, and then its words give way": (
        [(0, (RIGHT_A,)), (0.5, (TURN_B,))],
        [(0, "right"), (RIGHT, "turn-blue"), (RIGHT + TURN, "b")],
    ),
    "what is important cuts a lesser sound short": (
        [(0, (RIGHT_A,)), (0.5, (RED_WINS,))],
        [(0, "right"), (0.5, "—"), (0.5, "win"), (0.5 + WIN, "red wins")],
    ),
    "what is important is not cut short by what is not": (
        [(0, (RED_WINS,)), (WIN - 1.0, (REFUSED,))],
        [
            *[(0, "win"), (WIN, "red wins"), (WIN + LINE_SECONDS, "refused")],
            (WIN + LINE_SECONDS + seconds_of(Sound.REFUSED), "no"),
        ],
    ),
    "important words give way to what is important": (
        [(0, (RED_WINS,)), (WIN + 0.5, (TAKEN_BACK,))],
        [
            *[(0, "win"), (WIN, "red wins"), (WIN + 0.5, "—"), (WIN + 0.5, "correction")],
            (WIN + 0.5 + seconds_of(Sound.CORRECTION), "taken back"),
        ],
    ),
    "an important sound to its end before another important one": (
        [(0, (RED_WINS,)), (1.0, important(Sound.CORRECTION))],
        [(0, "win"), (WIN, "correction")],
    ),
    "an answer goes before a lesser one that came during the drum and is due earlier": (
        [(0, ROLL), (0.5, (replace(REFUSED, after=0.49),))],
        ANSWER_BEFORE_REFUSED,
    ),
    "an answer goes before a lesser one that was due at once during the drum": (
        [(0, ROLL), (0.5, (REFUSED,))],
        ANSWER_BEFORE_REFUSED,
    ),
    "an answer goes before an important one that came during the drum": (
        [(0, ROLL), (0.5, important(Sound.CLUE))],
        [*ANSWER_BEFORE_REFUSED[:2], (TENSION_SECONDS + RIGHT, "clue")],
    ),
    "of what was announced with an answer what is due earlier goes before it": (
        [
            (0, (ROLL[0], Utterance(Sound.CLUE, after=0.98), ROLL[1])),
            (0.5, (replace(REFUSED, after=0.47),)),
        ],
        [
            *[(0, "tension"), (TENSION_SECONDS, "clue")],
            *((CLUE + at, what) for at, what in ANSWER_BEFORE_REFUSED[1:]),
        ],
    ),
    "lesser ones that wait are gone when an important one comes": (
        [
            (0, (Utterance(Sound.RIGHT),)),
            (0, (Utterance(Sound.TURN_BLUE),)),
            (0, important(Sound.WIN)),
        ],
        [(0, "right"), (0, "—"), (0, "win")],
    ),
    "what was announced with an important one": (
        [(0, (Utterance(Sound.RIGHT), *important(Sound.WIN)))],
        [(0, "right"), (RIGHT, "win")],
    ),
    "a lesser one that waits too long is left out": (
        [
            (0, (Utterance(Sound.WIN, said("red wins") * 2, important=True),)),
            (0, (Utterance(Sound.TURN_BLUE),)),
        ],
        [(0, "win"), (WIN, "red wins"), (WIN + LINE_SECONDS, "red wins")],
    ),
    "words that never come are left out": (
        [(0, (Utterance(Sound.RIGHT, (NEVER, Line("dopo", "it"))),))],
        [(0, "right"), (RIGHT + MAX_CLIP_WAIT_SECONDS, "dopo")],
    ),
    "words that cannot be made are left out at once": (
        [(0, (Utterance(Sound.RIGHT, (CANNOT,)), Utterance(Sound.TURN_BLUE)))],
        [(0, "right"), (RIGHT, "turn-blue")],
    ),
    "a sound that never comes is left out, and not its words": (
        [(0, (Utterance(Sound.NUKE, said("a")),))],
        [(MAX_CLIP_WAIT_SECONDS, "a")],
    ),
    "what begins afresh has what was still to come forgotten": (
        [
            (0, (*important(Sound.TENSION), Utterance(Sound.WIN, after=5.0, important=True))),
            (0.5, (Utterance(Sound.CORRECTION, afresh=True),)),
        ],
        [(0, "tension"), (TENSION_SECONDS, "correction")],
    ),
    "of too much that waits the oldest that is not important is left out": (
        [
            *[(0, important(Sound.LOSS)), (0, important(Sound.ATTRACT))],
            *[(0, (Utterance(Sound.CLUE),)), (0, (Utterance(Sound.RIGHT),))],
        ],
        [(0, "loss"), (LOSS, "attract"), (LOSS + ATTRACT, "right")],
    ),
    "of too much that is important the oldest is left out": (
        [
            (0, important(sound))
            for sound in (Sound.WIN, Sound.MACHINE, Sound.GAME_BEGINS, Sound.RIGHT)
        ],
        [(0, "win"), (WIN, "game-begins"), (WIN + seconds_of(Sound.GAME_BEGINS), "right")],
    ),
}


@pytest.mark.parametrize(("announced", "heard"), HEARD.values(), ids=HEARD)
def test_what_is_heard(
    room: Room, announced: list[Announced], heard: list[tuple[float, str]]
) -> None:
    room.mute |= {NEVER, Sound.NUKE}
    room.broken.add(CANNOT)
    for at, utterances in announced:
        room.until(at)
        room.announce(*utterances)
    room.until(60)
    assert room.heard == [(pytest.approx(at, abs=0.002), what) for at, what in heard]


def test_the_rows_of_what_waits_for_too_long_wait_for_too_long() -> None:
    assert WIN + 2 * LINE_SECONDS > STALE_SECONDS
    assert ATTRACT + CLUE + RIGHT > BACKLOG_SECONDS
    assert sum(map(seconds_of, (Sound.MACHINE, Sound.GAME_BEGINS, Sound.RIGHT))) > BACKLOG_SECONDS


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


def test_the_explanation_of_the_end_is_heard_after_the_fanfare_and_the_winners_name(
    room: Room,
) -> None:
    winner = Utterance(Sound.WIN, (*said("a"), *said("b")), after=1.0, important=True)
    room.announce(winner, Utterance(None, said("explained"), after=1.0 + WIN_ECHO))
    room.until(60)
    assert [what for _, what in room.heard] == ["win", "a", "b", "explained"]


def test_words_that_come_late_are_waited_for_a_little(room: Room) -> None:
    line = Line("slow", "en")
    room.mute.add(line)
    room.announce(Utterance(Sound.RIGHT, (line,)))
    room.until(RIGHT + 1.0)
    room.make_late(line)
    room.until(60)
    assert room.heard == [(0, "right"), (RIGHT + 1.0, "slow")]


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


def test_of_a_hundred_announcements_that_wait_few_are_kept_and_the_newest_is_made() -> None:
    voice = Voice()
    voice.announce((Utterance(Sound.WIN, important=True),), 0.0)
    voice.on_clip(Sound.WIN, clip(Sound.WIN), 0.0)
    for number in range(100):
        voice.announce((Utterance(None, said(f"words {number}")),), 1.0)
    assert len(voice._waiting) <= BACKLOG_SECONDS / MIN_COUNTED_SECONDS
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


def test_each_part_is_waited_for_as_long_as_the_one_before(room: Room) -> None:
    never, late = Line("never", "en"), Line("late", "it")
    room.mute |= {never, late}
    room.announce(Utterance(Sound.RIGHT, (never, late)))
    at = RIGHT + MAX_CLIP_WAIT_SECONDS + 1.0
    room.until(at)
    room.make_late(late)
    room.until(60)
    assert room.heard == [(0, "right"), (at, "late")]
