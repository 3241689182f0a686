"""Countdowns of an hourglass, a clock or a visit, and their public view."""

import msgspec


class Countdown(msgspec.Struct, frozen=True, gc=False):
    """A countdown that runs or is stopped."""

    left: float
    """Seconds left at the instant ``since``, or while it is stopped."""
    since: float | None
    """Instant (seconds of game time) from which the countdown runs; None while it is stopped."""

    def remaining(self, now: float) -> float:
        """Return the seconds left at ``now``, 0 after its end."""
        return self.left if self.since is None else max(0.0, self.left - (now - self.since))

    @property
    def ends(self) -> float | None:
        """Instant (seconds of game time) when the countdown ends; None while it is stopped."""
        return None if self.since is None else self.since + self.left

    def stop(self, now: float) -> "Countdown":
        return Countdown(self.remaining(now), None)

    def start(self, now: float) -> "Countdown":
        return Countdown(self.remaining(now), now)

    def view(self, mode: str, now: float) -> "TimerView":
        left = self.remaining(now)
        return TimerView(mode, round(left, 3), self.since is not None, left <= 0.0)


class TimerView(msgspec.Struct, frozen=True):
    """The public view of a countdown."""

    mode: str
    """``hourglass`` or ``clock``; in Codex ``visit`` or ``discussion``."""
    left: float
    """Seconds left when this view was made."""
    running: bool
    """True while the countdown runs."""
    urging: bool
    """True once the countdown has run out."""
