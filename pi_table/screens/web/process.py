"""The process of the pages: two sockets to the table, those for browsers, and nothing else.

It may die, be flooded or be taken over: the game goes on, and nothing secret is in it.
"""

import asyncio
import contextlib
import logging
import os
import resource
import socket
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, cast

import uvicorn

from pi_table.common.config import Config, WebSection
from pi_table.common.crashes import forbid_core_dumps
from pi_table.common.log import begin_log
from pi_table.common.until_told import until_told
from pi_table.protocols.ipc.sealed import UP_BYTES
from pi_table.screens.web.address import address_of
from pi_table.screens.web.asgi import PLACE
from pi_table.screens.web.connections import (
    MOST_A_DEVICE,
    MOST_CONNECTIONS,
    HttpConnection,
    PhoneConnection,
)
from pi_table.screens.web.desk import Desk
from pi_table.screens.web.door import Door
from pi_table.screens.web.events import Viewers
from pi_table.screens.web.files import read_files
from pi_table.screens.web.guard import LONGEST_HEAD, Guard
from pi_table.screens.web.listeners import listeners
from pi_table.screens.web.phones import Phones
from pi_table.screens.web.places import Place, Places
from pi_table.screens.web.site import Site
from pi_table.screens.web.table_link import DeskRelay, PublicLink, Relay
from pi_table.screens.web.turns import Turns

log = logging.getLogger("pi_table")

KEPT_SECONDS: Final = 5
"""How long a connection is kept open for another request."""
ADDRESS_SECONDS: Final = 5.0
"""How often it is looked whether this machine has another address."""
PING_SECONDS: Final = 20.0
OWN_FILES: Final = 64
"""Open files that are no connections of browsers'."""


def main(config: Config) -> int:
    """Serve the pages until SIGTERM or SIGINT; the answer is the exit status. Raises DeviceError
    where it cannot be listened anywhere."""
    forbid_core_dumps()
    begin_log()
    asyncio.run(until_told(partial(run, config)))
    return 0


async def run(
    config: Config, stop: asyncio.Event, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve the pages until ``stop`` is set; ``ready`` is called once they can be asked for.

    Raises DeviceError.
    """
    sockets = listeners(config.web.listen, config.web.port, os.environ)
    address = _Address(config.web, sockets[0].getsockname()[1])
    guard = Guard(config.web.address)
    viewers, phones, turns = Viewers(asyncio.get_running_loop().time), Phones(), Turns()
    public = PublicLink(config.paths.public_socket, viewers.show)
    relay = Relay(config.paths.sealed_socket, phones.take, phones.keep, lambda: address.now)
    desk = Desk(DeskRelay(config.paths.sealed_socket))
    site = Site(
        guard,
        read_files(),
        viewers,
        phones,
        relay.blocks,
        desk,
        turns,
        lambda: address.now,
        config.web.portal,
    )
    server = _Server(_settings(site, guard, turns), turns)
    log.info("The pages are served at %s.", address.now)
    async with asyncio.TaskGroup() as tasks:
        others = [tasks.create_task(each) for each in (public.run(), relay.run(), address.watch())]
        serving = tasks.create_task(server.serve(sockets))
        while not server.started and not serving.done():
            await asyncio.sleep(0.001)
        ready()
        await stop.wait()
        server.should_exit = True
        await serving
        for each in others:
            each.cancel()


class _Address:
    """What people open: as configured, or this machine's own address, which may change."""

    def __init__(self, web: WebSection, port: int) -> None:
        self._web = web
        self._port = port
        self.now = ""
        self._look()

    async def watch(self) -> None:
        """Look again and again, for ever."""
        while True:
            await asyncio.sleep(ADDRESS_SECONDS)
            self._look()

    def _look(self) -> None:
        self.now = self._web.address or address_of(self._web.listen, self._port)


class _Server(uvicorn.Server):
    """uvicorn, with a door of ours, which leaves signals to whoever runs it."""

    def __init__(self, config: uvicorn.Config, turns: Turns) -> None:
        super().__init__(config)
        most = min(MOST_CONNECTIONS, _room_for_files() - OWN_FILES)
        self._door = Door(Places(most, MOST_A_DEVICE), turns, self._connection)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        self.servers = []
        self._door.open(sockets or [])
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._door.close()
        await super().shutdown(sockets)

    def _connection(self, place: Place) -> asyncio.Protocol:
        made: asyncio.Protocol = self.config.http_protocol_class(
            config=self.config,  # type: ignore[call-arg]
            server_state=self.server_state,
            app_state={PLACE: place},
        )
        return made


def _settings(site: Site, guard: Guard, turns: Turns) -> uvicorn.Config:
    # uvicorn calls them as it does its own classes.
    http = cast(type[asyncio.Protocol], partial(HttpConnection, guard, turns))
    return uvicorn.Config(
        cast(Any, site),
        loop="asyncio",
        http=http,
        ws=PhoneConnection,
        ws_max_size=UP_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",  # of the rest anybody could make it say a thousand lines a second
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=KEPT_SECONDS,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=LONGEST_HEAD,
    )


def _room_for_files() -> int:
    """How many files this process may have open, as many as it may ask for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OWN_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return soft
