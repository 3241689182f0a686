"""Policies that each lack one rule: the evenings must find out every one of them."""

from collections.abc import Callable
from typing import Final, NamedTuple

from abused_table import WatchedIntents
from msgspec.structs import replace

from pi_table.devices.hal.contracts import TouchFrame

NOTHING: Final[frozenset[int]] = frozenset()


class TakesAnythingHeavy(WatchedIntents):
    def frame(self, frame: TouchFrame, now: float) -> int | None:
        return super().frame(replace(frame, heavy=NOTHING), now)


class DoesNotSettle(WatchedIntents):
    def _on_all_lifted(self, now: float) -> None:
        self._must_settle = False
        super()._on_all_lifted(now)


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


class IgnoresNoise(WatchedIntents):
    def frame(self, frame: TouchFrame, now: float) -> int | None:
        return super().frame(replace(frame, noisy=NOTHING), now)


class Taps(WatchedIntents):
    def __init__(self) -> None:
        super().__init__("tap")


class TapsTwice(WatchedIntents):
    def __init__(self) -> None:
        super().__init__("tap-twice")


class Weak(NamedTuple):
    make: Callable[[], WatchedIntents]
    kinds: tuple[str, ...]
    """The abuse that finds it out soonest."""


WEAK: Final = {
    "takes anything heavy": Weak(TakesAnythingHeavy, ("palm", "cup")),
    "does not settle": Weak(DoesNotSettle, ("children",)),
    "knows no crowd": Weak(KnowsNoCrowd, ("two people", "resting")),
    "ignores being blocked": Weak(IgnoresBeingBlocked, ("sleeve", "resting", "palm")),
    "knows no movement": Weak(KnowsNoMovement, ("children",)),
    "ignores noise": Weak(IgnoresNoise, ("hand above",)),
    "taps": Weak(Taps, ("children", "wipe")),
    "taps twice": Weak(TapsTwice, ("children",)),
}
