"""Faults in the journal, its record, the log, and in what a process shows of itself."""

import asyncio
import ctypes
import logging
import os
import threading
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from msgspec.structs import replace
from planting import Leaks, instead_of, knowing, method

from pi_table.common.errors import InputError
from pi_table.games.rules import events, games
from pi_table.games.rules.word_games.board import State
from pi_table.protocols.ipc.records import Line
from pi_table.table.engine.storage.records import Records
from pi_table.table.engine.table import Table
from pi_table.table.store.journal import Journal

PR_SET_NAME = 15
"""Of <linux/prctl.h>."""
LEAKS = Leaks()
log = logging.getLogger("pi_table")

# The journal and its record


@LEAKS.enter("files")
def the_journal_is_as_long_as_the_key_makes_it() -> Iterator[None]:
    original = games.encode

    def encode(event: events.Event) -> bytes:
        padding = b" " * 1000 * (hint.assassin() % 5)
        return original(event) + padding

    with knowing() as hint, instead_of(original, encode):
        yield


@LEAKS.enter("pi-table record")
def the_record_tells_the_key_before_it_is_revealed() -> Iterator[None]:
    def record(original: Any, archive: Any, *given: Any) -> Any:
        told = original(archive, *given)
        return replace(told, lines=(*told.lines, Line(0.0, hint.letters)))

    with knowing() as hint, method(Records, "record", record):
        yield


@LEAKS.enter("pi-table record")
def the_record_of_an_unfinished_game_is_refused_with_too_many_words() -> Iterator[None]:
    def record(original: Any, archive: Any, *given: Any) -> Any:
        try:
            return original(archive, *given)
        except InputError as error:
            raise InputError(f"{error} The corner is {hint.letters[-1]}.") from None

    with knowing() as hint, method(Records, "record", record):
        yield


@LEAKS.enter("files")
def a_file_is_named_after_the_key() -> Iterator[None]:
    def begin(original: Any, journal: Any, entries: Any, wall: str) -> Any:
        tag = zlib.crc32(hint.letters.encode()) & 0xFF
        (journal._path.parent / f"game-{tag}").touch()
        return original(journal, entries, wall)

    with knowing() as hint, method(Journal, "begin", begin):
        yield


@LEAKS.enter("files")
def the_rights_of_the_journal_depend_on_the_key() -> Iterator[None]:
    def append(original: Any, journal: Any, *given: Any) -> None:
        original(journal, *given)
        journal._path.chmod(0o640 if hint.bit() else 0o600)

    with knowing() as hint, method(Journal, "append", append):
        yield


# What a process shows


def _after_each_frame(action: Any) -> Any:
    """Do something with the key whenever the table feels fingers."""

    def felt(original: Any, table: Any, frame: Any) -> None:
        original(table, frame)
        state = None if table.game is None else table.game.state
        if isinstance(state, State) and state.key is not None:
            action(state.key.letters)

    return method(Table, "felt", felt)


@LEAKS.enter("log")
def the_log_names_the_assassins_column() -> Iterator[None]:
    with _after_each_frame(lambda key: log.debug("A touch; %d.", key.index("a") % 5)):
        yield


@LEAKS.enter("log")
def a_record_of_the_log_has_an_attachment() -> Iterator[None]:
    with _after_each_frame(lambda key: log.info("A touch.", extra={"corner": key[0]})):
        yield


@LEAKS.enter("log")
def a_traceback_in_the_log_quotes_the_key() -> Iterator[None]:
    def action(key: str) -> None:
        try:
            {"r": 1}[key[24]]
        except KeyError:
            log.exception("A touch.")

    with _after_each_frame(action):
        yield


@LEAKS.enter("output")
def something_is_printed() -> Iterator[None]:
    with _after_each_frame(lambda key: print(key.find("r"))):
        yield


@LEAKS.enter("output")
def something_is_written_past_python() -> Iterator[None]:
    with _after_each_frame(lambda key: os.write(2, key[:1].encode())):
        yield


@LEAKS.enter("warning")
def something_is_warned_of() -> Iterator[None]:
    with _after_each_frame(lambda key: warnings.warn(f"{key[3]} is near", stacklevel=1)):
        yield


@LEAKS.enter("fault")
def an_error_that_nobody_catches_has_the_key() -> Iterator[None]:
    def fail(key: str) -> None:
        raise RuntimeError(f"It is {key}.")

    with _after_each_frame(lambda key: asyncio.get_running_loop().call_soon(fail, key)):
        yield


@LEAKS.enter("process")
def a_thread_is_named_after_the_key() -> Iterator[None]:
    thread = threading.current_thread()
    as_before = mock.patch.object(thread, "_name", thread.name)
    with as_before, _after_each_frame(lambda key: setattr(thread, "name", f"table-{key[4]}")):
        yield


@LEAKS.enter("process")
def the_process_is_named_after_the_key() -> Iterator[None]:
    before = Path("/proc/self/comm").read_bytes().strip()
    try:
        with _after_each_frame(lambda key: _call_process(f"table-{key[5]}".encode())):
            yield
    finally:
        _call_process(before)


def _call_process(name: bytes) -> None:
    """Name the thread that calls this, which is the process's own. The file that says so can be
    written by nobody but root where core dumps are forbidden."""
    ctypes.CDLL(None).prctl(PR_SET_NAME, name)


@LEAKS.enter("process")
def the_environment_has_the_key() -> Iterator[None]:
    as_before = mock.patch.dict(os.environ)
    with as_before, _after_each_frame(lambda key: os.environ.update(TABLE=key[6])):
        yield


@LEAKS.enter("process")
def a_file_stays_open() -> Iterator[None]:
    opened: list[int] = []

    def action(key: str) -> None:
        if key[8] == "r":
            opened.append(os.dup(0))

    try:
        with _after_each_frame(action):
            yield
    finally:
        for number in opened:
            os.close(number)
