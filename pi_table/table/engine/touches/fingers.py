"""Touches: how they are found, judged, and then stored or refused.

`Intents` finds the intended touches. An intended touch is lit until it is stored or refused. A hold
is judged when it begins, and again if the game changes during the hold. So a guest learns at once
that a hold is in vain (CN-21). This module does not know what a touch means in a game. ``now`` is
in seconds of the table's clock.
"""

from pi_table.common.errors import TableError
from pi_table.common.language import Words, say
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.devices.lights.picture import Attention, Held
from pi_table.games.announcer.standing import RefusedTouch
from pi_table.games.rules.refusal import Refused
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.touches.intents import Hands, Hold, Intents


class Fingers:
    """The fingers on the table, and the judgement of their touches."""

    def __init__(self, intents: Intents) -> None:
        self._intents = intents
        self._being_stored: Hold | None = None
        """The completed hold that is not on the disk yet; None if there is none."""
        self._looked_at: tuple[Hold, object] | None = None
        """The hold that was judged last, and the state of the game at that time."""
        self.frame = TouchFrame()
        self.refused: RefusedTouch | None = None

    @property
    def wakes(self) -> float | None:
        """Time at which `tick` is due; None if only a frame can change something."""
        return self._intents.wakes

    # Detection

    def on_frame(self, frame: TouchFrame, now: float, means_nothing: bool) -> Hold | None:
        """Process a frame; return the touch that is complete now, or None.

        ``means_nothing`` is True if a touch only wakes or tests the table. The finger must then be
        lifted before another touch can count.
        """
        place = self._intents.frame(frame, now)
        self.frame = frame
        # The policy has seen the touch, so it knows that the finger must be lifted. The touch
        # itself has no effect.
        if means_nothing:
            self._intents.withdraw()
            return None
        return None if place is None else self._mean(Hold(place, now, None))

    def tick(self, now: float) -> Hold | None:
        """Let time pass; return the hold that is complete now, or None."""
        hold = self._intents.hold  # before `tick`, which clears a completed hold
        if self._intents.tick(now) is None:
            return None
        assert hold is not None
        return self._mean(hold)

    def _mean(self, hold: Hold) -> Hold:
        self._being_stored = hold
        return hold

    def in_time(self, until: float) -> float:
        """Return the time up to which the game may advance: ``until``, but not beyond the start of
        a hold (CN-24)."""
        # A hold that began before the time ran out counts, so the game's time must wait for it.
        # The first of two taps has no end, so the time must not wait for it.
        hold = self._intents.hold
        return until if hold is None or hold.ends is None else min(until, hold.begun)

    # Judgement

    def to_be_judged(self, state: object) -> Hold | None:
        """Return the hold that must be judged now; None if there is none. ``state`` is the game's
        current state: each hold is judged once for each state. A touch that is being stored is not
        judged again."""
        hold = self._intents.hold
        if hold is None or self._being_stored is not None:
            self._looked_at = None
            return None
        # Judge each hold once for each state: the state is immutable, so identity is enough.
        if self._looked_at is not None:
            looked_at, as_it_stood = self._looked_at
            if looked_at is hold and as_it_stood is state:
                return None
        self._looked_at = hold, state
        return hold

    def withdraw(self, hold: Hold, refusal: TableError, now: float) -> None:
        """Refuse a touch during its hold, because it would be refused at the end."""
        self._intents.withdraw()
        self.refuse(hold.place, refusal, now)

    def on_result(self, hold: Hold, refusal: TableError | None, now: float) -> None:
        """Note that an intended touch was stored or refused."""
        if self._being_stored is hold:
            self._being_stored = None
        if refusal is not None:
            self.refuse(hold.place, refusal, now)

    def refuse(self, place: int, refusal: TableError, now: float) -> None:
        self.refused = RefusedTouch(place, now, why_refused(refusal))

    # Lights

    @property
    def attention(self) -> Attention:
        """The state of hands on the table, for the lights."""
        hands = self._intents.hands
        suspected, perhaps = self.frame.perhaps, None
        # Only where a touch could become a guess: hands are away, and nothing else is suspected.
        if len(suspected) == 1 and hands is Hands.AWAY and not self.frame.blocked:
            (perhaps,) = suspected
        return Attention(
            perhaps=perhaps,
            hold=_as_held(self._intents.hold),
            storing=_as_held(self._being_stored),
            unclear=self._intents.touched if hands is Hands.UNCLEAR else frozenset(),
            waiting=hands in (Hands.UNCLEAR, Hands.SETTLING),
            blocked=self.frame.blocked,
            deaf=self.frame.deaf,
        )


def _as_held(hold: Hold | None) -> Held | None:
    return None if hold is None else Held(hold.place, hold.begun, hold.ends)


def why_refused(refusal: TableError) -> Words:
    """Return the reason for a refused touch, as a sentence for guests. If only the staff can repair
    the cause, the sentence does not describe it."""
    if isinstance(refusal, Refused):
        return refusal.reason.sentence
    if isinstance(refusal, Unable) and refusal.reason in _FOR_GUESTS:
        return _FOR_GUESTS[refusal.reason]
    return say("The table cannot keep this: call the staff.")


_FOR_GUESTS = {
    "no-game": say("No game has begun: choose one first."),
    "nothing-here": say("A touch has no effect here at the moment."),
}
