"""Commands that reach a bridge from any client that may write to its topics of a real broker."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bridged import TABLE, Bridged, Ear, listening, until
from house_table import HouseTable, table_in
from mosquitto import Mosquitto

from pi_table.fleet.bridge.rate_limit import MIN_REQUEST_SECONDS

pytestmark = pytest.mark.fleet


class Scene(NamedTuple):
    """All that takes part."""

    broker: Mosquitto
    table: HouseTable
    bridge: Bridged
    ear: Ear


@asynccontextmanager
async def scene(folder: Path, **settings: Any) -> AsyncIterator[Scene]:
    """A table whose bridge hears commands, and somebody who sends them and hears the answers."""
    with Mosquitto(folder / "broker") as broker:
        bridge = Bridged(folder, f"mqtt://127.0.0.1:{broker.port}", **settings)
        topics = ("pi-table/+/availability", "pi-table/+/done")
        async with table_in(folder) as table, listening(broker.port, *topics) as ear:
            with bridge.running():
                await ear.until("availability", lambda told: told == "online")
                yield Scene(broker, table, bridge, ear)


async def test_every_command_asks_the_table_for_what_it_says(tmp_path: Path) -> None:
    commands: dict[str, tuple[bytes, dict[str, Any]]] = {
        "locate": (b'{"seconds": 20}', {"act": "locate", "seconds": 20}),
        "brightness": (b'{"percent": 60}', {"act": "set", "settings": {"brightness": 60}}),
        "volume": (b'{"muted": true}', {"act": "set", "settings": {"muted": True}}),
        "quiet": (
            b'{"from": "23:00", "until": "09:00"}',
            {"act": "set", "settings": {"quiet_from": "23:00", "quiet_until": "09:00"}},
        ),
        "idle-lights": (b'{"on": false}', {"act": "set", "settings": {"idle_lights": False}}),
        "closing": (b'{"minutes": 10}', {"act": "closing", "minutes": 10}),
        "out-of-service": (b'{"on": true}', {"act": "set", "settings": {"out_of_service": True}}),
    }

    async with scene(tmp_path) as (_, table, _, ear):
        for number, (name, (payload, _)) in enumerate(commands.items()):
            to = TABLE if number % 2 else "all"
            await ear.command(name, payload, to)
            await ear.until("done", lambda done, name=name: done["command"] == name)  # type: ignore[misc]
        assert all(done["ok"] for done in ear.of("done"))
        wanted = [{**act, "seat": "operator"} for _, act in commands.values()]
        assert table.asked == wanted


async def test_what_is_no_command_is_refused_and_the_table_is_not_asked(tmp_path: Path) -> None:
    async with scene(tmp_path, commands=["locate"]) as (_, table, _, ear):
        # Too large for the bridge, so the broker keeps it to itself.
        await ear.client.publish(f"pi-table/{TABLE}/do/{'x' * 65_000}", b"{}", qos=1)
        await ear.client.publish(f"pi-table/{TABLE}/do/locate", b"1" * 100_000, qos=1)
        await ear.command("locate", b"no JSON")
        await ear.command("locate", b'{"seconds": "20"}')
        await ear.command("locate", b'{"seconds": 1}' + b" " * 2000)
        await ear.command("locate", b"[" * 1000)
        await ear.command("brightness", b'{"percent": 60}')
        await ear.command("abandon", b"{}")
        await ear.command("y" * 4000, b"{}")
        await ear.command("locate", b'{"seconds": 300}', retain=True)
        await until(lambda: len(ear.of("done")) == 8)
        assert not any(done["ok"] for done in ear.of("done"))
        assert all(len(done["command"]) <= 40 for done in ear.of("done"))
        sentences = [done["sentence"] for done in ear.of("done")]
        assert "at each new connection" in sentences[-1]
        assert "leaves it out" in sentences[4]
        assert not table.asked


async def test_a_command_that_the_broker_has_kept_is_not_obeyed_at_a_new_connection(
    tmp_path: Path,
) -> None:
    async with scene(tmp_path) as (_, table, bridge, ear):
        await ear.command("locate", b'{"seconds": 300}', retain=True)
        await ear.until("done")
        bridge.end()
        bridge.start()
        await until(lambda: ear.of("availability").count("online") == 2)
        await ear.command("locate", b'{"seconds": 1}')
        await until(lambda: len(ear.of("done")) == 2)
        assert [asked["seconds"] for asked in table.asked] == [1]


async def test_what_the_table_refuses_is_answered_with_its_sentence(tmp_path: Path) -> None:
    async with scene(tmp_path) as (_, table, _, ear):
        table.refuses = "The house closes already."
        await ear.command("closing", b'{"minutes": 10}')
        done = await ear.until("done")
        assert done["sentence"] == "The house closes already."
        await table.go()
        await ear.until("availability", lambda told: told == "offline")
        await ear.command("closing", b'{"minutes": 10}')
        await ear.until("done", lambda done: "does not answer" in str(done["sentence"]))


@pytest.mark.paced
@pytest.mark.parametrize("qos", [0, 1])
async def test_ten_thousand_commands_a_second_reach_the_table_at_five_a_second(
    tmp_path: Path, qos: int
) -> None:
    async with scene(tmp_path) as (broker, table, bridge, ear):
        at_rest = bridge.seconds()
        began = time.monotonic()
        flood = await asyncio.create_subprocess_exec(
            *(sys.executable, str(Path(__file__).with_name("flood.py")), str(broker.port)),
            *(f"pi-table/{TABLE}/do/brightness", '{"percent": 60}', "10000", "5", str(qos)),
            stdout=asyncio.subprocess.PIPE,
        )
        said, _ = await flood.communicate()
        lasted = time.monotonic() - began
        used = bridge.seconds() - at_rest
        print(f"sent {said.decode().strip()}, bridge {used:.2f} s of a core in {lasted:.1f} s")
        await ear.until("done", lambda done: "Too many commands" in str(done["sentence"]))
        assert used < 0.5 * lasted
        assert 1 <= len(table.asked) <= lasted / MIN_REQUEST_SECONDS + 1
        assert len(ear.of("done")) < 40


async def test_a_slider_that_is_drawn_ends_where_it_was_let_go(tmp_path: Path) -> None:
    async with scene(tmp_path) as (_, table, _, ear):
        began = time.monotonic()
        for percent in range(60):
            await ear.command("brightness", b'{"percent": %d}' % percent)
        last = {"act": "set", "seat": "operator", "settings": {"brightness": 59}}
        await until(lambda: last in table.asked)
        assert len(table.asked) <= (time.monotonic() - began) / MIN_REQUEST_SECONDS + 1
