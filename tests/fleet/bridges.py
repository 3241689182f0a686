"""Many bridges in one process, each the real one, between a table by a script and a real broker.

``bridges.py PLAN``: the plan is JSON (`Plan`). It runs until it is killed, and writes into its
folder, once a second, what it has seen of delays and what it has taken of a processor.
"""

import asyncio
import os
import ssl
import sys
import time
from pathlib import Path
from typing import Final
from unittest import mock

import aiomqtt
import msgspec
from evening import Evening
from provisioned import HOST, password_in
from scripted_table import Pace, ScriptedTable, in_place_of_sockets, settings_of

from pi_table.fleet.bridge import process, record_teller, records
from pi_table.fleet.bridge.outbox import Outbox
from pi_table.fleet.bridge.record_teller import RETRY_SECONDS
from pi_table.fleet.bridge.records import SETTLED_SECONDS

SPREAD_SECONDS: Final = 10.0
"""Bridges connect one after the other in so long, as after a power cut."""
MAX_KEPT: Final = 200_000


class Plan(msgspec.Struct, frozen=True):
    """The work of the bridges of a process."""

    folder: str
    evening: str
    """The file of the evening."""
    port: int
    fleet: str
    """The folder of `pi-table provision`."""
    ca: str
    """PEM file of the authority that signed the broker's certificate."""
    listener: str
    """The user that hears what these bridges tell; "": nobody measures that."""
    names: tuple[str, ...]
    offsets: tuple[float, ...]
    pace: Pace
    settled: float = SETTLED_SECONDS
    """Seconds of connection after which what the broker has acknowledged holds for good."""
    again: float = RETRY_SECONDS
    """Seconds until a game is told again that nobody takes."""


class Seen(msgspec.Struct):
    """The observations of one process so far."""

    delays: list[tuple[float, float]]
    """When something came back from the broker, seconds since 1970, and how long after it was to be
    told."""
    processor: float
    """Seconds of a processor."""
    published: int


async def main(plan: Plan) -> None:
    """Be these bridges for ever."""
    evening = msgspec.json.decode(Path(plan.evening).read_bytes(), type=Evening)
    told: dict[tuple[str, bytes], float] = {}
    seen = Seen([], 0.0, 0)
    happened = Outbox.add_event

    def noting(outbox: Outbox, topic: str, payload: bytes, until: float | None = None) -> None:
        told[topic, payload] = time.time()
        happened(outbox, topic, payload, until)

    mock.patch.object(Outbox, "add_event", noting).start()
    tables = {
        name: ScriptedTable(name, evening, plan.pace, offset)
        for name, offset in zip(plan.names, plan.offsets, strict=True)
    }
    mock.patch.object(records, "SETTLED_SECONDS", plan.settled).start()
    mock.patch.object(record_teller, "RETRY_SECONDS", plan.again).start()
    with in_place_of_sockets(tables):
        running = [_bridge(plan, name, index) for index, name in enumerate(tables)]
        if plan.listener:
            running += [_listen(plan, told, seen), _write(plan, seen)]
        await asyncio.gather(*running)


async def _bridge(plan: Plan, name: str, index: int) -> None:
    await asyncio.sleep(SPREAD_SECONDS * index / len(plan.names))
    secret = Path(plan.folder) / f"{name}.password"
    secret.write_text(password_in(Path(plan.fleet), name))
    settings = settings_of(
        *(name, Path(plan.folder), f"mqtts://{HOST}:{plan.port}"),
        ca=plan.ca,
        password_file=str(secret),
    )
    await process.run(settings, asyncio.Event())


async def _listen(plan: Plan, told: dict[tuple[str, bytes], float], seen: Seen) -> None:
    """Hear what the bridges of this process have told."""
    password = password_in(Path(plan.fleet), plan.listener)
    while True:
        try:
            async with aiomqtt.Client(
                *(HOST, plan.port),
                identifier=plan.listener,
                username=plan.listener,
                password=password,
                tls_context=ssl.create_default_context(cafile=plan.ca),
                max_queued_incoming_messages=0,
            ) as client:
                for name in plan.names:
                    await client.subscribe(f"pi-table/{name}/event", qos=0)
                async for message in client.messages:
                    payload = message.payload
                    assert isinstance(payload, bytes)
                    at = told.pop((str(message.topic), payload), None)
                    if at is not None and len(seen.delays) < MAX_KEPT:
                        seen.delays.append((time.time(), time.time() - at))
        except aiomqtt.MqttError:
            await asyncio.sleep(1.0)


async def _write(plan: Plan, seen: Seen) -> None:
    file = Path(plan.folder) / f"seen-{os.getpid()}.json"
    while True:
        seen.processor = time.process_time()
        file.write_bytes(msgspec.json.encode(seen))
        await asyncio.sleep(1.0)


if __name__ == "__main__":
    asyncio.run(main(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Plan)))
