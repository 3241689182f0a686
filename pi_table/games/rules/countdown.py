"""Time that runs down: an hourglass, a clock, a visit; and what of it is shown."""

import msgspec


class Countdown(msgspec.Struct, frozen=True, gc=False):
    """Time that runs down, or stands still."""

    left: float
    """The seconds that were left at the instant ``since``, or are left while it stands still."""
    since: float | None
    """The instant (seconds of game time) from which it runs; None while it stands still."""

    def remaining(self, now: float) -> float:
        """Seconds left at ``now``, 0 when it has run down."""
        return self.left if self.since is None else max(0.0, self.left - (now - self.since))

    @property
    def ends(self) -> float | None:
        """The instant at which it will have run down; None while it stands still."""
        return None if self.since is None else self.since + self.left

    def stopped(self, now: float) -> "Countdown":
        """It as it stands still from ``now`` on."""
        return Countdown(self.remaining(now), None)

    def started(self, now: float) -> "Countdown":
        """It as it runs from ``now`` on."""
        return Countdown(self.remaining(now), now)


class TimerView(msgspec.Struct, frozen=True):
    """What everybody may see of the time that runs down."""

    mode: str
    """``hourglass`` or ``clock``; in Codex ``visit`` or ``discussion``."""
    left: float
    """The seconds that were left when the view was made."""
    running: bool
    """True while it runs; false while it stands still."""
    urging: bool
    """True once it has run down."""
