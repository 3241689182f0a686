"""The bridge's process: it connects two sockets of the table with an MQTT broker.

If the process crashes, is flooded with commands, or is controlled by an attacker, the game goes on.
The process never has a secret of a game.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from pi_table import __version__
from pi_table.common.config import Config
from pi_table.common.crash_handling import forbid_core_dumps
from pi_table.common.files import write_whole
from pi_table.common.log import begin_log
from pi_table.common.service import run_service
from pi_table.fleet.bridge.bridge import Bridge
from pi_table.fleet.bridge.broker import broker
from pi_table.fleet.bridge.broker_link import BrokerClient, BrokerLink, NotAccepted
from pi_table.fleet.bridge.machine_health import machine_health
from pi_table.fleet.bridge.record_teller import RecordTeller
from pi_table.fleet.bridge.table_link import HouseLink, PublicLink, TableAway
from pi_table.fleet.bridge.topics import Topics
from pi_table.fleet.connection_errors import own_certificate_end
from pi_table.fleet.prometheus_text import FILE_MODE
from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage

log = logging.getLogger("pi_table")

LOOK_SECONDS: Final = 15.0
"""Seconds between two checks of the machine's health. The metrics are written after each check."""


def main(config: Config) -> int:
    """Run the bridge until SIGTERM or SIGINT. Raises InputError for unusable settings."""
    forbid_core_dumps()
    begin_log()
    asyncio.run(_program(config))
    return 0


async def _program(config: Config) -> None:
    await run_service(partial(run, config))
    # Exit without waiting for threads: a thread that resolves a name cannot be stopped.
    logging.shutdown()
    os._exit(0)


async def run(
    config: Config, stop: asyncio.Event, ready: Callable[[], None] = lambda: None
) -> None:
    """Run the bridge until ``stop`` is set. ``ready`` is called as soon as the bridge runs, with or
    without a broker. Raises InputError for unusable settings."""
    process = _Process(config)
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(each) for each in process.tasks()]
        ready()
        await stop.wait()
        for each in running:
            each.cancel()


class _Process:
    """The sockets, timers and files around the core of the bridge."""

    def __init__(self, config: Config) -> None:
        self._section = config.bridge
        self._folder = Path(config.paths.bridge)
        self._broker = broker(config.bridge)
        self._broker.password()  # report unusable files at the start
        self._broker.tls_context()
        self._topics = Topics(
            config.bridge.prefix, self._broker.table, config.bridge.home_assistant
        )
        self._bridge = Bridge(self._topics, config.bridge.commands)
        self._public = PublicLink(config.paths.public_socket, self._on_public_message)
        self._house = HouseLink(config.paths.house_socket, self._on_house_message)
        self._link = BrokerLink(
            self._broker,
            self._topics.commands,
            self._topics.of("availability"),
            self._on_message,
            self._serve,
        )
        self._records = RecordTeller(
            self._folder, self._topics, self._house, self._link, lambda: self._bridge.house
        )
        self._loop = asyncio.get_running_loop()
        self._of_time, self._of_acts, self._of_outbox, self._of_figures = news = [
            asyncio.Event() for _ in range(4)
        ]
        self._news = (*news, self._records.news)
        """One asyncio event for each task. An event is set when its task may have something new to
        do."""
        self._noted: object = None
        """Connection and faults when the metrics were last written. If they change, the metrics are
        written again at once."""

    def tasks(self) -> tuple[Any, ...]:
        """Return the coroutines of the process. They run concurrently, until the process ends."""
        return (
            self._public.run(),
            self._house.run(),
            self._link.run(),
            self._pass_time(),
            self._ask(),
            self._look(),
        )

    # Input

    def _on_public_message(self, message: AnyPublicMessage | None) -> None:
        self._bridge.on_public_message(message, self._loop.time())
        self._wake_tasks()

    def _on_house_message(self, message: HouseMessage | None) -> None:
        self._bridge.on_house_message(message, self._loop.time())
        self._wake_tasks()

    def _on_message(self, topic: str, payload: bytes, kept: bool) -> None:
        if not self._bridge.on_message(topic, payload, kept, self._loop.time()):
            self._link.flooded.set()
        self._of_acts.set()
        self._of_outbox.set()

    def _wake_tasks(self) -> None:
        for each in self._news:
            each.set()

    # Permanent tasks

    async def _pass_time(self) -> None:
        while True:
            self._bridge.pass_time(self._loop.time())
            self._of_outbox.set()
            await _wait(self._of_time, self._bridge.due())

    async def _ask(self) -> None:
        """Send the waiting commands to the table as requests, and publish their results."""
        while True:
            taken = self._bridge.next_act(self._loop.time())
            if taken is None:
                await _wait(self._of_acts, self._bridge.next_act_due())
                continue
            command, act = taken
            sentence: str | None = None
            try:
                answer = await self._house.ask(act)
                if not answer.ok:
                    sentence = answer.sentence or answer.reason or "It was refused."
            except TableAway:
                sentence = "The table does not answer at the moment."
            self._bridge.on_answer(command, sentence)
            self._of_outbox.set()

    async def _look(self) -> None:
        due = self._loop.time()
        while True:
            now = self._loop.time()
            if now >= due or self._bridge.wants_sample(now):
                due = now + LOOK_SECONDS
                self._bridge.on_machine_health(machine_health(self._folder), now, time.time())
                self._of_outbox.set()
                self._write_figures()
            elif self._notable() != self._noted:
                self._write_figures()
            await _wait(self._of_figures, due)

    def _notable(self) -> object:
        house = self._bridge.house
        return self._bridge.connected, house and (house.faults, house.out_of_order, house.link)

    def _write_figures(self) -> None:
        self._noted = self._notable()
        if not self._section.metrics:
            return
        from pi_table.fleet.bridge.figures import text

        health = replace(self._link.health, own_certificate_ends=own_certificate_end(self._broker))
        figures = text(self._broker.table, self._bridge.facts(time.time(), health))
        try:
            write_whole(Path(self._section.metrics), [figures.encode()], FILE_MODE)
        except OSError as error:
            self._link.say_once(
                f"The figures cannot be written to {self._section.metrics}: {error.strerror}. "
                "Check [bridge] metrics, and the folder's rights."
            )

    # Tasks while there is a connection to the broker

    async def _serve(self, line: BrokerClient) -> None:
        if self._section.home_assistant:
            from pi_table.fleet.bridge.home_assistant import discovery

            found = discovery(self._section, self._broker.table, __version__)
            self._bridge.outbox.keep(self._topics.discovery, found)
        self._bridge.connected = True
        self._bridge.outbox.send_all_again()
        self._wake_tasks()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._tell(line))
                tasks.create_task(self._records.tell(line))
        finally:
            self._bridge.connected = False
            self._wake_tasks()

    async def _tell(self, line: BrokerClient) -> None:
        outbox = self._bridge.outbox
        while True:
            outbox.give_up_late(self._loop.time())
            message = outbox.next()
            if message is None:
                await _wait(self._of_outbox, None)
                continue
            try:
                await line.tell(message)
                self._bridge.published += 1
            except NotAccepted:
                outbox.dropped += 1
                self._link.say_not_taken(message.topic)
            outbox.on_acknowledged(message)


async def _wait(news: asyncio.Event, until: float | None) -> None:
    """Wait for an event, but not beyond the time ``until`` of the event loop's clock; None is no
    limit."""
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await news.wait()
    news.clear()
