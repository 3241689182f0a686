"""How often something has gone wrong on the wire, or at its other end, since the link was made.

The controller counts modulo 256 and from its own start. Here the counts go on, whichever of both
starts anew.
"""

from collections import Counter
from typing import Final

from msgspec.structs import replace

from pi_table.devices.wire.messages import CHIP_COUNT, Hello, RestartCause, Start, State

BYTE: Final = 256
SEQUENCES: Final = 1 << 16
_STARTS: Final = {Start.WATCHDOG: "watchdog_starts", Start.BROWN_OUT: "brown_outs"}
_CHIPS: Final = {
    RestartCause.SILENT: "chips_silent",
    RestartCause.BROWN_OUT: "chips_brown_out",
    RestartCause.OVER_CURRENT: "chips_over_current",
}


class Counting:
    """Counts what goes wrong, by the names that `pi_table.devices.hal.contracts.Counts` has for
    it."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._boot: int | None = None
        """The number of the controller's latest start; None before the first hello."""
        self._has_started = False
        """Has the controller started anew, and told no state since?"""
        self._before: State | None = None
        """The state of that start that was heard last."""

    def unplugged(self) -> None:
        """Learn that the port has gone."""
        self.counts["unplugged"] += 1

    def lost(self) -> None:
        """Learn that the controller counts as gone."""
        self.counts["link_lost"] += 1

    def hello(self, hello: Hello) -> None:
        """Learn that the controller says hello. The first hello of all tells of a start that nobody
        here has seen: that does not count."""
        if hello.boot == self._boot:
            return
        if self._boot is not None:
            self._has_started = True
            self.counts["controller_starts"] += 1
            if hello.start in _STARTS:
                self.counts[_STARTS[hello.start]] += 1
        self._boot, self._before = hello.boot, None

    def state(self, state: State, follows: bool) -> None:
        """Learn of a state that counts. ``follows``: was the link up since the one before?"""
        before = self._before
        if before is None and self._has_started:
            before = replace(state, dropped=0, lost=0, restarted=0, starving=False, restarts=_NEVER)
        self._before, self._has_started = state, False
        if before is None:
            return
        if follows:
            self.counts["frames_missing"] += (state.sequence - before.sequence - 1) % SEQUENCES
        self.counts["commands_damaged"] += (state.dropped - before.dropped) % BYTE
        self.counts["bytes_lost"] += (state.lost - before.lost) % BYTE
        self.counts["lights_capped"] += state.starving and not before.starving
        self._restarted(before, state)

    def _restarted(self, before: State, state: State) -> None:
        """Count the chips that were started anew. The controller tells how many, and of each chip
        the latest reason: those that changed count, or else those of all that ever were."""
        times = (state.restarted - before.restarted) % BYTE
        self.counts["chip_restarts"] += times
        pairs = zip(before.restarts, state.restarts, strict=True)
        changed = [now for then, now in pairs if now is not then and now in _CHIPS]
        causes = changed or [cause for cause in state.restarts if cause in _CHIPS]
        for cause in causes[:times]:
            self.counts[_CHIPS[cause]] += 1


_NEVER: Final = (RestartCause.NEVER,) * CHIP_COUNT
