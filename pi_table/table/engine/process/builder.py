"""The one function that builds a table, for the daemon, the simulator and the tests."""

import os

from pi_table.devices.hal.contracts import Lights
from pi_table.protocols.ipc.service import TILES
from pi_table.protocols.sealing.handshake import SESSION_BYTES
from pi_table.table.engine.dealing import Cards
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.presentation.light_player import FRAMES_PER_SECOND
from pi_table.table.engine.state.lock import initial_lock
from pi_table.table.engine.state.peek import PEEK_SECONDS
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce, Workers
from pi_table.table.engine.table import Callbacks, Clock, Table
from pi_table.table.engine.touches.intents import Intents


def build(
    storage: Storage,
    workers: Workers | None = None,
    *,
    intents: Intents,
    lights: Lights,
    cards: Cards,
    clock: Clock,
    callbacks: Callbacks,
    peek_seconds: float = PEEK_SECONDS,
    has_screen: bool = True,
    string: tuple[tuple[int, ...], ...] = TILES,
    frames_per_second: int = FRAMES_PER_SECOND,
) -> Table:
    """Build a table that continues the latest game of the storage's journal. The caller must close
    the table after use.

    ``has_screen`` is True if the table has a hidden screen. ``string`` has the LEDs that each light
    shows. ``workers`` carry out orders to the disk. Without them, the caller waits for each order.
    """
    machine = Machine(
        intents,
        cards=cards,
        chance=storage.dealer.chance,
        packs=storage.dealer.shelf.offered_packs(),
        house=storage.settings.house,
        house_fault=storage.settings.fault,
        pin_fault=storage.pin.fault,
        links_fault=storage.phones.fault,
        lock=initial_lock(storage.pin.is_set, storage.pin.wrong, clock()),
        peek_seconds=peek_seconds,
        has_screen=has_screen,
        string=string,
        session=os.urandom(SESSION_BYTES),
        links=storage.phones.links,
    )
    return Table(
        machine,
        workers or AtOnce(storage),
        lights,
        clock,
        storage.opened,
        callbacks,
        frames_per_second,
    )
