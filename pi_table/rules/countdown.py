"""Time that runs down: an hourglass, a clock, a visit; and what of it is shown."""

import msgspec


class Countdown(msgspec.Struct, frozen=True, gc=False):
    """An hourglass or a clock: ``left`` seconds at the instant ``since``, None while it stands."""

    left: float
    since: float | None

    def remaining(self, now: float) -> float:
        """Seconds left at ``now``, 0 when it has run down."""
        return self.left if self.since is None else max(0.0, self.left - (now - self.since))

    @property
    def ends(self) -> float | None:
        """The instant at which it runs down, None while it stands."""
        return None if self.since is None else self.since + self.left

    def stopped(self, now: float) -> "Countdown":
        return Countdown(self.remaining(now), None)

    def started(self, now: float) -> "Countdown":
        return Countdown(self.remaining(now), now)


class TimerView(msgspec.Struct, frozen=True):
    """An hourglass or a clock; ``left`` counts the seconds from the making of the view."""

    mode: str
    left: float
    running: bool
    urging: bool
