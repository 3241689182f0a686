"""A broker in memory that forgets what brokers forget, and what stands before it in a bridge.

It takes a message at once, keeps one session for whoever gathers, and writes that to its disk now
and then, as Mosquitto does: its power takes with it what came since.
"""

import asyncio
from random import Random
from typing import Final, Self

import aiomqtt

from pi_table.fleet.bridge.outbox import Message

TAKES: Final = 0.02
"""Seconds from a message to its acknowledgement."""


class VirtualBroker:
    """A broker that writes to its disk every ``saves`` seconds."""

    def __init__(self, saves: float = 1800.0) -> None:
        self.lines: set[VirtualLine] = set()
        """The connections that there are."""
        self.up = True
        """True if clients can connect."""
        self.session: list[Message] | None = []
        """Messages that wait for the collector; None if the broker has no session of a
        collector."""
        self.loses_answers = 0.0
        """Probability (0 … 1) of losing the connection between a message and its
        acknowledgement."""
        self._saves = saves
        self._disk: list[Message] | None = []

    async def run(self) -> None:
        """Write to the disk now and then, for ever."""
        while True:
            await asyncio.sleep(self._saves)
            if self.up:
                self._disk = None if self.session is None else [*self.session]

    def take(self, message: Message) -> bool:
        """Take a message; return True if a session collects it."""
        if self.session is None:
            return False
        self.session.append(message)
        return True

    def cut(self) -> None:
        """Nothing comes through any more: the network is gone."""
        self.up = False
        for line in [*self.lines]:
            line.lose()

    def lose_power(self) -> None:
        """The power is gone, and what was in memory alone."""
        self.cut()
        self.session = None if self._disk is None else [*self._disk]

    def come(self) -> None:
        """There it is again."""
        self.up = True


class VirtualLine:
    """A connection to it, in the place of the bridge's `BrokerClient`."""

    def __init__(self, broker: VirtualBroker, chance: Random) -> None:
        self._broker = broker
        self._chance = chance
        self._lost = asyncio.Event()

    async def __aenter__(self) -> Self:
        await asyncio.sleep(TAKES)
        if not self._broker.up:
            raise aiomqtt.MqttError("Nobody is there")
        self._broker.lines.add(self)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.lose()

    def lose(self) -> None:
        """Nothing comes through any more."""
        self._broker.lines.discard(self)
        self._lost.set()

    async def tell(self, message: Message) -> bool:
        """As `BrokerClient.tell`."""
        self._check()
        asked_for = self._broker.take(message)
        if self._chance.random() < self._broker.loses_answers:
            self.lose()
        await asyncio.sleep(TAKES)
        self._check()
        return asked_for

    async def hear(self, topics: tuple[str, ...]) -> bool:
        """As `BrokerClient.hear`."""
        self._check()
        return True

    async def until_lost(self) -> None:
        """As `BrokerClient.until_lost`."""
        await self._lost.wait()
        self._check()

    def certificate_ends(self) -> float | None:
        """As `BrokerClient.certificate_ends`."""
        return None

    def why_lost(self) -> BaseException | None:
        """As `BrokerClient.why_lost`."""
        return None

    def _check(self) -> None:
        if self._lost.is_set():
            raise aiomqtt.MqttError("The connection is lost")
