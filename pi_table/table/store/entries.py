"""Events and games in the form in which the journal takes and returns them."""

import msgspec


class Entry(msgspec.Struct, frozen=True):
    """An event to be stored."""

    at: float
    """Time of the event, in seconds of game time."""
    body: bytes
    """The event as JSON. The event may hold the key, so no repr shows it."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(at={self.at!r}, …)"

    def __rich_repr__(self) -> list[tuple[str, float]]:
        return [("at", self.at)]


class StoredEntry(Entry, frozen=True):
    """An event read from the journal."""

    wall: str
    """Wall clock at which the event was stored: ISO 8601, UTC."""


class StoredGame(msgspec.Struct, frozen=True):
    """A game whose events match the game's hash chain."""

    number: int
    """The number of the game: 1 for the first of the journal, 2 for the next …"""
    begun: str
    """Wall clock when the game's first event was stored: ISO 8601, UTC."""
    entries: tuple[StoredEntry, ...]
    """The events in order, at least one."""
    noted_at: float
    """Seconds: the latest known time of the game, from its last event or from ``note_time``."""


class Listed(msgspec.Struct, frozen=True):
    """A line in the list of games."""

    number: int
    """The number of the game."""
    begun: str
    """Wall clock when the game's first event was stored: ISO 8601, UTC."""
    count: int
    """Number of events of the game."""


class Ends(msgspec.Struct, frozen=True):
    """The first and the last events of a game: enough for a list, without the events between."""

    number: int
    begun: str
    """Wall clock when the game's first event was stored: ISO 8601, UTC."""
    count: int
    """Number of all events of the game."""
    first: StoredEntry
    last: tuple[StoredEntry, ...]
    """The last events of the game, in order: as many as were requested, or all."""
