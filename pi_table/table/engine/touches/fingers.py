"""Fingers, from the frame to the refusal: what is felt, what is meant, and what becomes of it.

`Intents` finds the touches that are meant. A touch that was meant is lit until it is stored, or
refused. A hold is judged as it begins, and again when the game moved on under it, so that nobody
holds in vain (CN-21). What a touch means in a game is not known here. ``now`` is in seconds of the
table's clock.
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
    """The fingers on the table."""

    def __init__(self, intents: Intents) -> None:
        self._intents = intents
        self._being_stored: Hold | None = None
        """The hold that was meant and is not on the disk yet."""
        self._looked_at: tuple[Hold, object] | None = None
        """The hold that was judged last, and the state by which it was judged."""
        self.frame = TouchFrame()
        """What is felt of the table."""
        self.refused: RefusedTouch | None = None
        """The touch that was refused last."""

    @property
    def wakes(self) -> float | None:
        """When `tick` is due next; None if only a frame may tell."""
        return self._intents.wakes

    # What is meant

    def felt(self, frame: TouchFrame, now: float, means_nothing: bool) -> Hold | None:
        """Take up a frame; answer with the touch that is meant by it, None if none is. One that
        ``means_nothing``, because it wakes the table or tries it, must be lifted first."""
        place = self._intents.frame(frame, now)
        self.frame = frame
        if means_nothing:
            self._intents.withdraw()
            return None
        return None if place is None else self._mean(Hold(place, now, None))

    def tick(self, now: float) -> Hold | None:
        """Let time pass; answer with the hold that is complete, None if none is."""
        hold = self._intents.hold
        if self._intents.tick(now) is None:
            return None
        assert hold is not None
        return self._mean(hold)

    def _mean(self, hold: Hold) -> Hold:
        self._being_stored = hold
        return hold

    def in_time(self, until: float) -> float:
        """The instant to which time may run: not beyond the beginning of a hold (CN-24)."""
        hold = self._intents.hold
        return until if hold is None or hold.ends is None else min(until, hold.begun)

    # What becomes of it

    def to_be_judged(self, state: object) -> Hold | None:
        """The hold that is to be judged by this ``state`` of the game; None if that was done, or
        there is none. A touch that is being stored was judged."""
        hold = self._intents.hold
        if hold is None or self._being_stored is not None:
            self._looked_at = None
            return None
        if self._looked_at is not None:
            looked_at, as_it_stood = self._looked_at
            if looked_at is hold and as_it_stood is state:
                return None
        self._looked_at = hold, state
        return hold

    def withdraw(self, hold: Hold, refusal: TableError, now: float) -> None:
        """Refuse at once what would be refused at the end of the hold."""
        self._intents.withdraw()
        self.refuse(hold.place, refusal, now)

    def done(self, hold: Hold, refusal: TableError | None, now: float) -> None:
        """Take up that a touch that was meant is stored, or that it was refused."""
        if self._being_stored is hold:
            self._being_stored = None
        if refusal is not None:
            self.refuse(hold.place, refusal, now)

    def refuse(self, place: int, refusal: TableError, now: float) -> None:
        """Show at a place that the touch is refused, and say why."""
        self.refused = RefusedTouch(place, now, why_refused(refusal))

    # What the lights say about it

    @property
    def attention(self) -> Attention:
        """Where hands are, and what the lights have to say about them."""
        hands = self._intents.hands
        return Attention(
            hold=_held(self._intents.hold),
            storing=_held(self._being_stored),
            unclear=self._intents.touched if hands is Hands.UNCLEAR else frozenset(),
            waiting=hands in (Hands.UNCLEAR, Hands.SETTLING),
            blocked=self.frame.blocked,
            deaf=self.frame.deaf,
        )


def _held(hold: Hold | None) -> Held | None:
    return None if hold is None else Held(hold.place, hold.begun, hold.ends)


def why_refused(refusal: TableError) -> Words:
    """The sentence that tells a guest why. What only the staff can mend is told to them, elsewhere
    and in full; a guest learns that, and no more."""
    if isinstance(refusal, Refused):
        return refusal.reason.sentence
    if isinstance(refusal, Unable) and refusal.reason in _FOR_GUESTS:
        return _FOR_GUESTS[refusal.reason]
    return say("The table cannot keep this: the staff can see why on the hidden screen.")


_FOR_GUESTS = {
    "no-game": say("No game has begun: choose one on the hidden screen."),
    "nothing-here": say("A touch means nothing here at the moment."),
}
