"""The middle of the bridge: what comes from the table and from the broker, and what is to be done.

It has no clock, no file and no socket. Times are arguments: ``now`` in seconds that never fall,
``at`` in seconds since 1970 by the machine's clock.
"""

from typing import Final

from pi_table.common.config import Command
from pi_table.common.errors import InputError
from pi_table.common.pacing import RateLimit
from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.commands import LONGEST_TOLD, Act, act
from pi_table.fleet.bridge.facts import (
    EXPIRY_SECONDS,
    SAMPLE_SECONDS,
    Facts,
    LinkHealth,
    MachineHealth,
    games_of,
)
from pi_table.fleet.bridge.in_time import InTime
from pi_table.fleet.bridge.outbox import Outbox
from pi_table.fleet.bridge.pace import A_SECOND, DEAF_SECONDS, MOST_AT_ONCE, Waiting
from pi_table.fleet.bridge.topics import Topics
from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage

AWAY_SECONDS: Final = 10.0
"""How long a table may be away before it is told to be offline: it starts anew in less."""
NEWS_SECONDS: Final = 30.0
"""How long something that was announced is news: whoever does something about it, as to light up
for a winner, would do so hours later, after a broker was away."""


class Bridge:
    """What is told, and what is asked, of one table."""

    def __init__(self, topics: Topics, commands: tuple[Command, ...]) -> None:
        self.outbox = Outbox()
        """What is to be told to the broker."""
        self.house: HouseMessage | None = None
        """The newest message for the house; None while the table is away."""
        self.connected = False
        """Is there a connection to the broker?"""
        self.published = 0
        self._topics = topics
        self._commands = commands
        self._waiting = Waiting()
        self._limit = RateLimit(MOST_AT_ONCE, A_SECOND)
        """How many commands may still come before they are a flood."""
        self._deaf_until = float("-inf")
        self._in_time = InTime()
        self._here = False
        """Does everybody's socket answer?"""
        self._shown: AnyPublicMessage | None = None
        """How the table stands, as far as those who sit at it know."""
        self._machine = MachineHealth()
        self._games = 0
        """Finished games in the table's journal."""
        self._heard = self._refused = 0
        self._offline_at: float | None = None
        """When the table is to be told to be offline; None where it is not away, or is told."""
        self._sample_at = float("-inf")
        self._tell_available(False)

    # What comes from the table

    def saw_public(self, message: AnyPublicMessage | None, now: float) -> None:
        """A message for everybody has come; None: the table has gone."""
        self._here = message is not None
        if message is not None:
            self._in_time.take(message, now)
        self._came_or_went(now)

    def saw_house(self, message: HouseMessage | None, now: float) -> None:
        """A message for the house has come; None: the table has gone."""
        self.house = message
        if message is not None:
            self._games = games_of(message, self._games)
            self.outbox.keep(self._topics.of("settings"), payloads.settings(message))
            self.outbox.keep(self._topics.of("faults"), payloads.faults(message))
            self._tell_state()
        self._came_or_went(now)

    def answered(self, command: str, sentence: str | None) -> None:
        """The table has done what a command asks, or there is a sentence why not."""
        self._refused += sentence is not None
        self.outbox.happened(self._topics.of("done"), payloads.done(command, sentence))

    # What comes from the broker

    def heard(self, topic: str, payload: bytes, kept: bool, now: float) -> bool:
        """Something came that may be a command; ``kept``: it was sent to be kept by the broker.

        Is more to be heard? After a flood it is not, until `DEAF_SECONDS` are over.
        """
        self._heard += 1
        if now < self._deaf_until:
            self._refused += 1
            return False
        command = self._topics.command(topic)
        told = (command or "")[:LONGEST_TOLD]
        if not self._limit.spend(1, now):
            self._deaf_until = now + DEAF_SECONDS
            self.answered(told, f"Too many commands: none is heard for {DEAF_SECONDS:g} s.")
            return False
        try:
            asked = act(command or "", payload, kept, self._commands)
        except InputError as error:
            self.answered(told, str(error))
        else:
            self._refused += self._waiting.put(told, asked)
        return True

    def next_act(self, now: float) -> tuple[str, Act] | None:
        """A command and what to ask the table for it, now; None where there is nothing, or where it
        is too early."""
        return self._waiting.take(now)

    def next_act_due(self) -> float | None:
        """When there is something to ask; None where nothing waits."""
        return self._waiting.due()

    # What time brings

    def due(self) -> float | None:
        """When `pass_time` has something to do; None where nothing waits for time."""
        waiting = [each for each in (self._in_time.due(), self._offline_at) if each is not None]
        return min(waiting, default=None)

    def pass_time(self, now: float) -> None:
        """It is later."""
        self.outbox.give_up_late(now)  # before something that is news takes the place of a sample
        message, sentences = self._in_time.told(now)
        if message is not None:
            self._shown = message
            self._tell_state()
        for said in sentences:
            topic, told = self._topics.of("event"), payloads.event(said)
            self.outbox.happened(topic, told, until=now + NEWS_SECONDS)
        if self._offline_at is not None and now >= self._offline_at:
            self._offline_at = None
            self._shown = None
            self.outbox.forget(self._topics.of("state"))
            self._tell_available(False)

    def wants_sample(self, now: float) -> bool:
        """Is it time to tell how the machine and the table fare?"""
        return self.house is not None and now >= self._sample_at

    def saw_machine(self, machine: MachineHealth, now: float, at: float) -> None:
        """This is how the machine fares; once a minute that is told, with how the table does, and
        what expires at the broker is renewed."""
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
        """What is known at this time, and of the connection to the broker."""
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

    # How it works

    def _came_or_went(self, now: float) -> None:
        if self._here and self.house is not None:
            self._offline_at = None
            self._tell_available(True)
        elif self._available and self._offline_at is None:
            self._offline_at = now + AWAY_SECONDS

    def _tell_available(self, available: bool) -> None:
        self._available = available
        if available:
            self.outbox.keep(self._topics.of("availability"), b"online", EXPIRY_SECONDS)
        else:  # that stays true
            self.outbox.keep(self._topics.of("availability"), b"offline")

    def _tell_state(self) -> None:
        if self._shown is not None:
            told = payloads.state(self._shown, self.house)
            self.outbox.keep(self._topics.of("state"), told, EXPIRY_SECONDS)
