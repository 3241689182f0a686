"""What goes into the journal, and what comes out."""

import msgspec


class Entry(msgspec.Struct, frozen=True):
    """An event to be stored."""

    at: float
    """When the event happened, in seconds of the game."""
    body: bytes
    """The event as JSON. No repr shows it: it may hold the key."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(at={self.at!r}, …)"

    def __rich_repr__(self) -> list[tuple[str, float]]:
        return [("at", self.at)]


class StoredEntry(Entry, frozen=True):
    """An event as it was stored."""

    wall: str
    """When the event was stored: ISO 8601, UTC."""


class StoredGame(msgspec.Struct, frozen=True):
    """A game whose events fit their chain."""

    number: int
    """The number of the game: 1 for the first of the journal, 2 for the next …"""
    begun: str
    """When its first event was stored: ISO 8601, UTC."""
    entries: tuple[StoredEntry, ...]
    """The events in order, at least one."""
    noted_at: float
    """The latest known time of the game, in seconds: of its last event, or as ``note_time`` was
    told."""


class Listed(msgspec.Struct, frozen=True):
    """A line in the list of games."""

    number: int
    """The number of the game."""
    begun: str
    """When the first event of the game was stored: ISO 8601, UTC."""
    count: int
    """How many events the game has."""


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
