"""The core of the bridge. It turns messages from the table and the broker into messages to the
broker and requests to the table.

The core uses no clock, file or socket. Times are arguments: ``now`` in monotonic seconds, ``at`` in
seconds since 1970 by the machine's clock.
"""

from typing import Final

from pi_table.common.config import Command
from pi_table.common.errors import InputError
from pi_table.common.pacing import RateLimit
from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.commands import MAX_QUOTED_LENGTH, Act, act
from pi_table.fleet.bridge.delayed_publish import DelayedPublish
from pi_table.fleet.bridge.facts import (
    EXPIRY_SECONDS,
    SAMPLE_SECONDS,
    Facts,
    LinkHealth,
    MachineHealth,
    games_of,
)
from pi_table.fleet.bridge.outbox import Outbox
from pi_table.fleet.bridge.rate_limit import (
    COMMANDS_A_SECOND,
    DEAF_SECONDS,
    MAX_BURST_COMMANDS,
    CommandQueue,
)
from pi_table.fleet.bridge.topics import Topics
from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage

AWAY_SECONDS: Final = 10.0
"""Seconds for which a table may be away before it counts as offline. A restart takes less time."""
NEWS_SECONDS: Final = 30.0
"""Seconds for which an announcement may wait for the broker. An older announcement is dropped,
because it would start automations too late, for example the lights for the winner."""


class Bridge:
    """The state of the bridge of one table: the messages to publish and the commands to run."""

    def __init__(self, topics: Topics, commands: tuple[Command, ...]) -> None:
        self.outbox = Outbox()
        self.house: HouseMessage | None = None
        """The newest message from the table's house socket; None while the table is away."""
        self.connected = False
        self.published = 0
        self._topics = topics
        self._commands = commands
        self._waiting = CommandQueue()
        self._limit = RateLimit(MAX_BURST_COMMANDS, COMMANDS_A_SECOND)
        self._deaf_until = float("-inf")
        self._delayed = DelayedPublish()
        self._here = False
        """True while the table's public socket answers."""
        self._shown: AnyPublicMessage | None = None
        """The newest public message whose content the people at the table already know."""
        self._machine = MachineHealth()
        self._games = 0
        self._heard = self._refused = 0
        self._offline_at: float | None = None
        """Time at which the bridge must report the table as offline. None if the table answers, or
        if it is already reported as offline."""
        self._sample_at = float("-inf")
        self._tell_available(False)

    # Input from the table

    def on_public_message(self, message: AnyPublicMessage | None, now: float) -> None:
        """Process a message from the public socket; None means that the table is away."""
        self._here = message is not None
        if message is not None:
            self._delayed.take(message, now)
        self._update_availability(now)

    def on_house_message(self, message: HouseMessage | None, now: float) -> None:
        """Process a message from the house socket; None means that the table is away."""
        self.house = message
        if message is not None:
            self._games = games_of(message, self._games)
            self.outbox.keep(self._topics.of("settings"), payloads.settings(message))
            self.outbox.keep(self._topics.of("faults"), payloads.faults(message))
            self._tell_state()
        self._update_availability(now)

    def on_answer(self, command: str, sentence: str | None) -> None:
        """Publish the result of a command. ``sentence`` is the reason of a refusal; None means that
        the command was carried out."""
        self._refused += sentence is not None
        self.outbox.add_event(self._topics.of("done"), payloads.command_result(command, sentence))

    # Input from the broker

    def on_message(self, topic: str, payload: bytes, kept: bool, now: float) -> bool:
        """Process a message from the broker. ``kept`` is True if the sender asked the broker to
        retain it.

        Return False if commands arrive too fast: the bridge must then receive no commands for
        `DEAF_SECONDS`.
        """
        self._heard += 1
        if now < self._deaf_until:
            self._refused += 1
            return False
        command = self._topics.command(topic)
        told = (command or "")[:MAX_QUOTED_LENGTH]
        if not self._limit.spend(1, now):
            self._deaf_until = now + DEAF_SECONDS
            self.on_answer(told, f"Too many commands: none is heard for {DEAF_SECONDS:g} s.")
            return False
        try:
            asked = act(command or "", payload, kept, self._commands)
        except InputError as error:
            self.on_answer(told, str(error))
        else:
            self._refused += self._waiting.put(told, asked)
        return True

    def next_act(self, now: float) -> tuple[str, Act] | None:
        """Return the next command and its request. Return None if no command waits, or if the rate
        limit demands a pause."""
        return self._waiting.take(now)

    def next_act_due(self) -> float | None:
        """Return the time in seconds at which the next request may be sent; None if no command
        waits."""
        return self._waiting.due()

    # Timers

    def due(self) -> float | None:
        """Return the time in seconds at which `pass_time` must be called next; None if nothing is
        planned."""
        waiting = [each for each in (self._delayed.due(), self._offline_at) if each is not None]
        return min(waiting, default=None)

    def pass_time(self, now: float) -> None:
        """Do everything that is due at ``now``."""
        self.outbox.give_up_late(now)  # first, so that old news makes room for samples
        message, sentences = self._delayed.take_due(now)
        if message is not None:
            self._shown = message
            self._tell_state()
        for said in sentences:
            topic, told = self._topics.of("event"), payloads.event(said)
            self.outbox.add_event(topic, told, until=now + NEWS_SECONDS)
        if self._offline_at is not None and now >= self._offline_at:
            self._offline_at = None
            if not self._here:  # else the table would not send it again before it changes
                self._shown = None
            self.outbox.forget(self._topics.of("state"))
            self._tell_available(False)

    def wants_sample(self, now: float) -> bool:
        """True if a sample of the health of machine and table is due."""
        return self.house is not None and now >= self._sample_at

    def on_machine_health(self, machine: MachineHealth, now: float, at: float) -> None:
        """Process a reading of the machine's health. Once a minute, publish it together with the
        table's health, and renew the messages that expire at the broker."""
        wanted = self.wants_sample(now)
        self._machine = machine
        if self.house is None or not wanted:
            return
        self._sample_at = now + SAMPLE_SECONDS
        outbox = self.outbox
        outbox.give_up_late(now)
        sample = payloads.health(self.house, machine, at, self._games, len(outbox), outbox.dropped)
        outbox.sample(self._topics.of("health"), sample)
        outbox.renew()

    def facts(self, at: float, link: LinkHealth = LinkHealth()) -> Facts:  # noqa: B008 - frozen
        """Return all facts that the bridge knows now; ``link`` is the health of the bridge's
        connection to the broker."""
        return Facts(
            at=at,
            public=self._shown if self._here else None,
            house=self.house,
            games=self._games,
            machine=self._machine,
            link=link,
            connected=self.connected,
            queued=len(self.outbox),
            dropped=self.outbox.dropped,
            published=self.published,
            heard=self._heard,
            refused=self._refused,
        )

    # Internals

    def _update_availability(self, now: float) -> None:
        if self._here and self.house is not None:
            self._offline_at = None
            self._tell_available(True)
        elif self._available and self._offline_at is None:
            self._offline_at = now + AWAY_SECONDS

    def _tell_available(self, available: bool) -> None:
        self._available = available
        if available:
            self.outbox.keep(self._topics.of("availability"), b"online", EXPIRY_SECONDS)
        else:  # without an expiry, because it stays true
            self.outbox.keep(self._topics.of("availability"), b"offline")

    def _tell_state(self) -> None:
        if self._shown is not None:
            told = payloads.state(self._shown, self.house)
            self.outbox.keep(self._topics.of("state"), told, EXPIRY_SECONDS)
