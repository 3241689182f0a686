"""What waits for the broker: bounded, whatever happens to the broker.

Of a topic that the broker keeps, the newest waits alone; what expires there is renewed. Besides,
there are passing messages: what happened, and samples of health. Of these so many wait, in their
order; then the oldest sample goes, and where there is none any more, the oldest of what happened.
Whatever goes for want of room is counted. Finished games never stand here, for none may be lost:
`records` tells them from the journal.
"""

from collections import deque
from typing import Final

import msgspec
from msgspec.structs import replace

MOST_PASSING: Final = 512
"""Messages that wait besides the newest of each topic that is kept; they take half a MiB at most:
health once a minute for some hours, and what happened in as many."""


class Message(msgspec.Struct, frozen=True):
    """A message for the broker."""

    topic: str
    payload: bytes
    kept: bool = False
    """Is the broker to keep it, for whoever comes later?"""
    until: float | None = None
    """When it is no news any more and not told; None: never. On the clock of `give_up_late`."""
    expires: int | None = None
    """Seconds for which the broker may keep or deliver it; None: without limit."""
    renewal: bool = False
    """True if the broker has it already, and it is sent to expire later. It goes by QoS 0, which
    fills no queue of a subscriber who is away."""


class Outbox:
    """What waits for the broker."""

    def __init__(self, most: int = MOST_PASSING) -> None:
        self._most = most
        self._newest: dict[str, Message] = {}
        """The newest message of each topic that is kept, in the order in which topics came."""
        self._unsent: dict[str, Message] = {}
        """Of each topic that is kept, the message that the broker is to have now."""
        self._events: deque[Message] = deque()
        self._samples: deque[Message] = deque()
        self._latest_sample: Message | None = None
        self.dropped = 0
        """Messages that were given up, here or because the broker did not take them."""

    def __len__(self) -> int:
        return len(self._unsent) + len(self._events) + len(self._samples)

    def keep(self, topic: str, payload: bytes, expires: int | None = None) -> None:
        """Tell how something stands now; the same once more is not told. ``expires``: seconds until
        the broker drops it, unless `renew` is called before that."""
        before = self._newest.get(topic)
        if before is None or before.payload != payload:
            self._newest[topic] = Message(topic, payload, kept=True, expires=expires)
            self._unsent[topic] = self._newest[topic]

    def renew(self) -> None:
        """Send again what would expire at the broker, unless it waits to be sent anyway."""
        for topic, message in self._newest.items():
            if message.expires is not None:
                self._unsent.setdefault(topic, replace(message, renewal=True))

    def forget(self, topic: str) -> None:
        """Send no more how something stands, for that is not known now: what the broker has of it
        expires. Whatever `keep` is given next is sent."""
        self._newest.pop(topic, None)
        self._unsent.pop(topic, None)

    def all_anew(self) -> None:
        """Tell again how everything stands: the broker may have forgotten it."""
        self._unsent = dict(self._newest)
        if self._latest_sample is not None and not self._samples:
            self._samples.append(self._latest_sample)

    def happened(self, topic: str, payload: bytes, until: float | None = None) -> None:
        """Tell of something that happened, as long as it is news."""
        self._events.append(Message(topic, payload, until=until))
        self._make_room()

    def give_up_late(self, now: float) -> None:
        """Give up what is no news any more. It is not counted: nobody misses it."""
        if any(each.until is not None and each.until < now for each in self._events):
            self._events = deque(
                each for each in self._events if each.until is None or each.until >= now
            )

    def sample(self, topic: str, payload: bytes) -> None:
        """Tell how something stood at a moment; the broker keeps the latest."""
        self._latest_sample = Message(topic, payload, kept=True)
        self._samples.append(self._latest_sample)
        self._make_room()

    def next(self) -> Message | None:
        """What is to be told next; it stays here until it is `acknowledged`."""
        if self._unsent:
            return next(iter(self._unsent.values()))
        waiting = self._events or self._samples
        return waiting[0] if waiting else None

    def acknowledged(self, message: Message) -> None:
        """The broker has a message that was the next one; by now it may have gone from here, or
        there may be a newer one of its topic."""
        if self._unsent.get(message.topic) is message:
            del self._unsent[message.topic]
        for waiting in (self._events, self._samples):
            if waiting and waiting[0] is message:
                waiting.popleft()

    def _make_room(self) -> None:
        while len(self._events) + len(self._samples) > self._most:
            (self._samples or self._events).popleft()
            self.dropped += 1
