"""Delays messages of the bridge until the people at the table know their content.

The table shows the answer to a guess after a moment of tension, but the public message contains the
answer at once. Each announced sentence has a time when it is due, and the bridge publishes it then.
A new state is published when the first sentence of its message is due; for a guess, sentences said
before the tension do not count. The web page of the board uses these delays, too. Time is an
argument, in monotonic seconds.
"""

from collections import deque
from typing import Final

from pi_table.protocols.ipc.messages import AnyPublicMessage, Said

SAID_BEFORE_ANSWER: Final = "revealing"
"""Name of the announcement that is made while a guess waits for its answer."""
MAX_WAITING_MESSAGES: Final = 64


class DelayedPublish:
    """A queue of states and announced sentences that wait until they are due."""

    def __init__(self) -> None:
        self._told_of: int | None = None
        """Number of the newest sentence that was ever queued; None before the first message."""
        self._messages: deque[tuple[float, AnyPublicMessage]] = deque()
        self._said: deque[tuple[float, Said]] = deque()

    def take(self, message: AnyPublicMessage, now: float) -> None:
        """Queue a public message. The sentences in the first message are skipped, because the
        bridge may have published them before it was restarted."""
        newest = max((said.number for said in message.said), default=0)
        waits = 0.0
        if self._told_of is None:
            self._told_of = newest
            # A guess may just have been made: wait as long as its answer may take.
            waits = max((said.after for said in message.said), default=0.0)
        if newest < self._told_of:  # the table was restarted: its numbers begin again
            self._told_of = 0
        news = [said for said in message.said if said.number > (self._told_of or 0)]
        self._told_of = newest
        reveals = any(said.what == SAID_BEFORE_ANSWER for said in news)
        waits = min((said.after for said in news if said.after or not reveals), default=waits)
        before = self._messages[-1][0] if self._messages else now  # never before an older message
        self._messages.append((max(now + waits, before), message))
        self._said.extend((now + said.after, said) for said in news)
        while len(self._messages) > MAX_WAITING_MESSAGES:
            self._messages.popleft()
        while len(self._said) > MAX_WAITING_MESSAGES:
            self._said.popleft()

    def due(self) -> float | None:
        """Return the time at which the next state or sentence is due; None if nothing waits."""
        waiting = [each[0][0] for each in (self._messages, self._said) if each]
        return min(waiting, default=None)

    def take_due(self, now: float) -> tuple[AnyPublicMessage | None, tuple[Said, ...]]:
        """Return what is due: the newest state (None if no state is due), and all sentences."""
        message = None
        while self._messages and self._messages[0][0] <= now:
            message = self._messages.popleft()[1]
        said = []
        while self._said and self._said[0][0] <= now:
            said.append(self._said.popleft()[1])
        return message, tuple(said)
