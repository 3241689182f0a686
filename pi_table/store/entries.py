"""What goes into the journal, and what comes out."""

import msgspec


class Entry(msgspec.Struct, frozen=True):
    """An event to be stored."""

    at: float
    """Seconds of game time."""
    body: bytes
    """JSON of the event. Its repr is hidden: it may hold the key."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(at={self.at!r}, …)"

    def __rich_repr__(self) -> list[tuple[str, float]]:
        return [("at", self.at)]


class StoredEntry(Entry, frozen=True):
    """An event as it was stored."""

    wall: str
    """When it was stored: ISO 8601, UTC."""


class StoredGame(msgspec.Struct, frozen=True):
    """A game whose events fit their chain."""

    number: int
    """1 for the first game of the journal, 2 for the next …"""
    begun: str
    """When its first event was stored: ISO 8601, UTC."""
    entries: tuple[StoredEntry, ...]
    """At least one."""
    noted_at: float
    """Seconds of game time: the latest reading, of the last event or given to ``note_time``."""


class Listed(msgspec.Struct, frozen=True):
    """A line in the list of games."""

    number: int
    begun: str
    count: int
    """How many events it has."""


class Ends(msgspec.Struct, frozen=True):
    """How a game began and how it ends so far: enough for a list, without all that is between."""

    number: int
    begun: str
    """When its first event was stored: ISO 8601, UTC."""
    count: int
    """How many events the game has."""
    first: StoredEntry
    last: tuple[StoredEntry, ...]
    """The last events, in their order: as many as were asked for, or all there are."""
