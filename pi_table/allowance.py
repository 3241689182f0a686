"""How much somebody may do: so much at once, and then so much a second."""


class Allowance:
    """``most`` at once, and ``a_second`` more with each second that passes, up to that again."""

    def __init__(self, most: float, a_second: float) -> None:
        self._most = most
        self._a_second = a_second
        self._left = most
        self._at: float | None = None

    def spend(self, cost: float, now: float) -> bool:
        """Is there so much left at ``now`` (seconds, never falling)? If so it is spent."""
        if self._at is not None:
            self._left = min(self._most, self._left + (now - self._at) * self._a_second)
        self._at = now
        if cost > self._left:
            return False
        self._left -= cost
        return True

    def is_full(self, now: float) -> bool:
        """Is all of it there again at ``now``?"""
        return self._at is None or self._left + (now - self._at) * self._a_second >= self._most
