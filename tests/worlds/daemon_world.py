"""An evening at the whole daemon, with everything that can be seen of it by no spymaster.

The daemon is the real one, with its journal, its sockets and the simulated table's link; only the
time, the wall clock and the chance are the test's.
"""

import asyncio
import contextlib
import io
import itertools
import logging
import os
import shutil
import socket
import sqlite3
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import msgspec
import virtual_loop
from evenings import Evening, plan
from game_scripts import keys_drawn
from seen import Seen, told_by_error
from twin_keys import KeySource, Told, told_by
from virtual_loop import VirtualLoop

from pi_table import cli, config
from pi_table.engine import daemon
from pi_table.engine.archive import Archive
from pi_table.engine.dealing import Dealer
from pi_table.engine.recorder import DirectRecorder
from pi_table.errors import TableError
from pi_table.geometry import CELL_COUNT, CELLS
from pi_table.rules import events
from pi_table.rules.key import Team
from pi_table.store.journal import Journal
from pi_table.words.pack import pack_named

FOLDER = Path("/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp") / f"worlds-{os.getpid()}"
"""Where every world is built, one after the other: what they write is in memory."""
WALL = "2001-02-03T04:05:06.789+00:00"

CONFIG = """\
[table]
cards = "{cards}"
[touch]
intent = "{intent}"
[simulated]
link = "{folder}/runtime/table.sock"
[paths]
state = "{folder}/state"
runtime = "{folder}/runtime"
"""


class Watched(msgspec.Struct):
    """What an evening showed, and what it disclosed of the keys that were drawn for it."""

    seen: list[Seen]
    drawn: tuple[str, ...]
    told: dict[str, Told]


def watch(evening: Evening, keys: Sequence[str] | None = None) -> Watched:
    """Spend the evening in the world in which these keys are drawn, or else those of its seed."""
    spare = keys_drawn(f"{evening.seed}/spare")
    draw = KeySource(itertools.chain(keys, spare) if keys else keys_drawn(evening.seed))
    world = _World(evening, draw)
    with contextlib.ExitStack() as stack:
        world.prepare(stack)
        try:
            virtual_loop.run(world.spend, start=100.0)
        except Exception as fault:
            world.saw("fault", told_by_error(fault))
        world.finish()
    told = world.told()
    # Two clients that are served in the same instant are served in no order that is promised.
    seen = sorted(world.seen, key=lambda seen: (seen.at, seen.what))
    return Watched(seen, tuple(draw.drawn), told)
