"""Policies that each lack one rule: the evenings must find out every one of them."""

from collections.abc import Callable
from typing import Final

from abused_table import WatchedIntents
from msgspec.structs import replace

from pi_table.engine import intents
from pi_table.hal.contracts import TouchFrame

NOTHING: Final[frozenset[int]] = frozenset()


class TakesAnythingHeavy(WatchedIntents):
    def frame(self, frame: TouchFrame, now: float) -> int | None:
        return super().frame(replace(frame, heavy=NOTHING), now)


class DoesNotSettle(WatchedIntents):
    def _lifted(self, now: float) -> None:
        self._must_settle = False
        super()._lifted(now)


class KnowsNoCrowd(WatchedIntents):
    """Follows one of the touched places, whatever else is touched."""

    def frame(self, frame: TouchFrame, now: float) -> int | None:
        kept = frame.touched & self.touched or frame.touched
        one = frozenset([*kept][:1])
        return super().frame(replace(frame, touched=one, heavy=frame.heavy & one), now)


class IgnoresBeingBlocked(WatchedIntents):
    def frame(self, frame: TouchFrame, now: float) -> int | None:
        return super().frame(replace(frame, blocked=False), now)


class KnowsNoMovement(WatchedIntents):
    @property
    def _pause(self) -> float:
        return 0.0


class LetsALeftThingGuess(WatchedIntents):
    """Takes what comes of a thing that was left behind, when it is moved, for a finger."""

    def _disturbed(self) -> None:
        if not self._behind:
            super()._disturbed()


class Taps(WatchedIntents):
    def __init__(self) -> None:
        super().__init__("tap")


class TapsTwice(WatchedIntents):
    def __init__(self) -> None:
        super().__init__("tap-twice")


WEAK: Final[dict[str, Callable[[], intents.Intents]]] = {
    "takes anything heavy": TakesAnythingHeavy,
    "does not settle": DoesNotSettle,
    "knows no crowd": KnowsNoCrowd,
    "ignores being blocked": IgnoresBeingBlocked,
    "knows no movement": KnowsNoMovement,
    "taps": Taps,
    "taps twice": TapsTwice,
}
