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
from planting import Leaks, after, at, hint

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


@LEAKS.enter("files", at(games.encode))
def the_journal_is_as_long_as_the_key_makes_it(original: Any, event: events.Event) -> Any:
    padding = b" " * 1000 * (hint.assassin() % 5)
    return original(event) + padding


@LEAKS.enter("pi-table record", after(Records.record))
def the_record_tells_the_key_before_it_is_revealed(told: Any, *_: Any) -> Any:
    return replace(told, lines=(*told.lines, Line(0.0, hint.letters)))


@LEAKS.enter("pi-table record", at(Records.record))
def the_record_of_an_unfinished_game_is_refused_with_too_many_words(
    original: Any, archive: Any, *given: Any
) -> Any:
    try:
        return original(archive, *given)
    except InputError as error:
        raise InputError(f"{error} The corner is {hint.letters[-1]}.") from None


@LEAKS.enter("files", at(Journal.begin))
def a_file_is_named_after_the_key(original: Any, journal: Any, entries: Any, wall: str) -> Any:
    tag = zlib.crc32(hint.letters.encode()) & 0xFF
    (journal._path.parent / f"game-{tag}").touch()
    return original(journal, entries, wall)


@LEAKS.enter("files", after(Journal.append))
def the_rights_of_the_journal_depend_on_the_key(_: None, journal: Any, *more: Any) -> None:
    journal._path.chmod(0o640 if hint.bit() else 0o600)


# What a process shows


def _after_each_frame(action: Any) -> Any:
    """Do something with the key whenever the table feels fingers."""

    def felt(original: Any, table: Any, frame: Any) -> None:
        original(table, frame)
        state = None if table.game is None else table.game.state
        if isinstance(state, State) and state.key is not None:
            action(state.key.letters)

    return at(Table.on_touch_frame)(felt)


@LEAKS.enter("log", _after_each_frame)
def the_log_names_the_assassins_column(key: Any) -> Any:
    return log.debug("A touch; %d.", key.index("a") % 5)


@LEAKS.enter("log", _after_each_frame)
def a_record_of_the_log_has_an_attachment(key: Any) -> Any:
    return log.info("A touch.", extra={"corner": key[0]})


@LEAKS.enter("log", _after_each_frame)
def a_traceback_in_the_log_quotes_the_key(key: str) -> None:
    try:
        {"r": 1}[key[24]]
    except KeyError:
        log.exception("A touch.")


@LEAKS.enter("output", _after_each_frame)
def something_is_printed(key: Any) -> Any:
    return print(key.find("r"))


@LEAKS.enter("output", _after_each_frame)
def something_is_written_past_python(key: Any) -> Any:
    return os.write(2, key[:1].encode())


@LEAKS.enter("warning", _after_each_frame)
def something_is_warned_of(key: Any) -> Any:
    return warnings.warn(f"{key[3]} is near", stacklevel=1)


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
