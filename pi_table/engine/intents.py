"""From touches to intents: what somebody meant to touch, and what was an elbow.

A guess cannot be taken back, so a touch counts only when it is deliberate: one place, alone, held
until its cell has filled with light (``hold``); or touched twice (``tap-twice``); or, for tables
that want it, just touched (``tap``). What else hands, cups and drinks do means nothing, must be
lifted or wiped first, and is waited for until it has settled. `ABUSE.md` says what is assumed of
it all, and why each rule is here.
"""

import enum
from typing import Final, Literal

import msgspec

from pi_table.geometry import PLACE_COUNT
from pi_table.hal.contracts import TouchFrame

Mode = Literal["hold", "tap-twice", "tap"]
MODES: Final[tuple[Mode, ...]] = ("hold", "tap-twice", "tap")
SECOND_TAP_WITHIN: Final = 2.0
"""Seconds between the two taps of ``tap-twice``."""
SETTLING_SECONDS: Final = 0.5
"""How long nothing may be touched, after what was unclear, before something can be meant again."""
MOVEMENT_SECONDS: Final = 0.1
"""A place that is touched so soon after another was lifted belongs to the same movement, even where
that one was meant. Who takes longer over the 10 mm between two cells rests on each for a hold."""
LEFT_BEHIND_SECONDS: Final = 3.0
"""How long a place that can mean nothing is touched until it is taken for a thing left there."""

NOTHING_READ: Final = TouchFrame(deaf=frozenset(range(PLACE_COUNT)))


class Hold(msgspec.Struct, frozen=True):
    """One place, touched alone since ``begun`` (seconds); meant at ``ends``, None: at the
    second tap."""

    place: int
    begun: float
    ends: float | None


class Hands(enum.Enum):
    """What the hands on the table are doing."""

    AWAY = "away"
    """Nothing that counts: the next touch can be meant."""
    HOLDING = "holding"
    SPENT = "spent"
    """A finger rests where it has done what it could; it must be lifted first."""
    UNCLEAR = "unclear"
    """Several places at once, something heavy, a movement, water: all must be lifted first."""
    SETTLING = "settling"
    """All was lifted after something unclear; it may not be over."""


class Intents:
    """Turns frames of touched places into the places that were meant."""

    def __init__(self, mode: Mode = "hold", hold_seconds: float = 0.4) -> None:
        self._mode = mode
        self._hold_seconds = hold_seconds
        self._tapped: Hold | None = None
        self._felt: TouchFrame | None = None
        self._doubted: set[int] = set()
        """Where something lay when the place went deaf: it may have been calibrated away."""
        self._behind: dict[int, bool] = {}
        """Where something was left; must the table settle when it is lifted?"""
        self._left_at: float | None = None
        self._done = False
        """Has the latest touch been meant?"""
        self._moves_until: dict[int, float] = {}
        """Until when the place of a lift makes a touch elsewhere part of a movement."""
        self._must_settle = False
        self._settles_at = 0.0
        self.touched: frozenset[int] = frozenset()
        """The places that are touched, but for those where something was left behind."""
        self.hands = Hands.AWAY
        self.hold: Hold | None = None
        """The hold in progress: its cell fills with light."""

    def frame(self, frame: TouchFrame, now: float) -> int | None:
        """Take a frame; answer with the place that is meant by it, if one is.

        A hold is never completed here: a frame that was read late must not make a guess of a
        finger that was lifted in time.
        """
        self._pass(now)
        before, self._felt = self._felt or NOTHING_READ, frame
        lifted = before.touched - frame.touched - frame.deaf
        self._doubted |= before.touched & frame.deaf
        self._moves_until |= dict.fromkeys(lifted, now + self._pause)
        taken = self._take_up(lifted, frame.heavy)
        touched, self.touched = self.touched, frame.touched - self._behind.keys()
        if self.touched != touched or frame.heavy or frame.blocked:
            self._left_at = None
        meant = None
        chips_changed = frame.deaf != before.deaf and before is not NOTHING_READ
        if frame.blocked or frame.heavy or len(self.touched) > 1 or taken or chips_changed:
            self._disturbed()
        elif came := self.touched - touched:
            (place,) = came
            meant = self._touched(place, now, place in before.deaf | self._doubted)
        self._doubted -= lifted
        if not self.touched and not frame.blocked:
            self._lifted(now)
        self._watch(now)
        return meant

    def _take_up(self, lifted: frozenset[int], heavy: frozenset[int]) -> bool:
        """What was left behind and is not any more; answer whether that is a disturbance."""
        assert self._felt is not None
        stays = self._behind.keys() & (self._felt.touched - heavy)
        taken = self._behind.keys() & lifted
        disturbs = any(self._behind[place] for place in taken)
        self._behind = {place: self._behind[place] for place in stays}
        # Where another place is touched meanwhile, it may have been pushed there.
        return disturbs or (bool(taken) and self._felt.touched > stays)

    @property
    def _pause(self) -> float:
        """For how many seconds a movement that leaves a place may come down on another. A finger
        that has done what it came for is another's turn soon; one that has not dabs or draws."""
        return MOVEMENT_SECONDS if self._done else SETTLING_SECONDS

    def _touched(self, place: int, now: float, doubtful: bool) -> int | None:
        """One place, alone, was touched that was not touched before."""
        if self.hands is Hands.SETTLING:
            self._disturbed()
            return None
        self._done = False
        moving = any(now < until for other, until in self._moves_until.items() if other != place)
        if moving or doubtful or self.hands is not Hands.AWAY:
            self.hands, self.hold, self._tapped = Hands.UNCLEAR, None, None
            return None
        if self._mode == "hold":
            self.hands = Hands.HOLDING
            self.hold = Hold(place, now, now + self._hold_seconds)
            return None
        self.hands = Hands.SPENT
        tapped, self._tapped = self._tapped, None
        if self._mode == "tap":
            self._done = True
            return place
        if tapped and tapped.place == place and now < tapped.begun + SECOND_TAP_WITHIN:
            self.hold, self._done = None, True
            return place
        self._tapped = self.hold = Hold(place, now, None)
        return None

    def _disturbed(self) -> None:
        """Whatever was begun is not meant, and what comes of this must settle first."""
        self.hands, self.hold, self._tapped = Hands.UNCLEAR, None, None
        self._must_settle = True

    def _lifted(self, now: float) -> None:
        """Nothing is touched any more that counts."""
        if self._must_settle:
            self._must_settle = False
            self.hands, self._settles_at = Hands.SETTLING, now + SETTLING_SECONDS
        elif self.hands is not Hands.SETTLING:
            self.hands, self.hold = Hands.AWAY, self._tapped

    def _watch(self, now: float) -> None:
        """Look whether what is touched may have been left there: nobody's body is so light."""
        assert self._felt is not None
        stays = len(self.touched) == 1 and self.hands in (Hands.SPENT, Hands.UNCLEAR)
        if stays and self._left_at is None and not (self._felt.heavy or self._felt.blocked):
            self._left_at = now + LEFT_BEHIND_SECONDS

    def _pass(self, now: float) -> None:
        """Let time pass for all but the hold."""
        if self.hands is Hands.SETTLING and now >= self._settles_at:
            self.hands = Hands.AWAY
        if self._left_at is not None and now >= self._left_at:
            self._behind |= dict.fromkeys(self.touched, self._must_settle)
            self.touched, self._left_at, self._must_settle = frozenset(), None, False
            self.hands, self.hold, self._tapped = Hands.AWAY, None, None

    def tick(self, now: float) -> int | None:
        """Let time pass; answer with the place whose hold is complete, if one is."""
        self._pass(now)
        hold = self.hold
        if hold is None:
            return None
        if hold.ends is None:
            if now >= hold.begun + SECOND_TAP_WITHIN:
                self.hold = self._tapped = None
            return None
        if now < hold.ends:
            return None
        self.hands, self.hold, self._done = Hands.SPENT, None, True
        self._watch(now)
        return hold.place

    def withdraw(self) -> None:
        """Nothing that was begun is meant any more; the finger must be lifted first."""
        if self.hold is not None:
            self.hands = Hands.AWAY if self.hands is Hands.AWAY else Hands.SPENT
            self.hold = self._tapped = None

    @property
    def wakes(self) -> float | None:
        """The next instant at which `tick` has something to do, or None."""
        due = [] if self._left_at is None else [self._left_at]
        if self.hands is Hands.SETTLING:
            due.append(self._settles_at)
        if self.hold is not None:
            ends = self.hold.ends
            due.append(self.hold.begun + SECOND_TAP_WITHIN if ends is None else ends)
        return min(due, default=None)
