"""What is heard when: one thing at a time, and never late.

`Voice` is a machine of values. It is told what is announced, what came of making clips, and that
time has passed; it answers with clips to be made and clips to be played. It depends on nothing but
what it is told: the same announcements at the same times sound the same.

1. Announcements are heard in the order in which they are due, each as its sound and then its words.
2. Whatever is announced *later* cuts short: words, if it is at least as important as they are; and
   a sound too, if it is more important. What was announced together waits for one another.
3. What begins afresh has all forgotten that was announced before and has not begun.
4. Nothing is heard that has waited too long, and what cannot be made in time is left out.
"""

from collections import deque
from typing import Final

import msgspec

from pi_table.devices.hal.contracts import SILENCE, Clip
from pi_table.devices.sound.scores import seconds_of
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.utterance import Part, Utterance

STALE_SECONDS: Final = 4.0
"""An announcement that could not begin so long after it was due is left out."""
IMPORTANT_STALE_SECONDS: Final = 8.0
"""The same for an important one."""
BACKLOG_SECONDS: Final = 3.0
"""Of what is due, no more than so many seconds of sounds wait; the newest are kept."""
LEAST_SECONDS: Final = 0.25
"""An announcement counts as so long at least."""
LATE_SECONDS: Final = 1.5
"""So long a part is waited for when its time has come and it is not made yet."""


class Make(msgspec.Struct, frozen=True):
    """Make a clip of this, and say so by `Voice.made`."""

    part: Part


class Play(msgspec.Struct, frozen=True):
    """Play this clip now, in the place of what is being played."""

    clip: Clip


Output = Make | Play


class _Turn:
    """An utterance that waits to be heard, or of which some is heard."""

    def __init__(self, utterance: Utterance, now: float, announced: int) -> None:
        self.due = now + utterance.after
        self.announced = announced
        """The number of the call that announced it."""
        self.important = utterance.important
        sound = () if utterance.sound is None else (utterance.sound,)
        self.parts: deque[Part] = deque((*sound, *utterance.lines))
        """What is still to be played of it."""
        self.seconds = max(LEAST_SECONDS, sum(map(seconds_of, sound)))
        self.made: dict[Part, Clip | None] = {}
        """What came of making its parts."""

    @property
    def stale_at(self) -> float:
        return self.due + (IMPORTANT_STALE_SECONDS if self.important else STALE_SECONDS)


class Voice:
    """Decides what is heard when."""

    def __init__(self) -> None:
        self._calls = 0
        self._now = 0.0
        """The latest time that was told."""
        self._waiting: list[_Turn] = []
        self._turn: _Turn | None = None
        """The announcement that is being heard."""
        self._playing: Part | None = None
        self._until = 0.0
        """When what is being played ends; or, while nothing is, until when the next part of the
        turn is waited for."""

    @property
    def wakes(self) -> float | None:
        """When time is to be told again; None: when something happens."""
        to_come = [turn.due for turn in self._waiting if turn.due > self._now]
        return min([*to_come, self._until] if self._turn is not None else to_come, default=None)

    def announce(self, utterances: tuple[Utterance, ...], now: float) -> list[Output]:
        """These are announced together."""
        self._calls += 1
        if any(each.afresh for each in utterances):
            self._waiting = []
        self._waiting += [_Turn(utterance, now, self._calls) for utterance in utterances]
        self._waiting.sort(key=lambda turn: turn.due)
        return self.pass_time(now)

    def made(self, part: Part, clip: Clip | None, now: float) -> list[Output]:
        """This is the clip of that part; None if it cannot be made."""
        if self._turn is not None:
            self._turn.made[part] = clip
        return self.pass_time(now)

    def hush(self) -> list[Output]:
        """Nothing that was announced so far is to be heard any more."""
        was_playing = self._playing is not None
        self._waiting = []
        self._turn = self._playing = None
        return [Play(SILENCE)] if was_playing else []

    def pass_time(self, now: float) -> list[Output]:
        """It is as late as that: do what is due."""
        self._now = now
        outputs: list[Output] = []
        while True:
            if self._playing is not None and now >= self._until:
                self._playing = None
                self._until = now + LATE_SECONDS
            due = self._due(now)
            if self._turn is not None and self._gives_way(self._turn, due):
                if self._playing is not None:
                    outputs.append(Play(SILENCE))
                self._turn = self._playing = None
            if self._playing is not None:
                return outputs
            if self._turn is None:
                if not due:
                    return outputs
                self._turn = next(turn for turn in due if not self._gives_way(turn, due))
                done_with = due[: due.index(self._turn) + 1]
                self._waiting = [turn for turn in self._waiting if turn not in done_with]
                self._until = now + LATE_SECONDS
                outputs += [Make(part) for part in self._turn.parts]
            if not self._go_on(self._turn, now, outputs):
                return outputs

    def _go_on(self, turn: _Turn, now: float, outputs: list[Output]) -> bool:
        """Begin the next part of the turn, or leave it out; False if it is waited for."""
        if not turn.parts:
            self._turn = None
            return True
        part = turn.parts[0]
        if part not in turn.made and now < self._until:
            return False
        turn.parts.popleft()
        clip = turn.made.get(part)
        if clip is None:  # it cannot be made, or not in time
            self._until = now + LATE_SECONDS
            return True
        outputs.append(Play(clip))
        self._playing = part
        self._until = now + clip.seconds
        return True

    def _due(self, now: float) -> list[_Turn]:
        """What may be heard now, in order. What is not worth hearing any more is forgotten."""
        due = [turn for turn in self._waiting if turn.due <= now < turn.stale_at]
        while len(due) > 1 and sum(turn.seconds for turn in due) > BACKLOG_SECONDS:
            due.remove(next((turn for turn in due if not turn.important), due[0]))
        self._waiting = [*due, *(turn for turn in self._waiting if turn.due > now)]
        return due

    def _gives_way(self, turn: _Turn, due: list[_Turn]) -> bool:
        """Is the turn cut short, in the part that is heard or comes next, by what is due now?"""
        later = [each for each in due if each.announced > turn.announced]
        if isinstance(self._playing or next(iter(turn.parts), None), Sound):
            return not turn.important and any(each.important for each in later)
        return any(each.important >= turn.important for each in later)
