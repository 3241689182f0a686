"""An order to the storage: a value that says what is wanted, and how that is done.

An order may take its time: an SD card takes up to a third of a second over a commit. So none is
carried out where a finger would have to wait for it; each says on which thread it is
(`storage.workers`). What comes of it is an input of the machine, later.
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
    """Where an order is carried out. Orders of one thread wait for each other."""

    WRITER = "journal"
    """Changes the journal. Nobody else does."""
    READER = "record"
    """Leaves the journal as it is: it may go on beside one that changes it."""
    CHECKER = "check"
    """Waits for another process, and nobody waits for it."""


class Order(msgspec.Struct, frozen=True):
    """Something that the storage is needed for."""

    thread: ClassVar[Thread] = Thread.READER
    is_alone: ClassVar[bool] = False
    """True where whatever was ordered of the reader before is to be done first."""

    def carry_out(self, storage: Storage) -> Result | None:
        """Do it; return what came of it, None where nothing answers."""
        raise NotImplementedError


class Write(Order, frozen=True):
    """An order that changes the journal."""

    thread: ClassVar[Thread] = Thread.WRITER


class Fetch(Order, frozen=True):
    """An order that something answers; `NotFetched` where it cannot be done."""

    to: object
    """The name of the request; None where nobody has to be answered."""
    forgives: ClassVar[bool] = False
    """True where no game goes on by this order: what goes wrong in it, whatever it is, ends this
    order alone."""

    def carry_out(self, storage: Storage) -> Result:
        try:
            return self.fetch(storage)
        except TableError as error:
            return NotFetched(self.to, error)
        except Exception as error:
            if not self.forgives:
                raise
            return NotFetched(self.to, foreseen(error))

    def fetch(self, storage: Storage) -> Result:
        """Do it; return what came of it. Raises TableError."""
        raise NotImplementedError


class Read(Fetch, frozen=True):
    """An order for something that is told to whoever asked."""

    forgives: ClassVar[bool] = True

    def fetch(self, storage: Storage) -> Result:
        return Fetched(self.to, self.read(storage))

    def read(self, storage: Storage) -> Any:
        """Return what is told. Raises TableError."""
        raise NotImplementedError


class KeepLinks(Order, frozen=True):
    """An order that changes who has a link; `LinksKept` or `LinksNotKept` answers."""

    to: object
    """The name of the request; None where nobody asked."""

    def carry_out(self, storage: Storage) -> LinksKept | LinksNotKept:
        try:
            told = self.keep(storage)
        except StorageError as error:
            return LinksNotKept(self.to, storage.phones.links, error)
        return LinksKept(self.to, storage.phones.links, told)

    def keep(self, storage: Storage) -> Any:
        """Change it; return what whoever asked is told. Raises StorageError."""
        raise NotImplementedError


def foreseen(error: Exception) -> TableError:
    """What is told of an error; of one that nobody foresaw no more than its kind, for what was at
    hand may hold a key."""
    if isinstance(error, TableError):
        return error
    kind = type(error).__name__
    log.error(say("What was asked for failed: {it}.", it=kind))
    return StorageError(
        say(
            "Something went wrong that nobody foresaw ({kind}). The table goes on: see whether "
            "what you asked for was done before you ask for it again.",
            kind=kind,
        )
    )
