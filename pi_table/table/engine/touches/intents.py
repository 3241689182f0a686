"""The touch policy: it separates intended touches from elbows, cups and drinks.

A guess cannot be taken back, so only a deliberate touch of one place alone counts. In the mode
``hold``, the touch must last until its cell has filled with light. In the mode ``tap-twice``, the
place must be touched twice. In the mode ``tap``, which a table can choose, one short touch is
enough. All other touches by hands, cups and drinks mean nothing. They must be lifted or wiped off,
and then the table must settle for a moment. `ABUSE.md` gives the assumptions and the reason for
each rule.

`TABLE` is the state machine: it has the next state of the hands for each sign. `Intents` finds the
signs in frames and in the passing of time. A test compares the diagram in the README with `TABLE`.
"""

import enum
import math
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.hal.contracts import HEARTBEAT, TouchFrame

Mode = Literal["hold", "tap-twice", "tap"]
MODES: Final[tuple[Mode, ...]] = ("hold", "tap-twice", "tap")
TAP_SECONDS: Final = 2.0
"""Seconds after the first tap within which the second tap of ``tap-twice`` must come."""
SETTLING_SECONDS: Final = 0.5
"""Seconds after a disturbance during which nothing may be touched. After that, a touch can be
accepted again."""
MOVEMENT_SECONDS: Final = 0.1
"""Seconds after an intended touch is lifted, during which a touch of another place counts as part
of the same movement.

After a touch that was not intended, `SETTLING_SECONDS` is used instead. Pads are 24 mm apart. A
finger that takes longer for this distance is so slow that it was on the first pad for nearly the
time of a hold.
"""
EVIDENCE_SECONDS: Final = 2 * HEARTBEAT
"""Maximum age, in seconds, of the latest frame at the end of a hold. An older frame does not
complete the hold. A frame is up to `HEARTBEAT` old when it arrives, even if it is not late."""
LEFT_BEHIND_SECONDS: Final = 3.0
"""Seconds after which a touch that means nothing counts as a thing left on the table."""
MAX_NOISY_PLACES: Final = 3
"""Maximum number of noisy places with which the other places can still be used. More noisy places
hide too much of the table."""

NOTHING_READ: Final = TouchFrame(deaf=frozenset(range(PLACE_COUNT)))


class Hands(enum.Enum):
    """The state of the hands on the table."""

    AWAY = "away"
    """Nothing is touched, except by things left behind. The next touch may become a guess."""
    HOLDING = "holding"
    """A finger holds one place, alone."""
    SPENT = "spent"
    """A finger still rests on a place after its touch was used. It must be lifted first."""
    UNCLEAR = "unclear"
    """There are several touches, something heavy, a movement, or water. All must be
    lifted first."""
    SETTLING = "settling"
    """All touches were lifted after something unclear. The table waits, as more touches
    may follow."""


class Sign(enum.Enum):
    """An event that may change the state of the hands."""

    PRESSED = "pressed"
    """One place alone was touched, perhaps on purpose. The touch must now be held."""
    TAPPED = "tapped"
    """One place alone was touched, perhaps on purpose. The touch need not be held."""
    STRAYED = "strayed"
    """One place alone was touched, but the touch means nothing. It is part of a movement, it may
    have begun while the place could not be read, or a hand must be lifted first."""
    DISTURBED = "disturbed"
    """Several places were touched at once, something heavy or water is there, a touch came before
    the table had settled, or a touch chip failed or came back."""
    LIFTED = "lifted"
    """Nothing is touched any more, except by things left behind. The table need not settle."""
    CLEARED = "cleared"
    """Nothing is touched any more, except by things left behind. There was a disturbance, so the
    table must settle."""
    HELD = "held"
    """A hold has lasted long enough, and the latest frame is fresh."""
    WITHDRAWN = "withdrawn"
    """The hold was cancelled, for example because it was refused."""
    SETTLED = "settled"
    """Nothing was touched for `SETTLING_SECONDS`."""
    LEFT_BEHIND = "left behind"
    """The touch means nothing and has not changed for `LEFT_BEHIND_SECONDS`."""


TABLE: Final[dict[Sign, dict[Hands, Hands]]] = {
    Sign.PRESSED: {Hands.AWAY: Hands.HOLDING},
    Sign.TAPPED: {Hands.AWAY: Hands.SPENT},
    Sign.STRAYED: {
        Hands.AWAY: Hands.UNCLEAR,
        Hands.HOLDING: Hands.UNCLEAR,
        Hands.SPENT: Hands.UNCLEAR,
    },
    Sign.DISTURBED: {
        Hands.AWAY: Hands.UNCLEAR,
        Hands.HOLDING: Hands.UNCLEAR,
        Hands.SPENT: Hands.UNCLEAR,
        Hands.SETTLING: Hands.UNCLEAR,
    },
    Sign.LIFTED: {
        Hands.HOLDING: Hands.AWAY,
        Hands.SPENT: Hands.AWAY,
        Hands.UNCLEAR: Hands.AWAY,
    },
    Sign.CLEARED: {Hands.UNCLEAR: Hands.SETTLING},
    Sign.HELD: {Hands.HOLDING: Hands.SPENT},
    Sign.WITHDRAWN: {Hands.HOLDING: Hands.SPENT},
    Sign.SETTLED: {Hands.SETTLING: Hands.AWAY},
    Sign.LEFT_BEHIND: {Hands.SPENT: Hands.AWAY, Hands.UNCLEAR: Hands.AWAY},
}
"""For each sign: the states of the hands that it changes, each with the next state. The sign
changes no other state."""


class Hold(msgspec.Struct, frozen=True):
    """One place that somebody began to hold or tap at ``begun`` (seconds)."""

    place: int
    begun: float
    ends: float | None
    """Time in seconds at which the touch counts as intended if nothing disturbs it; None for a
    tap."""


class Intents:
    """Finds intended touches in frames of touched places."""

    def __init__(self, mode: Mode = "hold", hold_seconds: float = 0.4) -> None:
        self._mode = mode
        self._hold_seconds = hold_seconds
        self._felt: TouchFrame | None = None
        """The latest frame, without the effects of noise."""
        self._told = NOTHING_READ
        """The latest frame as the touch grid reported it."""
        self._felt_at = 0.0
        """Time of the latest frame in seconds; minus infinity if that frame was late."""
        self._awaited = False
        """True if a hold's time is over, but the latest frame is too old to complete it."""
        self._tapped: Hold | None = None
        """The first of two taps; None if there was none."""
        self._done = False
        """True if the latest touch was intended."""
        self._moves_until: dict[int, float] = {}
        """For each place whose finger was lifted: the time until which a touch of another place
        continues the same movement."""
        self._must_settle = False
        """True after a disturbance, until the table begins to settle."""
        self._settles_at = 0.0
        self._doubted: set[int] = set()
        """Places whose next touch is doubtful, because that touch may have begun before the place
        went deaf.

        Such a place went deaf while a finger or something heavy was on it. The finger or thing may
        still be there, hidden by the chip's new calibration.
        """
        self._behind: dict[int, bool] = {}
        """For each place of a thing left behind: True if the table must settle when the thing is
        lifted."""
        self._left_at: float | None = None
        """Time at which the current touch counts as left behind if nothing changes; None if it
        cannot count as left behind."""
        self.touched: frozenset[int] = frozenset()
        """The touched places, except those of things left behind."""
        self.hands = Hands.AWAY
        self.hold: Hold | None = None
        """The hold in progress, whose cell fills with light."""

    def frame(self, frame: TouchFrame, now: float) -> int | None:
        """Process a frame; return the place of the tap that this frame completes, or None.

        A frame never completes a hold. It may have been read late, and the next frame may show that
        the finger was lifted in time.
        """
        # Step 1: let the timers run out that end before this frame: settling, left behind.
        self._pass(now)
        # Step 2: take the noise out of the frame. Noisy places become deaf, so that the steps below
        # never see a touch that is only noise.
        told, self._told = self._told, frame
        noisy, gone_deaf, frame = frame.noisy, frame.deaf, _without_noise(frame)
        before, self._felt = self._felt or NOTHING_READ, frame
        # Step 3: note how fresh this evidence is. A late frame completes no hold: its finger may
        # have been lifted since.
        if frame.late:
            self._felt_at = -math.inf
        else:
            self._felt_at, self._awaited = now, False
        # Step 4: find the lifted places. A place that went deaf was not lifted, only lost; when it
        # is read again, a touch there is doubtful, because a finger may have stayed.
        lifted = before.touched - frame.touched - frame.deaf
        self._doubted |= (before.touched | told.heavy) & gone_deaf
        self._moves_until |= dict.fromkeys(lifted, now + self._pause)
        # Step 5: leave out things left behind. The others are the touches that count.
        taken = self._take_up(lifted, frame.heavy)
        touched, self.touched = self.touched, frame.touched - self._behind.keys()
        if self.touched != touched or frame.heavy or frame.blocked:
            self._left_at = None
        # Step 6: classify the frame. A disturbance is checked first: whatever else the frame has,
        # no touch in it can be intended. Without a disturbance, one new place alone may be a touch.
        meant = None
        chips_changed = gone_deaf != told.deaf and told is not NOTHING_READ
        unclear = taken or chips_changed or bool(touched & noisy)
        if frame.blocked or frame.heavy or len(self.touched) > 1 or unclear:
            self._on_disturbance()
        elif came := self.touched - touched:
            (place,) = came
            meant = self._on_touch(place, now, place in before.deaf | self._doubted)
        # Step 7: a lifted place is no longer doubtful. If nothing is touched now, the hands are
        # away or begin to settle.
        self._doubted -= lifted
        if not self.touched and not frame.blocked:
            self._on_all_lifted(now)
        # Step 8: a touch that means nothing may be a thing left behind: start the wait for that.
        self._watch(now)
        return meant

    def tick(self, now: float) -> int | None:
        """Let time pass; return the place whose hold is complete, or None.

        The caller must first process all frames that have arrived. At the end of a hold, the latest
        frame must not be older than `EVIDENCE_SECONDS`. Otherwise the hold waits for a new frame,
        because the finger may have been lifted.
        """
        self._pass(now)
        hold = self.hold
        if hold is None:
            return None
        # The first of two taps: it has no end, it only expires.
        if hold.ends is None:
            if now >= hold.begun + TAP_SECONDS:
                self._forget()
            return None
        if now < hold.ends:
            return None
        # The time is over, but the finger must also still be there. If frames are delayed, it may
        # have been lifted without a frame, so the latest frame must be fresh. That frame was up to
        # HEARTBEAT old when it came, which counts as a part of its age.
        self._awaited = now > self._felt_at + EVIDENCE_SECONDS - HEARTBEAT
        if self._awaited:
            return None
        self._see(Sign.HELD)
        self._forget()
        self._done = True
        self._watch(now)
        return hold.place

    def withdraw(self) -> None:
        """Drop the touch in progress. The finger must be lifted before another touch can count."""
        self._see(Sign.WITHDRAWN)
        self._forget()

    @property
    def wakes(self) -> float | None:
        """Time at which `tick` is due; None if only a frame can change something."""
        due = [] if self._left_at is None else [self._left_at]
        if self.hands is Hands.SETTLING:
            due.append(self._settles_at)
        if self.hold is not None and not self._awaited:
            ends = self.hold.ends
            due.append(self.hold.begun + TAP_SECONDS if ends is None else ends)
        return min(due, default=None)

    # The signs

    def _see(self, sign: Sign) -> None:
        self.hands = TABLE[sign].get(self.hands, self.hands)

    def _forget(self) -> None:
        """Drop the touch in progress, because it was not intended or has been used."""
        self.hold = self._tapped = None

    def _on_touch(self, place: int, now: float, doubtful: bool) -> int | None:
        """Process a new touch of one place alone; return the place if this completes a tap."""
        # A touch while the table settles is part of the disturbance.
        if self.hands is Hands.SETTLING:
            self._on_disturbance()
            return None
        self._done = False
        # Three reasons why one place, alone, is still not meant: the same movement has just left
        # another place; the place was deaf, so the touch may be old; a hand must be lifted first.
        moving = any(now < until for other, until in self._moves_until.items() if other != place)
        if moving or doubtful or self.hands is not Hands.AWAY:
            self._see(Sign.STRAYED)
            self._forget()
            return None
        if self._mode == "hold":
            self._see(Sign.PRESSED)
            self.hold = Hold(place, now, now + self._hold_seconds)
            return None
        # A tap. In ``tap-twice`` the first tap only lights the cell. A second tap in time, at the
        # same place, is intended.
        self._see(Sign.TAPPED)
        first = self._tapped
        again = first is not None and first.place == place and now < first.begun + TAP_SECONDS
        if self._mode == "tap" or again:
            self._forget()
            self._done = True
            return place
        self._tapped = self.hold = Hold(place, now, None)
        return None

    def _on_disturbance(self) -> None:
        """Process a disturbance: drop the touch in progress; the table must settle."""
        self._see(Sign.DISTURBED)
        self._forget()
        self._must_settle = True

    def _on_all_lifted(self, now: float) -> None:
        if self._must_settle:
            self._see(Sign.CLEARED)
            self._must_settle, self._settles_at = False, now + SETTLING_SECONDS
        else:
            # A lift ends a hold, but a first tap waits for its second one.
            self._see(Sign.LIFTED)
            self.hold = self._tapped

    def _pass(self, now: float) -> None:
        """Let time pass for everything except the hold."""
        if self.hands is Hands.SETTLING and now >= self._settles_at:
            self._see(Sign.SETTLED)
        if self._left_at is not None and now >= self._left_at:
            # From now on this place is ignored, so that others can play. Remember whether it came
            # with a disturbance: then its removal also is a disturbance.
            self._see(Sign.LEFT_BEHIND)
            self._behind |= dict.fromkeys(self.touched, self._must_settle)
            self.touched, self._left_at, self._must_settle = frozenset(), None, False

    # Movements and things left behind

    @property
    def _pause(self) -> float:
        """Seconds after a lift within which a touch of another place counts as the same movement.

        The time is short after an intended touch, because the next person may be quick. It is
        longer after other touches, because such fingers tap about, or draw over the table.
        """
        return MOVEMENT_SECONDS if self._done else SETTLING_SECONDS

    def _take_up(self, lifted: frozenset[int], heavy: frozenset[int]) -> bool:
        """Forget the things left behind that are gone now. Return True if taking them away counts
        as a disturbance."""
        assert self._felt is not None
        # If a thing becomes heavy, something was added to it: it counts as a touch again.
        stays = self._behind.keys() & (self._felt.touched - heavy)
        taken = self._behind.keys() & lifted
        disturbs = any(self._behind[place] for place in taken)
        self._behind = {place: self._behind[place] for place in stays}
        # If another place is newly touched, the thing may have been pushed there.
        return disturbs or (bool(taken) and self._felt.touched > stays)

    def _watch(self, now: float) -> None:
        """Start the wait after which a single touch counts as a thing left behind. A heavy touch
        never counts as such a thing."""
        assert self._felt is not None
        stays = len(self.touched) == 1 and self.hands in (Hands.SPENT, Hands.UNCLEAR)
        if stays and self._left_at is None and not (self._felt.heavy or self._felt.blocked):
            self._left_at = now + LEFT_BEHIND_SECONDS


def _without_noise(frame: TouchFrame) -> TouchFrame:
    """Return the frame without the effects of noise.

    Noisy places become deaf. If many places are noisy, or something heavy is on a noisy place, the
    whole grid is blocked. For example, a phone during a call also disturbs the next place as soon
    as somebody picks it up. That place would then be the only touch. (Heavy and noisy places stay
    in the frame: a heavy place blocks anyway, and nothing reads the noisy places.)
    """
    if not frame.noisy:
        return frame
    noisy = frame.noisy
    return replace(
        frame,
        touched=frame.touched - noisy,
        deaf=frame.deaf | noisy,
        blocked=frame.blocked or len(noisy) > MAX_NOISY_PLACES or bool(frame.heavy & noisy),
    )
