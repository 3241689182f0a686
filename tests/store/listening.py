"""A connection whose statements a test hears, and may change, before they run."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pi_table.table.store.disk import Connection, Disk, Rows


class Listening:
    """A connection that asks ``hear`` what to run in the place of each statement."""

    def __init__(self, connection: Connection, hear: Callable[[str], str]) -> None:
        self.connection = connection
        self.hear = hear

    @property
    def in_transaction(self) -> bool:
        return self.connection.in_transaction

    def execute(self, sql: str, *parameters: tuple[object, ...]) -> Rows:
        return self.connection.execute(self.hear(sql), *parameters)

    def close(self) -> None:
        self.connection.close()


@dataclass(frozen=True)
class ListeningDisk(Disk):
    """The machine's own disk, with a listening connection."""

    hear: Callable[[str], str] = str

    def connect(self, path: Path, read_only: bool) -> Connection:
        return Listening(super().connect(path, read_only), self.hear)
