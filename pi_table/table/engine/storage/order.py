"""Orders to the storage, each with the code that carries it out.

An order may take time: an SD card takes up to a third of a second for a commit. The lights for a
touch must not wait for that. Therefore each order names the thread that carries it out
(`storage.workers`). The result of the order becomes an input of the state machine.
"""

import enum
import logging
from typing import Any, ClassVar

import msgspec

from pi_table.common.errors import StorageError, TableError
from pi_table.common.language import say
from pi_table.table.engine.storage.results import (
    Fetched,
    LinksKept,
    LinksNotKept,
    NotFetched,
    Result,
)
from pi_table.table.engine.storage.storage import Storage

log = logging.getLogger("pi_table")


class Thread(enum.Enum):
    """The threads for orders. Orders of the same thread are done one after another."""

    WRITER = "journal"
    """The only thread that changes the journal."""
    READER = "record"
    """Reads the journal, even while another thread changes it."""
    CHECKER = "check"
    """Waits for the process that checks a backup. No other thread waits for this thread."""


class Order(msgspec.Struct, frozen=True):
    thread: ClassVar[Thread] = Thread.READER
    is_alone: ClassVar[bool] = False
    """True if all earlier orders of the reader thread must be done before this order."""

    def carry_out(self, storage: Storage) -> Result | None:
        """Carry out the order; return the result, or None if it has no result."""
        raise NotImplementedError


class Write(Order, frozen=True):
    thread: ClassVar[Thread] = Thread.WRITER


class Fetch(Order, frozen=True):
    """An order with an answer. The result is `NotFetched` if the order fails."""

    to: object
    """Identifies the request; None if no answer is needed."""
    forgives: ClassVar[bool] = False
    """True if an unexpected error makes only this order fail. This is safe if no game depends on
    the order."""

    def carry_out(self, storage: Storage) -> Result:
        try:
            return self.fetch(storage)
        except TableError as error:
            return NotFetched(self.to, error)
        except Exception as error:
            if not self.forgives:
                raise
            return NotFetched(self.to, as_table_error(error))

    def fetch(self, storage: Storage) -> Result:
        """Carry out the order; return the result. Raises TableError."""
        raise NotImplementedError


class Read(Fetch, frozen=True):
    """An order to read data for an asker."""

    forgives: ClassVar[bool] = True

    def fetch(self, storage: Storage) -> Result:
        return Fetched(self.to, self.read(storage))

    def read(self, storage: Storage) -> Any:
        """Return the data. Raises TableError."""
        raise NotImplementedError


class KeepLinks(Order, frozen=True):
    """An order that changes the links. The result is `LinksKept` or `LinksNotKept`."""

    to: object

    def carry_out(self, storage: Storage) -> LinksKept | LinksNotKept:
        try:
            told = self.keep(storage)
        except StorageError as error:
            return LinksNotKept(self.to, storage.phones.links, error)
        return LinksKept(self.to, storage.phones.links, told)

    def keep(self, storage: Storage) -> Any:
        """Change the links; return the result for the asker. Raises StorageError."""
        raise NotImplementedError


def as_table_error(error: Exception) -> TableError:
    """Return an error that people may read. An unexpected error is replaced by its type, because
    its text may contain a key."""
    if isinstance(error, TableError):
        return error
    kind = type(error).__name__
    log.error(say("The request failed: {it}.", it=kind))
    return StorageError(
        say(
            "Something unexpected went wrong ({kind}). The table goes on: check whether your "
            "request was carried out before you repeat it.",
            kind=kind,
        )
    )
