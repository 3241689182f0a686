"""The one function that builds a table, for the daemon, the simulator and the tests."""

import os
from collections.abc import Callable

from pi_table.devices.hal.contracts import Lights
from pi_table.protocols.sealing.handshake import SESSION_BYTES
from pi_table.table.engine.dealing import Cards
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.outputs import Audience, TrySound
from pi_table.table.engine.presentation.light_player import FRAMES_PER_SECOND
from pi_table.table.engine.state.lock import initial_lock
from pi_table.table.engine.state.peek import PEEK_SECONDS
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce, Workers
from pi_table.table.engine.table import (
    Clock,
    HaveMeasured,
    Later,
    Referee,
    Table,
    Tell,
    at_once,
    nobody_judges,
    nothing_ends,
    nothing_is_measured,
    nothing_is_said,
    nothing_is_sent,
    nothing_is_tried,
)
from pi_table.table.engine.touches.intents import Intents


def build(
    storage: Storage,
    workers: Workers | None = None,
    *,
    intents: Intents,
    lights: Lights,
    cards: Cards,
    clock: Clock,
    publish: Callable[[Audience], None],
    after: Callable[[], None] = lambda: None,
    later: Later = at_once,
    peek_seconds: float = PEEK_SECONDS,
    frames_per_second: int = FRAMES_PER_SECOND,
    announce: Tell = nothing_is_said,
    measure: HaveMeasured = nothing_is_measured,
    try_sound: Callable[[TrySound], None] = nothing_is_tried,
    send_block: Callable[[tuple[bytes, ...]], None] = nothing_is_sent,
    ask_referee: Referee = nobody_judges,
    end: Callable[[], None] = nothing_ends,
) -> Table:
    """Build a table that continues the latest game of the storage's journal. The caller closes the
    table after use.

    ``workers`` carry out orders to the disk; by default the caller waits for each order. ``clock``
    returns seconds of the table's clock.

    These functions are called when something happens:

    - ``publish`` when an audience has a new message,
    - ``announce`` with announcements for everybody,
    - ``try_sound`` to test the loudspeaker,
    - ``measure`` to start or stop readings of the touch grid,
    - ``send_block`` with the frames for the phones' next beat,
    - ``ask_referee`` to have a clue judged,
    - ``end`` when the table is to end and be started again,
    - ``after`` whenever the table has run, because `Table.wakes` may have changed.

    ``later`` calls a function after everything published has been sent.
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
        session=os.urandom(SESSION_BYTES),
        links=storage.phones.links,
    )
    return Table(
        machine,
        workers or AtOnce(storage),
        lights,
        clock,
        publish,
        after,
        later,
        storage.opened,
        frames_per_second,
        announce,
        measure,
        try_sound,
        send_block,
        ask_referee,
        end,
    )
