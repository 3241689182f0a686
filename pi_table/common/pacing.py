"""Rate limits for requests, and backoff for our own retries.

Time is an argument: ``now`` is in monotonic seconds.
"""

import logging

log = logging.getLogger("pi_table")


class RateLimit:
    """A token bucket: it holds at most ``burst`` tokens and gains ``per_second`` tokens each
    second."""

    def __init__(self, burst: float, per_second: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._left = burst
        self._at: float | None = None

    def spend(self, cost: float, now: float) -> bool:
        """Spend ``cost`` tokens and return True. If fewer tokens are available, return False."""
        if self._at is not None:
            self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if cost > self._left:
            return False
        self._left -= cost
        return True

    def is_full(self, now: float) -> bool:
        """True if all ``burst`` tokens are available."""
        return self._at is None or self._left + (now - self._at) * self._per_second >= self._burst


class Backoff:
    """Delays between retries. The first delay is ``first`` seconds; each further one is twice as
    long, up to ``longest``."""

    def __init__(self, first: float, longest: float) -> None:
        self._first = self._wait = first
        self._longest = longest
        self._next = float("-inf")
        self._said: set[str] = set()

    def seconds_left(self, now: float) -> float:
        """Return the seconds until the next try; 0 if the try is due."""
        return max(0.0, self._next - now)

    def on_failure(self, now: float) -> bool:
        """Schedule the next try, and return True. Return False if the next try was already
        scheduled.

        All errors between two tries count as the same failure.
        """
        if self.seconds_left(now) > 0:
            return False
        self._next = now + self._wait
        self._wait = min(2 * self._wait, self._longest)
        return True

    def on_success(self) -> None:
        """Reset the delays. The next failure counts as a new failure, and is logged again."""
        self._next, self._wait = float("-inf"), self._first
        self._said.clear()

    def say_once(self, sentence: str) -> None:
        """Log a warning, unless it was logged since the last success."""
        if sentence not in self._said:
            self._said.add(sentence)
            log.warning("%s", sentence)
