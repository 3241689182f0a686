"""The bridge's connections to the table's public socket and to its house socket.

Each connection is kept open. After a loss, a new connection is tried every half second.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from pi_table.protocols.ipc.client import RETRY_SECONDS
from pi_table.protocols.ipc.house import HouseMessage, read_to_house
from pi_table.protocols.ipc.messages import Answer, AnyPublicMessage, Request, line, read_public
from pi_table.protocols.ipc.stream import connect, read_line

log = logging.getLogger("pi_table")

ANSWER_SECONDS: Final = 20.0
"""Timeout in seconds for the table's answer. It is long, because the card with the journal may be
slow."""


class TableAway(Exception):  # noqa: N818 - it is no error of ours
    """The table did not answer a request."""


class _LoggedErrors:
    """Logs each kind of error of a connection to the table only once. After a message has arrived,
    each kind may be logged again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told: set[type[Exception]] = set()

    @contextmanager
    def log_once(self) -> Iterator[None]:
        """Return a context manager that suppresses connection errors. It logs each kind of error
        once. If the table is only away, it logs nothing."""
        try:
            yield
        except PermissionError as error:
            self._tell(
                error,
                "This process may not open %s, so the table counts as offline: it has to run "
                "as a user in the group of that file (of house.sock: pi-table-house).",
            )
        except (ValueError, RecursionError) as error:
            self._tell(
                error,
                "The table's messages at %s cannot be read, so it counts as offline: are both "
                "of one version, and is this its only bridge? %s",
                error,
            )
        except (OSError, EOFError):
            pass

    def clear(self) -> None:
        self._told.clear()

    def _tell(self, trouble: Exception, sentence: str, *details: object) -> None:
        if type(trouble) not in self._told:
            log.error(sentence, self._path, *details)
        self._told.add(type(trouble))


class PublicLink:
    """A client of the public socket. ``show`` is called with each message, and with None while the
    table is away."""

    def __init__(self, path: Path, show: Callable[[AnyPublicMessage | None], None]) -> None:
        self._path = path
        self._show = show
        self._troubles = _LoggedErrors(path)

    async def run(self) -> None:
        while True:
            with self._troubles.log_once():
                async with connect(self._path) as (reader, _):
                    while True:
                        self._show(read_public(await read_line(reader)))
                        self._troubles.clear()
            self._show(None)
            await asyncio.sleep(RETRY_SECONDS)


class HouseLink:
    """A client of the house socket. It sends one request at a time. ``show`` is as in
    `PublicLink`."""

    def __init__(self, path: Path, show: Callable[[HouseMessage | None], None]) -> None:
        self._path = path
        self._show = show
        self._writer: asyncio.StreamWriter | None = None
        self._one_at_a_time = asyncio.Lock()
        self._number = 0
        self._troubles = _LoggedErrors(path)
        self._asked: asyncio.Future[Answer] | None = None

    async def run(self) -> None:
        while True:
            with self._troubles.log_once():
                async with connect(self._path) as (reader, self._writer):
                    while True:
                        self._on_message(read_to_house(await read_line(reader)))
                        self._troubles.clear()
            self._writer = None
            if self._asked is not None and not self._asked.done():
                self._asked.set_exception(TableAway())
            self._show(None)
            await asyncio.sleep(RETRY_SECONDS)

    async def ask(self, do: dict[str, Any]) -> Answer:
        """Return the table's answer to a request. Raises TableAway if the table does not answer."""
        async with self._one_at_a_time:
            if self._writer is None:
                raise TableAway
            self._number += 1
            self._asked = asyncio.get_running_loop().create_future()
            self._writer.write(line(Request(self._number, do)))
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    return await self._asked
            except TimeoutError:
                raise TableAway from None
            finally:
                self._asked = None

    def _on_message(self, message: HouseMessage | Answer) -> None:
        if isinstance(message, HouseMessage):
            self._show(message)
        elif self._asked is not None and message.id == self._number and not self._asked.done():
            self._asked.set_result(message)
