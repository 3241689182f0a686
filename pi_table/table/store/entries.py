"""Events and games, as values that the journal takes and returns."""

import msgspec


class Entry(msgspec.Struct, frozen=True):
    at: float
    """Time of the event, in seconds of game time."""
    body: bytes
    """The event as JSON. It may contain the key, so no repr shows it."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(at={self.at!r}, …)"

    def __rich_repr__(self) -> list[tuple[str, float]]:
        return [("at", self.at)]


class StoredEntry(Entry, frozen=True):
    """An event read from the journal."""

    wall: str
    """Wall clock when the event was stored: ISO 8601, UTC."""


class StoredGame(msgspec.Struct, frozen=True):
    """A game whose events match its hash chain."""

    number: int
    """Number of the game in the journal, from 1."""
    begun: str
    """Wall clock when the first event was stored: ISO 8601, UTC."""
    entries: tuple[StoredEntry, ...]
    """At least one event, in order."""
    noted_at: float
    """The latest known time of the game, in seconds: the time of its last event or, if later, the
    time that `Journal.note_time` stored."""


class Listed(msgspec.Struct, frozen=True):
    """A line in the list of games."""

    number: int
    begun: str
    count: int
