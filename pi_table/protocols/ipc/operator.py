"""The table's health on the operator's page: the answer to `doctor`."""

import msgspec


class Findings(msgspec.Struct, frozen=True):
    """The engine's report on its own health."""

    version: str
    """The version of the engine."""
    faults: tuple[str, ...]
    """Faults of the table, in sentences for the staff."""
    deaf: tuple[str, ...]
    """Names of the places that cannot feel a finger."""
    wet: bool
    """True if the table is wet, or something lies on its rim."""
    can_store: bool
    """True if there is a journal to store a game in."""
