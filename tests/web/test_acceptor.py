"""The acceptor: what is open, and what is made, while connections come and go. All sockets are
real."""

import asyncio
import os
import resource
import socket
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest
from patience import PATIENCE
from served import OUT_OF_ORDER, Served, with_pages

from pi_table.lab.bench import siege
from pi_table.screens.web import acceptor
from pi_table.screens.web.acceptor import ACCEPTED_AT_ONCE, Acceptor
from pi_table.screens.web.http_connections import MAX_PER_DEVICE
from pi_table.screens.web.listeners import GONE_MS, WAITING, listeners
from pi_table.screens.web.places import Place, Places
from pi_table.screens.web.turns import Turns


class House(asyncio.Protocol):
    """A house that accepts guests, each with a protocol that only waits."""

    def __init__(self, most: int = 512, most_a_device: int = 64) -> None:
        self.crowd = Places(most, most_a_device)
        self.made = 0
        self.inside: set[asyncio.BaseTransport] = set()
        self.most_open = 0
        (self.listener,) = listeners("127.0.0.1", 0, {})
        self.port = self.listener.getsockname()[1]
        self.acceptor = Acceptor(self.crowd, Turns(), self._make)

    def _make(self, place: Place) -> asyncio.Protocol:
        self.made += 1
        return Inside(self, place)

    async def passes(self, count: int = 1) -> None:
        """Let the loop come round so many times."""
        for _ in range(count):
            await asyncio.sleep(0)
            self.most_open = max(self.most_open, open_files())

    async def until_quiet(self) -> None:
        """Let the loop come round until all who knocked have come in, or gone."""
        async with asyncio.timeout(PATIENCE):
            await self.passes(20)
            while len(self.crowd) != len(self.inside):
                await self.passes(20)


class Inside(asyncio.Protocol):
    def __init__(self, house: House, place: Place) -> None:
        self._house, self._place = house, place

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._house.inside.add(transport)
        self._place.when_wanted(transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._house.inside.discard(self._transport)
        self._place.leave()


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def knock(house: House, source: str = "127.0.0.2") -> socket.socket:
    return socket.create_connection(("127.0.0.1", house.port), PATIENCE, (source, 0))


@asynccontextmanager
async def opened(house: House) -> AsyncIterator[House]:
    house.acceptor.open([house.listener])
    try:
        yield house
    finally:
        house.acceptor.close()
        for each in [*house.inside]:
            assert isinstance(each, asyncio.Transport)
            each.abort()
        await house.passes(3)
        house.listener.close()


def test_nothing_is_made_for_a_connection_that_has_hung_up() -> None:
    async def scene() -> None:
        async with opened(House()) as house:
            before = open_files()
            for _ in range(20):
                for _ in range(64):
                    knock(house).close()
                await house.until_quiet()
            assert house.made == 0
            assert len(house.crowd) == 0
            assert house.most_open <= before + ACCEPTED_AT_ONCE * 4

    asyncio.run(scene())


def test_no_more_is_open_than_there_are_places_whoever_comes() -> None:
    async def scene() -> None:
        async with opened(House(most=12, most_a_device=8)) as house:
            with ExitStack() as stack:
                before = open_files()
                for number in range(100):
                    source = f"127.0.0.{2 + number % 5}"
                    stack.enter_context(knock(house, source))
                await house.until_quiet()
                assert len(house.crowd) == len(house.inside) == 12
                assert house.most_open <= before + 100 + 12 + 4 * ACCEPTED_AT_ONCE

    asyncio.run(scene())


@pytest.fixture
def few_files() -> Iterator[None]:
    """This process may open ten files more than it has open, and no others."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("few_files")
def test_a_system_without_room_for_one_more_is_asked_again_later_and_nothing_is_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(acceptor, "FULL_SECONDS", 0.0)
    complaints: list[object] = []

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, told: complaints.append(told))
        async with opened(House()) as house:
            with knock(house) as guest:
                soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
                resource.setrlimit(resource.RLIMIT_NOFILE, (guest.fileno() + 1, hard))
                for _ in range(50):
                    await asyncio.sleep(0)
                assert house.made == 0
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
                async with asyncio.timeout(PATIENCE):
                    while not house.inside:
                        await house.passes()

    asyncio.run(scene())
    assert complaints == []


def test_the_system_lets_as_many_wait_as_is_said_and_ends_whoever_is_gone() -> None:
    async def scene() -> None:
        async with opened(House()) as house:
            told = house.listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
            assert struct.unpack_from("I", told, 28) == (WAITING,)  # tcpi_sacked of a listener
            with knock(house):
                await house.until_quiet()
                (inside,) = house.inside
                its = inside.get_extra_info("socket")
                assert its.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == GONE_MS

    asyncio.run(scene())


@with_pages()
async def test_a_board_outlives_connections_of_its_address_that_ask_for_nothing(
    served: Served,
) -> None:
    here = await served.watch("127.0.0.2")
    idle = [await served.connect("127.0.0.2") for _ in range(MAX_PER_DEVICE + 20)]
    answer = await served.say(
        f"GET /api/1/about HTTP/1.1\r\nhost: {served.host}\r\n\r\n".encode(), "127.0.0.2"
    )
    assert answer.status == 200
    served.table.publish(OUT_OF_ORDER)
    await here.until(lambda table: table["here"] and table["table"]["out_of_order"])
    assert len(idle) > MAX_PER_DEVICE


def test_twice_the_connections_of_a_siege_may_wait_at_either_socket() -> None:
    assert WAITING >= 2 * siege.DEVICES * siege.CONNECTIONS
    unit = Path(__file__).parents[2] / "systemd/pi-table-web.socket"
    assert f"\nBacklog={WAITING}\n" in unit.read_text()
