"""When what the table shows is to be told: not before those who sit at it know.

A guess is answered after a while of tension, but the public message has the answer at once. As a
screen beside the table does, the bridge tells how the table stands when the first sentence that
came with it is due, and each sentence when that one is; where a guess is among it, the first one
after the tension. Time is an argument: seconds that never fall.
"""

from collections import deque
from typing import Final

from pi_table.protocols.ipc.messages import AnyPublicMessage, Said

BEFORE_THE_ANSWER: Final = "revealing"
"""What is said while the answer is awaited."""
MOST_WAITING: Final = 64


class InTime:
    """What is to be told, and when."""

    def __init__(self) -> None:
        self._told_of: int | None = None
        """The number of the latest sentence that has come; None before the first message."""
        self._messages: deque[tuple[float, AnyPublicMessage]] = deque()
        self._said: deque[tuple[float, Said]] = deque()

    def take(self, message: AnyPublicMessage, now: float) -> None:
        """A message has come. What was said before the first one is not told any more; who said it
        may have been followed by another bridge."""
        newest = max((said.number for said in message.said), default=0)
        waits = 0.0
        if self._told_of is None:
            self._told_of = newest
            # A guess may have been made a moment ago: as long as it may take to be answered.
            waits = max((said.after for said in message.said), default=0.0)
        if newest < self._told_of:  # the table was started anew, and counts from 1
            self._told_of = 0
        news = [said for said in message.said if said.number > (self._told_of or 0)]
        self._told_of = newest
        reveals = any(said.what == BEFORE_THE_ANSWER for said in news)
        waits = min((said.after for said in news if said.after or not reveals), default=waits)
        before = self._messages[-1][0] if self._messages else now  # what is newer is told later
        self._messages.append((max(now + waits, before), message))
        self._said.extend((now + said.after, said) for said in news)
        while len(self._messages) > MOST_WAITING:
            self._messages.popleft()
        while len(self._said) > MOST_WAITING:
            self._said.popleft()

    def due(self) -> float | None:
        """When something is to be told next; None where nothing waits."""
        waiting = [each[0][0] for each in (self._messages, self._said) if each]
        return min(waiting, default=None)

    def told(self, now: float) -> tuple[AnyPublicMessage | None, tuple[Said, ...]]:
        """How the table stands, where that is news, and the sentences that are due by now."""
        message = None
        while self._messages and self._messages[0][0] <= now:
            message = self._messages.popleft()[1]
        said = []
        while self._said and self._said[0][0] <= now:
            said.append(self._said.popleft()[1])
        return message, tuple(said)
