"""Counters of faults on the serial line and in the controller since the link was created.

The controller counts modulo 256 and starts from zero at each restart. The counters in this module
only rise.
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


class FaultCounters:
    """The fault counters. Their names are the fields of `pi_table.devices.hal.contracts.Counts`."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._boot: int | None = None
        """Boot id of the latest start; None before the first hello."""
        self._has_started = False
        """True if the controller has restarted and has not sent a state since."""
        self._before: State | None = None
        """The last state since the controller's latest start; None if there was none."""

    def on_unplugged(self) -> None:
        self.counts["unplugged"] += 1

    def on_lost(self) -> None:
        self.counts["link_lost"] += 1

    def on_hello(self, hello: Hello) -> None:
        """Count a restart if the boot id is new. The first hello does not count, because the
        controller may have started before the link was created."""
        if hello.boot == self._boot:
            return
        if self._boot is not None:
            self._has_started = True
            self.counts["controller_starts"] += 1
            if hello.start in _STARTS:
                self.counts[_STARTS[hello.start]] += 1
        self._boot, self._before = hello.boot, None

    def on_state(self, state: State, follows: bool) -> None:
        """Count the faults that a state message reports. ``follows`` is True if the link stayed up
        since the previous state."""
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
        self._count_chip_restarts(before, state)

    def _count_chip_restarts(self, before: State, state: State) -> None:
        """Count the restarts of touch chips, by their cause.

        The controller reports the total of all restarts, but for each chip only the latest cause.
        `restarted_chips` says which chips that may be. If it finds none, the causes of all chips
        that ever failed are used.
        """
        times = (state.restarted - before.restarted) % BYTE
        self.counts["chip_restarts"] += times
        chips = restarted_chips(before, state) or range(CHIP_COUNT)
        causes = [state.restarts[chip] for chip in chips if state.restarts[chip] in _CHIPS]
        for cause in causes[:times]:
            self.counts[_CHIPS[cause]] += 1


def restarted_chips(before: State, after: State) -> list[int]:
    """Return the chips that probably restarted after a fault between two states, the surest first.

    A chip has failed if the cause of its latest fault has changed. If it can be read, it has
    restarted. A chip may also have failed before the first state: then it was missing, and can be
    read now. A chip that is still missing has not restarted, although its cause may have changed.
    """
    there = [chip for chip in sorted(after.chips) if after.restarts[chip] is not RestartCause.NEVER]
    changed = [chip for chip in there if after.restarts[chip] is not before.restarts[chip]]
    back = [chip for chip in there if chip not in before.chips and chip not in changed]
    return changed + back


_NEVER: Final = (RestartCause.NEVER,) * CHIP_COUNT
