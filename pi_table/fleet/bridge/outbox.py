"""The queue of messages for the broker. Its size has a limit, even if the broker accepts nothing.

The queue has the newest message of each retained topic, and renews messages that expire at the
broker. Behind these wait the events, and behind the events the health samples. If too many wait,
the oldest sample is dropped; if no sample waits, the oldest event. Dropped messages are counted.
Finished games are never in this queue, because no game may be lost: `record_teller` sends them from
the journal.
"""

from collections import deque
from typing import Final

import msgspec
from msgspec.structs import replace

MAX_TRANSIENT_MESSAGES: Final = 512
"""Maximum number of events and health samples in the queue. This is enough for some hours, and
needs at most half a MiB."""


class Message(msgspec.Struct, frozen=True):
    """One message for the broker."""

    topic: str
    payload: bytes
    kept: bool = False
    """True if the broker must retain the message for later subscribers."""
    until: float | None = None
    """Time in seconds after which `give_up_late` drops the message; None means never."""
    expires: int | None = None
    """Seconds for which the broker may keep the message; None means without limit."""
    renewal: bool = False
    """True if the broker already has the message and only its expiry is renewed. Such a message is
    sent with QoS 0, so that it does not fill the queue of a subscriber who is away."""


class Outbox:
    """The queue of messages for the broker."""

    def __init__(self, most: int = MAX_TRANSIENT_MESSAGES) -> None:
        self._most = most
        self._newest: dict[str, Message] = {}
        """The newest message of each retained topic, in the order of the topics' first use."""
        self._unsent: dict[str, Message] = {}
        """The retained messages that still have to be sent, by topic."""
        self._events: deque[Message] = deque()
        self._samples: deque[Message] = deque()
        self._latest_sample: Message | None = None
        self.dropped = 0
        """Number of messages that this queue dropped or the broker refused."""

    def __len__(self) -> int:
        return len(self._unsent) + len(self._events) + len(self._samples)

    def keep(self, topic: str, payload: bytes, expires: int | None = None) -> None:
        """Queue a payload for a retained topic, unless the payload is the same as before. The
        broker drops the payload after ``expires`` seconds without `renew`; None means never."""
        before = self._newest.get(topic)
        if before is None or before.payload != payload:
            self._newest[topic] = Message(topic, payload, kept=True, expires=expires)
            self._unsent[topic] = self._newest[topic]

    def renew(self) -> None:
        """Queue all messages that expire at the broker, so that the broker keeps them longer."""
        for topic, message in self._newest.items():
            if message.expires is not None:
                self._unsent.setdefault(topic, replace(message, renewal=True))

    def forget(self, topic: str) -> None:
        """Stop renewing a topic's payload, so that it expires at the broker. The next `keep` for
        this topic queues even the same payload."""
        self._newest.pop(topic, None)
        self._unsent.pop(topic, None)

    def send_all_again(self) -> None:
        """Queue all retained messages again, because the broker may have lost them."""
        self._unsent = dict(self._newest)
        if self._latest_sample is not None and not self._samples:
            self._samples.append(self._latest_sample)

    def add_event(self, topic: str, payload: bytes, until: float | None = None) -> None:
        """Queue an event. After the time ``until`` it is out of date and is dropped."""
        self._events.append(Message(topic, payload, until=until))
        self._make_room()

    def give_up_late(self, now: float) -> None:
        """Drop the events that are out of date. They do not count as ``dropped``."""
        if any(each.until is not None and each.until < now for each in self._events):
            self._events = deque(
                each for each in self._events if each.until is None or each.until >= now
            )

    def sample(self, topic: str, payload: bytes) -> None:
        """Queue a health sample; the broker retains the newest sample."""
        self._latest_sample = Message(topic, payload, kept=True)
        self._samples.append(self._latest_sample)
        self._make_room()

    def next(self) -> Message | None:
        """Return the next message, or None. The message stays queued until `on_acknowledged`."""
        if self._unsent:
            return next(iter(self._unsent.values()))
        waiting = self._events or self._samples
        return waiting[0] if waiting else None

    def on_acknowledged(self, message: Message) -> None:
        """Remove an acknowledged message, unless a newer message of its topic has replaced it."""
        if self._unsent.get(message.topic) is message:
            del self._unsent[message.topic]
        for waiting in (self._events, self._samples):
            if waiting and waiting[0] is message:
                waiting.popleft()

    def _make_room(self) -> None:
        while len(self._events) + len(self._samples) > self._most:
            (self._samples or self._events).popleft()
            self.dropped += 1
