"""From touches to intents: what somebody meant to touch, and what was an elbow.

A guess cannot be taken back, so a touch counts only when it is deliberate: one place, alone, held
until its cell has filled with light (``hold``); or touched twice (``tap-twice``); or, for tables
that want it, just touched (``tap``). More than one place at once means nothing, and nothing is
meant again before everything has been lifted. Nor is anything meant by what was not seen to come
down: a cup that stood on a cell while the table started, or while the cell could not be read.
"""

import enum
from typing import Final, Literal

import msgspec

from pi_table.geometry import PLACE_COUNT

Mode = Literal["hold", "tap-twice", "tap"]
MODES: Final[tuple[Mode, ...]] = ("hold", "tap-twice", "tap")
SECOND_TAP_WITHIN: Final = 2.0
"""Seconds between the two taps of ``tap-twice``."""


class Hold(msgspec.Struct, frozen=True):
    """One place, touched alone since ``begun`` (seconds); meant at ``ends``, None: at the
    second tap."""

    place: int
    begun: float
    ends: float | None


class Hands(enum.Enum):
    """What the hands on the table are doing."""

    AWAY = "away"
    HOLDING = "holding"
    SPENT = "spent"
    """A finger rests where it has done what it could; it must be lifted first."""
    CROWD = "crowd"
    """Several places at once: a palm, a sleeve, two people."""


class Intents:
    """Turns frames of touched places into the places that were meant."""

    def __init__(self, mode: Mode = "hold", hold_seconds: float = 0.4) -> None:
        self._mode = mode
        self._hold_seconds = hold_seconds
        self._tapped: Hold | None = None
        self._unread = frozenset(range(PLACE_COUNT))
        self.hands = Hands.AWAY
        self.hold: Hold | None = None
        """The hold in progress: its cell fills with light."""

    def frame(
        self, touched: frozenset[int], now: float, deaf: frozenset[int] = frozenset()
    ) -> int | None:
        """Take a frame; answer with the place that is meant by it, if one is.

        A hold is never completed here: a frame that was read late must not make a guess of a
        finger that was lifted in time.
        """
        unread, self._unread = self._unread, deaf
        if not touched:
            self._lifted()
        elif len(touched) > 1:
            self.hands, self.hold, self._tapped = Hands.CROWD, None, None
        elif self.hands is Hands.AWAY and touched & unread:
            self.hands, self.hold, self._tapped = Hands.SPENT, None, None
        elif self.hands is Hands.AWAY:
            return self._touched(next(iter(touched)), now)
        elif self.hold is not None and self.hold.place not in touched:
            # The finger slid to the next place without a frame between: not deliberate.
            self.hands, self.hold, self._tapped = Hands.SPENT, None, None
        return None

    def _touched(self, place: int, now: float) -> int | None:
        if self._mode == "hold":
            self.hands = Hands.HOLDING
            self.hold = Hold(place, now, now + self._hold_seconds)
            return None
        self.hands = Hands.SPENT
        tapped, self._tapped = self._tapped, None
        if self._mode == "tap":
            return place
        if tapped and tapped.place == place and now < tapped.begun + SECOND_TAP_WITHIN:
            self.hold = None
            return place
        self._tapped = self.hold = Hold(place, now, None)
        return None

    def _lifted(self) -> None:
        self.hands = Hands.AWAY
        self.hold = self._tapped

    def tick(self, now: float) -> int | None:
        """Let time pass; answer with the place whose hold is complete, if one is."""
        hold = self.hold
        if hold is None:
            return None
        if hold.ends is None:
            if now >= hold.begun + SECOND_TAP_WITHIN:
                self.hold = self._tapped = None
            return None
        if now < hold.ends:
            return None
        self.hands, self.hold = Hands.SPENT, None
        return hold.place

    def withdraw(self) -> None:
        """Nothing that was begun is meant any more; the finger must be lifted first."""
        if self.hold is not None:
            self.hands = Hands.AWAY if self.hands is Hands.AWAY else Hands.SPENT
            self.hold = self._tapped = None

    @property
    def wakes(self) -> float | None:
        """The next instant at which `tick` has something to do, or None."""
        if self.hold is None:
            return None
        if self.hold.ends is not None:
            return self.hold.ends
        return self.hold.begun + SECOND_TAP_WITHIN
