"""What the table tells of itself on the operator's page: the answer to `doctor`."""

import msgspec


class Findings(msgspec.Struct, frozen=True):
    """What the engine knows of its own health."""

    version: str
    """The version of the engine."""
    faults: tuple[str, ...]
    """What is wrong with the table, in sentences for the staff."""
    deaf: tuple[str, ...]
    """The places that cannot feel a finger."""
    wet: bool
    """Is the table wet, or does something lie on its rim?"""
    can_store: bool
    """Is there a journal to store a game in?"""
