"""Countdowns for an hourglass, a clock or a visit, and the public view of a countdown."""

import msgspec


class Countdown(msgspec.Struct, frozen=True, gc=False):
    """A countdown, which either runs or is stopped."""

    left: float
    """Seconds that remained when the countdown last started (at ``since``) or stopped."""
    since: float | None
    """Time (seconds of game time) from which the countdown runs; None if it is stopped."""

    def remaining(self, now: float) -> float:
        """Return the seconds that remain at ``now``; 0 after the end."""
        return self.left if self.since is None else max(0.0, self.left - (now - self.since))

    @property
    def ends(self) -> float | None:
        """Time (seconds of game time) when the countdown will end; None if it is stopped."""
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
    """Seconds that remained when this view was made."""
    running: bool
    """True while the countdown runs."""
    urging: bool
    """True if the countdown has run out."""
