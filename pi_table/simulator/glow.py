"""Colours of pixels, mixed."""


def mix(one: int, other: int, share: float) -> int:
    """The colour ``one`` with this share (0 … 1) of ``other``, channel by channel."""
    pairs = zip(one.to_bytes(3, "big"), other.to_bytes(3, "big"), strict=True)
    return int.from_bytes((round(a + (b - a) * share) for a, b in pairs), "big")
