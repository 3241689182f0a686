"""The schedule of sounds: one sound at a time, and never late.

`Voice` is a pure state machine. Its inputs are announcements, finished clips and the time; its
outputs are clips to make and clips to play. The same inputs at the same times give the same
outputs.

1. Announcements are played in the order in which they are due. Each is a sound, then words. An
   important one that is due goes before everything that was announced later.
2. A later announcement interrupts the words of an earlier one if it is at least as important. It
   interrupts a sound only if it is more important. Announcements made together never interrupt one
   another.
3. An utterance with ``afresh`` drops all waiting announcements that were made before it.
4. An announcement that waited too long is dropped. A part whose clip is not made in time is left
   out.
"""

from collections import deque
from typing import Final

import msgspec

from pi_table.devices.hal.contracts import SILENCE, Clip
from pi_table.devices.sound.scores import seconds_of
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.utterance import Part, Utterance

STALE_SECONDS: Final = 4.0
"""Seconds after which an unimportant announcement that is due, but has not started, is dropped."""
IMPORTANT_STALE_SECONDS: Final = 8.0
"""Seconds after which an important announcement that is due, but has not started, is dropped."""
BACKLOG_SECONDS: Final = 3.0
"""Maximum backlog of due announcements, in seconds of sound. If it is longer, older announcements
are dropped."""
MIN_COUNTED_SECONDS: Final = 0.25
"""Minimum number of seconds that one announcement adds to the backlog."""
MAX_COUNTED_SECONDS: Final = 2.0
"""Maximum number of seconds that one announcement adds to the backlog. Because of this limit, the
long sound of a win does not displace the announcements made together with it."""
MAX_CLIP_WAIT_SECONDS: Final = 1.5
"""Maximum wait in seconds for the clip of a part that is due."""


class Make(msgspec.Struct, frozen=True):
    part: Part


class Play(msgspec.Struct, frozen=True):
    clip: Clip


Output = Make | Play


class _QueuedUtterance:
    """An utterance that waits to be played, or is being played."""

    def __init__(self, utterance: Utterance, now: float, announced: int) -> None:
        self.due = now + utterance.after
        self.announced = announced
        """Number of the call of `Voice.announce` that brought this utterance."""
        self.important = utterance.important
        sound = () if utterance.sound is None else (utterance.sound,)
        self.parts: deque[Part] = deque((*sound, *utterance.lines))
        seconds = sum(map(seconds_of, sound))
        self.seconds = min(max(MIN_COUNTED_SECONDS, seconds), MAX_COUNTED_SECONDS)
        self.made: dict[Part, Clip | None] = {}
        """The finished clips by part. A part that cannot be made has the value None."""

    @property
    def stale_at(self) -> float:
        return self.due + (IMPORTANT_STALE_SECONDS if self.important else STALE_SECONDS)


class Voice:
    """The scheduler of announcements. Times are in seconds."""

    def __init__(self) -> None:
        self._calls = 0
        self._now = 0.0
        self._waiting: list[_QueuedUtterance] = []
        self._turn: _QueuedUtterance | None = None
        """The utterance that is being played; None if none is being played."""
        self._playing: Part | None = None
        self._until = 0.0
        """Time at which the current part ends. If no part is playing, time at which the wait for
        the next clip ends."""

    @property
    def wakes(self) -> float | None:
        """Time at which `pass_time` must be called next; None if no call is needed."""
        to_come = [turn.due for turn in self._waiting if turn.due > self._now]
        return min([*to_come, self._until] if self._turn is not None else to_come, default=None)

    def announce(self, utterances: tuple[Utterance, ...], now: float) -> list[Output]:
        self._calls += 1
        # An utterance with `afresh` drops what waits, but not what is being played: that is
        # interrupted below only if `_is_interrupted` allows it.
        if any(each.afresh for each in utterances):
            self._waiting = []
        self._waiting += [_QueuedUtterance(utterance, now, self._calls) for utterance in utterances]
        # The sort is stable: announcements due at the same time keep the order of their calls.
        self._waiting.sort(key=lambda turn: turn.due)
        return self.pass_time(now)

    def on_clip(self, part: Part, clip: Clip | None, now: float) -> list[Output]:
        """Process the finished clip of a part; None means that the clip cannot be made."""
        if self._turn is not None:
            self._turn.made[part] = clip
        return self.pass_time(now)

    def hush(self) -> list[Output]:
        """Drop everything that was announced so far, and stop playing."""
        was_playing = self._playing is not None
        self._waiting = []
        self._turn = self._playing = None
        return [Play(SILENCE)] if was_playing else []

    def pass_time(self, now: float) -> list[Output]:
        self._now = now
        outputs: list[Output] = []
        # Each round starts or ends one thing, until there is nothing more to do at this time.
        while True:
            # 1. The current part has ended. Wait for the next part of the turn, but not for long.
            if self._playing is not None and now >= self._until:
                self._playing = None
                self._until = now + MAX_CLIP_WAIT_SECONDS
            # 2. Drop stale announcements and the backlog before anything is chosen.
            due = self._due(now)
            # 3. A later announcement may interrupt. The rest of the interrupted turn is dropped.
            if self._turn is not None and self._is_interrupted(self._turn, due):
                if self._playing is not None:
                    outputs.append(Play(SILENCE))
                self._turn = self._playing = None
            # 4. Only one part is played at a time.
            if self._playing is not None:
                return outputs
            # 5. Choose the next turn: the first that no later announcement would interrupt at once,
            #    and that does not wait for an important one. Turns before it are dropped if they
            #    would be interrupted before people hear them.
            if self._turn is None:
                if not due:
                    return outputs
                kept = [turn for turn in due if not self._is_interrupted(turn, due)]
                self._turn = next(turn for turn in kept if not _waits(turn, kept))
                dropped = [turn for turn in due[: due.index(self._turn)] if turn not in kept]
                done_with = [*dropped, self._turn]
                self._waiting = [turn for turn in self._waiting if turn not in done_with]
                self._until = now + MAX_CLIP_WAIT_SECONDS
                # All parts are ordered now, so that the words are made while the sound plays.
                outputs += [Make(part) for part in self._turn.parts]
            # 6. Play the turn's next part, or come back when its clip is made or its time is over.
            if not self._go_on(self._turn, now, outputs):
                return outputs

    def _go_on(self, turn: _QueuedUtterance, now: float, outputs: list[Output]) -> bool:
        """Start the next part, or leave it out. Return False while its clip is still being made."""
        if not turn.parts:
            self._turn = None
            return True
        part = turn.parts[0]
        # Still being made: wait until `_until`. After that the part is left out, like one that
        # cannot be made, and the next part gets its own waiting time.
        if part not in turn.made and now < self._until:
            return False
        turn.parts.popleft()
        clip = turn.made.get(part)
        if clip is None:
            self._until = now + MAX_CLIP_WAIT_SECONDS
            return True
        outputs.append(Play(clip))
        self._playing = part
        self._until = now + clip.seconds
        return True

    def _due(self, now: float) -> list[_QueuedUtterance]:
        """Return the utterances that may be played now, in order. Drop those that are stale or
        beyond the backlog."""
        # 1. Drop what waited too long: an old announcement would describe an earlier situation.
        due = [turn for turn in self._waiting if turn.due <= now < turn.stale_at]
        # 2. Shorten the backlog from its old end, unimportant announcements first. The last one
        #    always stays, however long it is. Lengths count sounds only: words are optional, and
        #    their length is unknown before they are made.
        while len(due) > 1 and sum(turn.seconds for turn in due) > BACKLOG_SECONDS:
            due.remove(next((turn for turn in due if not turn.important), due[0]))
        # 3. Keep those that are not due yet.
        self._waiting = [*due, *(turn for turn in self._waiting if turn.due > now)]
        return due

    def _is_interrupted(self, turn: _QueuedUtterance, due: list[_QueuedUtterance]) -> bool:
        """True if a due utterance interrupts ``turn``, which may be playing or may not have
        started."""
        # Only later calls count: announcements made together wait for one another.
        later = [each for each in due if each.announced > turn.announced]
        # A sound is short and is interrupted only by something more important. Words are long and
        # give way to anything at least as important.
        if isinstance(self._playing or next(iter(turn.parts), None), Sound):
            return not turn.important and any(each.important for each in later)
        return any(each.important >= turn.important for each in later)


def _waits(turn: _QueuedUtterance, due: list[_QueuedUtterance]) -> bool:
    """True if something important that is due was announced before ``turn``. For example, a touch
    that is refused during the drum roll waits for the answer."""
    return any(each.important and each.announced < turn.announced for each in due)
