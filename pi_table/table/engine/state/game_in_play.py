"""The game in play and its time, as an immutable value.

``now`` is in seconds of the table's clock, which stops while the power is off. ``time`` is in
seconds of the game's own clock.
"""

import math
from typing import Final

import msgspec

from pi_table.games.rules import games
from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import AnyBoard, AnyState, Opening
from pi_table.table.engine.storage.results import Found

NOTE_SECONDS: Final = 15.0
"""Seconds between two writes of the game's time to the journal, while a countdown runs. After a
power cut, the countdown is at most this much too long.

Each of these writes costs a sync of the SD card. With an interval of five seconds, they were four
fifths of all writes in an evening with a clock (`pi-table bench wear`).
"""


class GameInPlay(msgspec.Struct, frozen=True):
    """The game in play, or the last game if it is over."""

    number: int
    """The number of the game in the journal."""
    opening: Opening
    state: AnyState
    zero: float
    """Time of the table's clock at which the game's time was 0."""
    noted: float
    """The latest game time that is in the journal, in seconds."""

    @classmethod
    def resume(cls, found: Found, now: float) -> "GameInPlay":
        """Return a stored game that continues at ``now``. The game's time goes on from the last
        stored time."""
        return cls(found.number, found.opening, found.state, now - found.noted, found.noted)

    @property
    def board(self) -> AnyBoard:
        return self.state.board

    def time(self, now: float) -> float:
        """Return the time of the game at ``now``, in seconds."""
        return now - self.zero

    def settle(self, until: float) -> tuple[AnyState, tuple[Event, ...]]:
        """Return the state at ``until``, and the events that time alone has caused by then."""
        return games.settle(self.state, self.time(until))

    @property
    def note_due(self) -> float | None:
        """Time at which the journal must store the game's time next: every `NOTE_SECONDS` of a
        countdown, and at the countdown's end. None if no countdown runs."""
        countdown = self.board.countdown
        if countdown is None or countdown.ends is None or countdown.ends <= self.noted:
            return None
        due = self.noted + NOTE_SECONDS
        return self.zero + due if due < countdown.ends else self._out_at(countdown, countdown.ends)

    def _out_at(self, countdown: Countdown, ends: float) -> float:
        """Return the first instant at which the countdown has run out."""
        now = self.zero + ends
        while self.time(now) < ends or countdown.remaining(self.time(now)) > 0.0:
            now = math.nextafter(now, math.inf)  # the sum was rounded down
        return now
