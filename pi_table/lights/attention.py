"""Where hands are, and what the lights have to say about them."""

import msgspec


class Held(msgspec.Struct, frozen=True):
    """A place that somebody has begun to mean."""

    place: int
    begun: float
    """When that began, in seconds of the table's clock."""
    ends: float | None
    """When the place is meant if nothing comes between (seconds); None: at its second tap."""


class Attention(msgspec.Struct, frozen=True):
    """Where hands are, and what the table has to say about them. Times are in seconds."""

    hold: Held | None = None
    """The hold that is going on."""
    storing: Held | None = None
    """The hold that was meant and is not on the disk yet: its place stays lit."""
    unclear: frozenset[int] = frozenset()
    """The places on which something lies that means nothing, and is to be lifted."""
    waiting: bool = False
    """Does the table wait until everything is lifted, and has settled?"""
    blocked: bool = False
    """Is the table wet, or does something lie on its rim? It asks to be wiped and cleared."""
    deaf: frozenset[int] = frozenset()
    """The places that cannot feel a finger."""
