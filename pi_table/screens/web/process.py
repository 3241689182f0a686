"""The process of the web pages. It has only sockets to the table and sockets for browsers.

The process holds no secrets. If it crashes, is flooded or is taken over by an attacker, the game
goes on.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from functools import partial
from typing import Final

from pi_table.common.config import Config, WebSection
from pi_table.common.crash_handling import forbid_core_dumps
from pi_table.common.log import begin_log
from pi_table.common.service import run_service
from pi_table.screens.web.address import address_of
from pi_table.screens.web.desk import Desk
from pi_table.screens.web.events import Viewers
from pi_table.screens.web.files import read_files
from pi_table.screens.web.guard import Guard
from pi_table.screens.web.listeners import listeners
from pi_table.screens.web.phones import Phones
from pi_table.screens.web.server import Server
from pi_table.screens.web.site import Site
from pi_table.screens.web.table_link import DeskRelay, PublicLink, Relay
from pi_table.screens.web.turns import Turns

log = logging.getLogger("pi_table")

ADDRESS_SECONDS: Final = 5.0
"""Seconds between two checks whether this machine's address has changed."""


def main(config: Config) -> int:
    """Serve the pages until SIGTERM or SIGINT; return the exit status. Raises DeviceError if no
    socket can listen."""
    forbid_core_dumps()
    begin_log()
    asyncio.run(run_service(partial(run, config)))
    return 0


async def run(
    config: Config, stop: asyncio.Event, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve the pages until ``stop`` is set. ``ready`` is called as soon as the pages can be
    opened.

    Raises DeviceError if no socket can listen.
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
    server = Server(site, guard, turns)
    log.info("The pages are served at %s.", address.now)
    async with asyncio.TaskGroup() as tasks:
        others = [
            tasks.create_task(each)
            for each in (public.run(), relay.run(), viewers.run(), address.watch())
        ]
        server.open(sockets)
        ready()
        await stop.wait()
        await server.close()
        for each in others:
            each.cancel()


class _Address:
    """The address of the pages: the configured address, or this machine's own address, which may
    change."""

    def __init__(self, web: WebSection, port: int) -> None:
        self._web = web
        self._port = port
        self.now = ""
        self._look()

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(ADDRESS_SECONDS)
            self._look()

    def _look(self) -> None:
        self.now = self._web.address or address_of(self._web.listen, self._port)
