"""The queue of messages for the broker. Its size is bounded, whatever the broker does.

For a retained topic only the newest message waits; a message that expires at the broker is renewed.
Besides these the queue has passing messages: events and health samples, in order. If too many
passing messages wait, the oldest sample is dropped; if no sample is left, the oldest event. Drops
are counted. Finished games are never in this queue, because none may be lost: `records` sends them
from the journal.
"""

from collections import deque
from typing import Final

import msgspec
from msgspec.structs import replace

MAX_TRANSIENT_MESSAGES: Final = 512
"""Maximum number of passing messages in the queue, besides the newest of each retained topic. They
take half a MiB at most: some hours of health samples and of events."""


class Message(msgspec.Struct, frozen=True):
    """A message for the broker."""

    topic: str
    payload: bytes
    kept: bool = False
    """True if the broker is to retain it for later subscribers."""
    until: float | None = None
    """Time after which the message is dropped because it is not news any more, on the clock of
    `give_up_late`; None means never."""
    expires: int | None = None
    """Seconds for which the broker may retain or deliver the message; None means without limit."""
    renewal: bool = False
    """True if the broker already has it and only its expiry is renewed. It is sent with QoS 0,
    which fills no queue of a subscriber who is away."""


class Outbox:
    """The queue of messages for the broker."""

    def __init__(self, most: int = MAX_TRANSIENT_MESSAGES) -> None:
        self._most = most
        self._newest: dict[str, Message] = {}
        """The newest message of each retained topic, in the order in which the topics were first
        used."""
        self._unsent: dict[str, Message] = {}
        """For each retained topic, the message that the broker does not have yet."""
        self._events: deque[Message] = deque()
        self._samples: deque[Message] = deque()
        self._latest_sample: Message | None = None
        self.dropped = 0
        """Number of messages that were dropped here, or that the broker refused."""

    def __len__(self) -> int:
        return len(self._unsent) + len(self._events) + len(self._samples)

    def keep(self, topic: str, payload: bytes, expires: int | None = None) -> None:
        """Queue a state for a retained topic, unless it is unchanged. ``expires`` is the number of
        seconds until the broker drops it, unless `renew` is called before that."""
        before = self._newest.get(topic)
        if before is None or before.payload != payload:
            self._newest[topic] = Message(topic, payload, kept=True, expires=expires)
            self._unsent[topic] = self._newest[topic]

    def renew(self) -> None:
        """Send the messages again that would expire at the broker, unless they are already in the
        queue."""
        for topic, message in self._newest.items():
            if message.expires is not None:
                self._unsent.setdefault(topic, replace(message, renewal=True))

    def forget(self, topic: str) -> None:
        """Stop sending a state that is no longer known; it then expires at the broker. The next
        `keep` is always sent."""
        self._newest.pop(topic, None)
        self._unsent.pop(topic, None)

    def send_all_again(self) -> None:
        """Queue every retained topic again: the broker may have lost them."""
        self._unsent = dict(self._newest)
        if self._latest_sample is not None and not self._samples:
            self._samples.append(self._latest_sample)

    def add_event(self, topic: str, payload: bytes, until: float | None = None) -> None:
        """Queue an event; after ``until`` it is not news any more and is dropped."""
        self._events.append(Message(topic, payload, until=until))
        self._make_room()

    def give_up_late(self, now: float) -> None:
        """Drop the events that are no longer news. They do not count as lost."""
        if any(each.until is not None and each.until < now for each in self._events):
            self._events = deque(
                each for each in self._events if each.until is None or each.until >= now
            )

    def sample(self, topic: str, payload: bytes) -> None:
        """Queue a health sample; the broker retains the latest."""
        self._latest_sample = Message(topic, payload, kept=True)
        self._samples.append(self._latest_sample)
        self._make_room()

    def next(self) -> Message | None:
        """Return the next message; it stays in the queue until `on_acknowledged` gets it."""
        if self._unsent:
            return next(iter(self._unsent.values()))
        waiting = self._events or self._samples
        return waiting[0] if waiting else None

    def on_acknowledged(self, message: Message) -> None:
        """Remove a message that the broker has acknowledged. It may already be gone from the queue,
        or replaced by a newer one of its topic."""
        if self._unsent.get(message.topic) is message:
            del self._unsent[message.topic]
        for waiting in (self._events, self._samples):
            if waiting and waiting[0] is message:
                waiting.popleft()

    def _make_room(self) -> None:
        while len(self._events) + len(self._samples) > self._most:
            (self._samples or self._events).popleft()
            self.dropped += 1
